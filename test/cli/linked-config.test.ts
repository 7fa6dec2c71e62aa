import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, fixtureServer } from '../support/mcpx-process.js';

const serving = (name: string): string =>
  JSON.stringify({ mcpServers: { [name]: fixtureServer('2025-06-18') } });

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'mcpx-linked-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** The namespaces of the backends that mcpx has just now. */
async function served(path: string) {
  const mcpx = new McpxProcess(['serve', '--config', path, '--http', '127.0.0.1:0']);
  onTestFinished(() => mcpx.stop().then(() => undefined));
  const client = new HttpClient(await mcpx.printed(/listens on (http:[^\s"]+)/));
  onTestFinished(() => client.close());
  return async (): Promise<string[]> => {
    const { result } = await (await client.modern('tools/list')).message();
    const names = (result?.['tools'] as { name: string }[]).map(({ name }) => name.split('_')[0]);
    return [...new Set(names)].map(String);
  };
}

describe('a configuration file that is a link', () => {
  it('is read again when what it leads to is written', async () => {
    const [kept, used] = [await folder(), await folder()];
    await writeFile(join(kept, 'mine.json'), serving('first'));
    await symlink(join(kept, 'mine.json'), join(used, 'mcp.json'));
    const namespaces = await served(join(used, 'mcp.json'));
    expect(await namespaces()).toContain('first');
    await writeFile(join(kept, 'mine.json'), serving('second'));
    await expect.poll(namespaces, { timeout: 10_000 }).toContain('second');
    await writeFile(join(kept, 'new.json'), serving('third'));
    await rename(join(kept, 'new.json'), join(kept, 'mine.json'));
    await expect.poll(namespaces, { timeout: 10_000 }).toContain('third');
  });

  it('is read again when a folder on the way is changed for another, as in a volume of Kubernetes', async () => {
    const volume = await folder();
    for (const one of ['first', 'second', 'third']) {
      await mkdir(join(volume, `..${one}`));
      await writeFile(join(volume, `..${one}`, 'mcp.json'), serving(one));
    }
    const turnTo = async (one: string): Promise<void> => {
      await symlink(`..${one}`, join(volume, '..data_tmp'));
      await rename(join(volume, '..data_tmp'), join(volume, '..data'));
    };
    await turnTo('first');
    await symlink('..data/mcp.json', join(volume, 'mcp.json'));
    const namespaces = await served(join(volume, 'mcp.json'));
    expect(await namespaces()).toContain('first');
    for (const one of ['second', 'third']) {
      await turnTo(one);
      await expect.poll(namespaces, { timeout: 10_000 }).toContain(one);
    }
  });
});
