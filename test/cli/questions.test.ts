/** A person at a terminal answers what no client could be asked: real processes on both sides. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, askingServer, configFile } from '../support/mcpx-process.js';
import type { Message } from '../support/stdio-client.js';

let config: Awaited<ReturnType<typeof configFile>>;
let server: McpxProcess;
let url: string;

beforeAll(async () => {
  config = await configFile({
    mcpServers: { forms: askingServer('2025-11-25'), models: askingServer('2024-11-05') },
    operations: { token: 'secret' },
  });
  server = new McpxProcess(['serve', '--config', config.path, '--http', '127.0.0.1:0']);
  url = await server.printed(/(http:\/\/127\.0\.0\.1:\d+)\/mcp/);
});

afterAll(async () => {
  await server.stop();
  await config.remove();
});

async function questions(...args: string[]): Promise<{ code: number | null; text: string }> {
  const env = { MCPX_OPERATIONS_TOKEN: 'secret' };
  const [verb = '', ...rest] = args;
  const process = new McpxProcess(['questions', verb, '--url', url, ...rest], env);
  const { code } = await process.finish();
  return { code, text: process.stdout + process.stderr };
}

/** A call of a client that declared nothing; resolves when its question waits. */
async function asked(tool: string): Promise<{ id: string; answer: Promise<string> }> {
  const client = new HttpClient(`${url}/mcp`);
  onTestFinished(() => client.close());
  const session = await client.session('2025-11-25');
  const call = client.request('tools/call', { name: tool, arguments: { tag: tool } });
  const answer = client.post(call, session).then(async (sent) => textOf(await sent.message()));
  for (;;) {
    const listed = await fetch(`${url}/v1/questions`, {
      headers: { authorization: 'Bearer secret' },
    });
    const [question] = ((await listed.json()) as { questions: { id: string }[] }).questions;
    if (question !== undefined) return { id: question.id, answer };
  }
}

const textOf = ({ result, error }: Message): string =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? JSON.stringify(error);

describe('mcpx questions', () => {
  it('lists, shows and answers a form', async () => {
    expect((await questions('list')).text).toBe('No question waits.\n');
    const { id, answer } = await asked('forms_once');
    expect((await questions('list')).text).toMatch(
      new RegExp(`^${id}  forms  until .*\\n  .*name\\?`),
    );
    const { text } = await questions('show', id);
    expect(text).toContain('forms asks (elicitation/create)');
    expect(text).toContain('  name (string)\n');
    expect(await questions('answer', id, 'name=Ann = Anna')).toEqual({
      code: 0,
      text: `answered ${id}\n`,
    });
    expect(await answer).toBe('accept Ann = Anna');
  });

  it('says what does not fit, and the question waits on', async () => {
    const { id, answer } = await asked('models_once');
    expect(await questions('answer', id, 'name=Ann')).toMatchObject({
      code: 1,
      text: expect.stringContaining('--text') as string,
    });
    const wrong = await questions('answer', id, '--json', config.path);
    expect(wrong).toMatchObject({
      code: 1,
      text: expect.stringContaining('does not fit') as string,
    });
    expect((await questions('answer', id, '--text', 'Paris')).code).toBe(0);
    expect(await answer).toBe('Paris');
  });

  it('declines, once', async () => {
    const { id, answer } = await asked('forms_once');
    expect((await questions('decline', id)).text).toBe(`declined ${id}\n`);
    expect(await answer).toBe('decline');
    const again = await questions('decline', id);
    expect(again.code).toBe(1);
    expect(again.text).toContain(`No question "${id}" waits`);
  });

  it('accepts that a page is to be opened', async () => {
    const { id, answer } = await asked('forms_url');
    expect((await questions('show', id)).text).toContain('https://example.test/forms_url');
    await questions('answer', id);
    expect(await answer).toBe('accept');
  });

  it('says where it looked when nobody is there, or does not let it in', async () => {
    const nowhere = await questions('list', '--url', 'http://127.0.0.1:9');
    expect(nowhere.code).toBe(1);
    expect(nowhere.text).toContain('http://127.0.0.1:9: cannot be reached');
    const stranger = await questions('list', '--token', 'guess');
    expect(stranger).toEqual({ code: 1, text: `mcpx: ${url}: The token is wrong\n` });
    expect((await questions('list', '--url', 'here')).text).toContain('here is not a URL');
  });
});
