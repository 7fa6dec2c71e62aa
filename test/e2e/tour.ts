/** Everything a client can do with what is behind mcpx: lists, calls, reads, prompts, completions. */
import { METHODS } from '../../generated/methods.js';
import type { CheckedClient } from './checked-client.js';

type Item = Record<string, unknown>;
type Schema = Record<string, unknown>;

/** Tools that need what a tour does not give them: an answer from the client, a network, a stop. */
const LEFT_OUT = /crash|slow|elicitation|sampling|get-roots-list|gzip|research|toggle/;

/** Values that a schema alone does not suggest. */
const GIVEN: Item = { duration: 0.01, steps: 2, n: 'raw:12345678901234567890' };

export interface Tour {
  readonly tools: readonly Item[];
  readonly called: ReadonlyMap<string, { readonly result?: Item; readonly error?: object }>;
  readonly texts: ReadonlyMap<string, string>;
  readonly resources: readonly Item[];
  readonly templates: readonly Item[];
  readonly prompts: readonly Item[];
}

export async function tour(client: CheckedClient): Promise<Tour> {
  const tools = await client.list('tools/list', 'tools');
  const called = new Map<string, { result?: Item; error?: object }>();
  const texts = new Map<string, string>();
  for (const tool of tools) {
    const name = tool['name'] as string;
    if (LEFT_OUT.test(name)) continue;
    const params = { name, arguments: argumentsFor(tool['inputSchema'] as Schema) };
    const { result, error } = await client.request('tools/call', params, { progressToken: name });
    called.set(name, { result, error });
    texts.set(name, client.lastText);
  }
  const resources = await client.list('resources/list', 'resources');
  for (const { uri } of resources) await client.result('resources/read', { uri });
  const templates = await client.list('resources/templates/list', 'resourceTemplates');
  const prompts = await client.list('prompts/list', 'prompts');
  for (const prompt of prompts) {
    const args = ((prompt['arguments'] ?? []) as Item[]).map(({ name }) => [name as string, '1']);
    const params = { name: prompt['name'], arguments: Object.fromEntries(args) as Item };
    if ('prompts/get' in METHODS[client.revision]) await client.request('prompts/get', params);
    if (args[0] === undefined) continue;
    const ref = { type: 'ref/prompt', name: prompt['name'] };
    const argument = { name: args[0][0], value: '' };
    await client.result('completion/complete', { ref, argument });
  }
  return { tools, called, texts, resources, templates, prompts };
}

/** The least that the schema accepts, and every number that may be large. */
function argumentsFor(schema: Schema): Item {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = (schema['required'] ?? []) as string[];
  const wanted = Object.keys(properties).filter((key) => required.includes(key) || key in GIVEN);
  return Object.fromEntries(
    wanted.map((key) => [key, GIVEN[key] ?? sample(properties[key] ?? {})]),
  );
}

function sample(schema: Schema): unknown {
  if (schema['default'] !== undefined) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  const type = schema['type'];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  return 'text';
}
