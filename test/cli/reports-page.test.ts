/** The page at `/reports`, as a browser shows it. */
import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpxProcess } from '../support/mcpx-process.js';

/** A function of the page: texts that are hard to read. */
const LOW_CONTRAST = readFileSync(new URL('../fixtures/low-contrast.js', import.meta.url), 'utf8')
  .trim()
  .replace(/;$/, '');
const FOCUSED = 'document.activeElement?.textContent';

let mcpx: McpxProcess;
let base: string;

beforeAll(async () => {
  mcpx = new McpxProcess(['serve', '--http', '127.0.0.1:0']);
  base = await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+)\/mcp/);
});

afterAll(async () => {
  await mcpx.stop();
});

describe('over HTTP', () => {
  test('the page is there, and lets nothing else in', async () => {
    const response = await fetch(`${base}/reports`);
    expect(response.url).toBe(`${base}/reports/`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('Field by field, revision by revision');
  });

  test('so is each report, and nothing that is none', async () => {
    const matrix = await fetch(`${base}/reports/matrix.json`);
    expect(matrix.headers.get('content-type')).toContain('application/json');
    for (const path of ['nothing.md', '..%2f..%2fpackage.json', '%2e%2e/revisions.ts']) {
      expect((await fetch(`${base}/reports/${path}`)).status).toBe(404);
    }
  });
});

const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
);
if (CHROMIUM === undefined) {
  console.log('Skipped: no browser. Install Chromium, or name it in CHROMIUM, to test the page.');
}

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    // Without the sandbox, which root cannot have; the page is our own.
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });

  afterAll(async () => {
    await browser.close();
    expect(faults).toEqual([]);
  });

  const open = async (hash = '') => {
    await page.goto('about:blank');
    await page.goto(`${base}/reports/${hash}`);
    await page.waitForSelector('#results > *');
  };
  const rows = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('tr[data-row]')].map((row) => row.dataset.row)",
    );

  test('a search leaves what it finds, and is in the address', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('Tool.title');
    expect(await rows()).toEqual(['Tool.title']);
    expect(page.url()).toContain('q=Tool.title');
    await page.keyboard.press('Escape');
    expect((await rows()).length).toBeGreaterThan(500);
  });

  test('a cell says in words what its dot means', async () => {
    await open('#q=Tool.title');
    const dots = await page.locator('tr[data-row="Tool.title"]').getByRole('img').all();
    const said = await Promise.all(dots.map((dot) => dot.getAttribute('aria-label')));
    expect(said).toEqual([
      'optional in 2025-06-18',
      'optional in 2025-11-25',
      'optional in 2026-07-28',
    ]);
  });

  test('message, sender and revision narrow the matrix', async () => {
    await open('#message=tools/list');
    const all = await rows();
    expect(all).toContain('Tool.icons');
    expect(all).not.toContain('Prompt.icons');
    await page.selectOption('select[name=sender]', 'client');
    expect(await rows()).not.toContain('Tool.icons');
    await page.selectOption('select[name=sender]', 'server');
    await page.selectOption('select[name=revision]', '2025-06-18');
    const older = await rows();
    expect(older).toContain('Tool.title');
    expect(older).not.toContain('Tool.icons');
  });

  test('changes say what the edge does, in either direction', async () => {
    await open('#view=diff&from=2024-11-05&to=2025-03-26&message=tools/call');
    const text = async () => (await page.textContent('#results')) ?? '';
    expect(await text()).toContain('AudioContentconverted audioAsText');
    expect(await page.textContent('.added .sign')).toBe('+');
    await page.selectOption('select[name=to]', '2024-11-05');
    await page.selectOption('select[name=from]', '2025-03-26');
    expect(await page.textContent('.removed .sign')).toBe('−');
    await page.selectOption('select[name=from]', '2024-11-05');
    expect(await text()).toContain('Choose two revisions that differ.');
  });

  test('a link to a field leads to it, and marks it', async () => {
    await open('#at=Tool.icons');
    const row = page.locator('tr[data-row="Tool.icons"]');
    expect(await row.getAttribute('class')).toBe('here');
    const box = await row.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(900);
    const href = await page.locator('tr[data-row="Tool.title"] a').getAttribute('href');
    expect(href).toBe('#at=Tool.title');
  });

  test('keys change the view and go from section to section', async () => {
    await open();
    await page.keyboard.press('c');
    expect(page.url()).toContain('view=diff');
    await page.keyboard.press('m');
    expect(page.url()).not.toContain('view=diff');
    await page.keyboard.press('j');
    const first = await page.evaluate(FOCUSED);
    await page.keyboard.press('j');
    const second = await page.evaluate(FOCUSED);
    expect(first).toBe('Methods');
    expect(second).not.toBe('Methods');
    await page.keyboard.press('k');
    expect(await page.evaluate(FOCUSED)).toBe('Methods');
  });

  test.each([
    ['light', 390],
    ['dark', 390],
    ['light', 1300],
    ['dark', 1300],
  ] as const)(
    '%s and %i wide, nothing sticks out and all of it can be read',
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const hash of ['', '#view=diff']) {
        await open(hash);
        const [wide, seen] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect(wide).toBeLessThanOrEqual(seen);
        expect(await page.evaluate(`${LOW_CONTRAST}()`)).toEqual([]);
      }
    },
  );

  test('printed, it has the table and not the controls', async () => {
    await page.emulateMedia({ media: 'print' });
    await open('#q=Tool');
    expect(await page.locator('#controls').isVisible()).toBe(false);
    expect(await page.locator('tr[data-row="Tool.name"]').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
  });
});
