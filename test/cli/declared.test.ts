/** A document and adapters of the configuration file, from the file to a client. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { McpxProcess, configFile } from '../support/mcpx-process.js';
import { operationAt } from '../support/openapi.js';
import { recordingServer } from '../support/recording-server.js';

const frame = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

interface Reply {
  id: number;
  result: { tools: { name: string }[]; structuredContent: unknown };
}

async function served(config: object, ...flags: string[]) {
  const file = await configFile(config);
  const mcpx = new McpxProcess(['serve', '--config', file.path, ...flags], { SECRET: 's3cret' });
  onTestFinished(async () => {
    await mcpx.stop();
    await file.remove();
  });
  const clientInfo = { name: 'test', version: '1' };
  mcpx.write(
    frame(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  );
  return async (id: number, method: string, params: object): Promise<Reply['result']> => {
    mcpx.write(frame(id, method, params));
    const line = await mcpx.printed(new RegExp(`^(\\{.*"id":${id}\\b.*)$`, 'm'));
    return (JSON.parse(line) as Reply).result;
  };
}

/** All but the fixed tools of the gateway. */
const contributed = (tools: { name: string }[]): string[] =>
  tools.map(({ name }) => name).filter((name) => !name.startsWith('mcpx_'));

describe('mcpx serve', () => {
  it('offers documents and adapters as it does upstreams', async () => {
    const service = await recordingServer(({ url, headers }, reply) =>
      url === '/openapi.json'
        ? reply.send(
            operationAt('/pets', { security: [{ key: [] }] }, 'get', {
              components: {
                securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
              },
            }),
          )
        : { url, key: headers['x-key'] },
    );
    const ask = await served({
      openapi: { pets: { document: `${service.url}/openapi.json`, auth: { key: '${SECRET}' } } },
      adapters: {
        own: {
          call: { url: `${service.url}/called/{id}`, inputSchema: { properties: { id: {} } } },
          node: { command: process.execPath, args: ['-p', '1+1'], outputSchema: {} },
        },
      },
    });
    const { tools } = await ask(2, 'tools/list', {});
    expect(contributed(tools)).toEqual(['own_call', 'own_node', 'pets_op']);
    const structured = async (id: number, name: string, args = {}) =>
      (await ask(id, 'tools/call', { name, arguments: args })).structuredContent;
    expect(await structured(3, 'pets_op')).toEqual({ url: '/pets', key: 's3cret' });
    expect(await structured(4, 'own_call', { id: 7 })).toEqual({ url: '/called/7' });
    expect(await structured(5, 'own_node')).toEqual({ result: 2 });
  });

  it('passes them through under their own names where told to', async () => {
    const adapters = { own: { node: { command: process.execPath, args: ['-p', '1'] } } };
    const ask = await served({ adapters }, '--passthrough', 'own');
    const { tools } = await ask(2, 'tools/list', {});
    expect(tools.map(({ name }) => name)).toEqual(['node']);
  });

  it('goes without a document that is not to be had', async () => {
    const adapters = { own: { node: { command: process.execPath, args: ['-p', '1'] } } };
    const ask = await served({ openapi: { pets: { document: './gone.json' } }, adapters });
    const { tools } = await ask(2, 'tools/list', {});
    expect(contributed(tools)).toEqual(['own_node']);
  });
});
