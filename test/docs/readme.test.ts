import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALL_REVISIONS, isModern, paramsFor } from '../support/peers.js';
import type { Message } from '../support/stdio-client.js';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/notes.ts', import.meta.url));
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Sends all of it, closes the input, and resolves to the frames and the exit code. */
async function converse(frames: object[]): Promise<{ frames: Message[]; code: unknown }> {
  const child = spawn(process.execPath, ['--import', 'tsx', EXAMPLE], {
    env: { ...process.env, MCPX_CHECK_OUTGOING: 'error' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stdin.end(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  const [code] = (await once(child, 'close')) as unknown[];
  const lines = text.split('\n').filter((line) => line !== '');
  return { frames: lines.map((line) => JSON.parse(line) as Message), code };
}

describe('the example in the README', () => {
  it('is the file it names', () => {
    const blocks = [...README.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
    expect(blocks).toEqual([readFileSync(EXAMPLE, 'utf8')]);
  });

  it.each(ALL_REVISIONS)('serves a client of %s, and ends with its input', async (revision) => {
    const clientInfo = { name: 'test', version: '1' };
    const handshake = [
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities: {}, clientInfo },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ];
    const note = { name: 'write_note', arguments: { name: 'list', text: 'Buy bread.' } };
    const asked = (id: number, method: string, params: object): object => ({
      jsonrpc: '2.0',
      id,
      method,
      params: paramsFor(revision, params),
    });
    const { frames, code } = await converse([
      ...(isModern(revision) ? [] : handshake),
      asked(1, 'tools/call', note),
      asked(2, 'resources/read', { uri: 'note://today' }),
      asked(3, 'prompts/get', { name: 'review' }),
    ]);
    const resultOf = (wanted: number): unknown => frames.find(({ id }) => id === wanted)?.result;
    expect(resultOf(1)).toMatchObject({ content: [{ type: 'text', text: '{"length":10}' }] });
    expect(resultOf(2)).toMatchObject({ contents: [{ text: 'Water the plants.' }] });
    expect(resultOf(3)).toMatchObject({
      messages: [{ content: { text: 'Is this still true? Water the plants.' } }],
    });
    expect(code).toBe(0);
  });
});
