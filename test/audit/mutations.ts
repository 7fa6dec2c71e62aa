/** Valid messages, and ways in which each can be made wrong. */
import type { Revision } from '../../generated/revisions.js';
import type { CheckId } from '../../src/audit/checks.js';

export interface Base {
  readonly revision: Revision;
  /** Of a result: the method it answers. */
  readonly method?: string;
  readonly message: Record<string, unknown>;
}

const result = (revision: Revision, method: string, body: object): Base => ({
  revision,
  method,
  message: { jsonrpc: '2.0', id: 1, result: body },
});
const request = (revision: Revision, method: string, params: object): Base => ({
  revision,
  message: { jsonrpc: '2.0', id: 1, method, params },
});
const notification = (revision: Revision, method: string, params: object): Base => ({
  revision,
  message: { jsonrpc: '2.0', method, params },
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CACHED = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const TOOL = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};

export const BASES = {
  tools24: result('2024-11-05', 'tools/list', { tools: [TOOL] }),
  tools25: result('2025-11-25', 'tools/list', { tools: [{ ...TOOL, title: 'Add' }] }),
  tools26: result('2026-07-28', 'tools/list', { ...CACHED, tools: [TOOL] }),
  call: request('2025-06-18', 'tools/call', { name: 'add', arguments: { a: 1 } }),
  call26: request('2026-07-28', 'tools/call', { name: 'add', arguments: { a: 1 }, _meta: META }),
  called: result('2025-06-18', 'tools/call', {
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    structuredContent: { sum: 1 },
    isError: false,
  }),
  called24: result('2024-11-05', 'tools/call', { content: [{ type: 'text', text: 'a' }] }),
  called26: result('2026-07-28', 'tools/call', {
    resultType: 'complete',
    content: [{ type: 'text', text: 'a' }],
  }),
  initialize: request('2025-03-26', 'initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  }),
  initialized: result('2025-03-26', 'initialize', {
    protocolVersion: '2025-03-26',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 's', version: '1' },
  }),
  discovered: result('2026-07-28', 'server/discover', {
    ...CACHED,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  }),
  templates: result('2025-06-18', 'resources/templates/list', {
    resourceTemplates: [{ name: 'note', uriTemplate: 'note://{name}' }],
  }),
  resources: result('2025-11-25', 'resources/list', {
    resources: [{ name: 'note', uri: 'note:///a', size: 1, annotations: { priority: 0.5 } }],
  }),
  read: result('2025-06-18', 'resources/read', {
    contents: [{ uri: 'note:///a', text: 'a', mimeType: 'text/plain' }],
  }),
  prompts: result('2025-03-26', 'prompts/list', {
    prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }],
  }),
  prompt: result('2025-06-18', 'prompts/get', {
    messages: [{ role: 'user', content: { type: 'text', text: 'a' } }],
  }),
  complete: request('2025-06-18', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'a', value: 'b' },
  }),
  elicit: request('2025-06-18', 'elicitation/create', {
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  }),
  sample: request('2025-06-18', 'sampling/createMessage', {
    maxTokens: 10,
    messages: [{ role: 'user', content: { type: 'text', text: 'a' } }],
  }),
  progress: notification('2025-06-18', 'notifications/progress', {
    progressToken: 1,
    progress: 0.5,
    message: 'half',
  }),
  progress24: notification('2024-11-05', 'notifications/progress', {
    progressToken: 1,
    progress: 0.5,
  }),
  log: notification('2025-06-18', 'notifications/message', { level: 'info', data: 'a' }),
  error26: {
    revision: '2026-07-28',
    method: 'tools/call',
    message: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } },
  },
} as const satisfies Record<string, Base>;

export type BaseName = keyof typeof BASES;

/** Stands for: take it away. */
export const GONE = Symbol('gone');

export interface Mutation {
  readonly of: BaseName;
  /** What is changed, as a pointer, and to what. */
  readonly set: string;
  readonly to: unknown;
  readonly check: CheckId;
  /** Where it is reported; where it is changed, if nothing else is said. */
  readonly at?: string;
  readonly hint?: string;
}

const m = (
  of: BaseName,
  set: string,
  to: unknown,
  check: CheckId,
  { at, hint }: { at?: string; hint?: string } = {},
): Mutation => ({
  of,
  set,
  to,
  check,
  ...(at !== undefined && { at }),
  ...(hint !== undefined && { hint }),
});

export const MUTATIONS: readonly Mutation[] = [
  // Frames
  m('call', '/jsonrpc', '1.0', 'frame', { at: '' }),
  m('call', '/jsonrpc', GONE, 'frame', { at: '' }),
  m('call', '/id', null, 'frame', { at: '', hint: 'never null' }),
  m('call', '/id', 1.5, 'frame', { at: '' }),
  m('call', '/params', [1], 'frame', { at: '' }),
  m('called', '/result', 'ok', 'frame', { at: '' }),
  m('error26', '/error/code', '1', 'frame', { at: '' }),
  // Methods
  m('call', '/method', 'tools/run', 'method-unknown'),
  m('call', '/method', 'server/discover', 'method-unknown', { hint: 'since 2026-07-28' }),
  m('call26', '/method', 'ping', 'method-unknown', { hint: 'until 2026-07-28' }),
  m('call26', '/method', 'initialize', 'method-unknown', { hint: 'server/discover' }),
  m('call', '/method', 'tools/Call', 'method-unknown', { hint: '`tools/call`' }),
  m('progress', '/method', 'progress', 'method-unknown', { hint: '`notifications/progress`' }),
  // Missing
  m('tools25', '/result/tools', GONE, 'schema-required', { at: '/result' }),
  m('tools25', '/result/tools/0/name', GONE, 'schema-required', { at: '/result/tools/0' }),
  m('tools25', '/result/tools/0/inputSchema', GONE, 'schema-required', { at: '/result/tools/0' }),
  m('tools25', '/result/tools/0/inputSchema/type', GONE, 'schema-required', {
    at: '/result/tools/0/inputSchema',
    hint: '"type": "object"',
  }),
  m('tools26', '/result/resultType', GONE, 'schema-required', {
    at: '/result',
    hint: '"resultType": "complete"',
  }),
  m('tools26', '/result/ttlMs', GONE, 'schema-required', { at: '/result', hint: '"ttlMs": 0' }),
  m('tools26', '/result/cacheScope', GONE, 'schema-required', { at: '/result' }),
  m('call26', '/params/_meta', GONE, 'schema-required', { at: '/params', hint: 'no handshake' }),
  m(
    'call26',
    '/params/_meta/io.modelcontextprotocol~1clientCapabilities',
    GONE,
    'schema-required',
    {
      at: '/params/_meta',
      hint: 'no handshake',
    },
  ),
  m('call', '/params/name', GONE, 'schema-required', { at: '/params' }),
  m('called', '/result/content', GONE, 'schema-required', { at: '/result' }),
  m('called', '/result/content/0/text', GONE, 'schema-required', { at: '/result/content/0' }),
  m('called', '/result/content/1/mimeType', GONE, 'schema-required', { at: '/result/content/1' }),
  m('initialize', '/params/clientInfo', GONE, 'schema-required', { at: '/params' }),
  m('initialize', '/params/clientInfo/version', GONE, 'schema-required', {
    at: '/params/clientInfo',
  }),
  m('initialized', '/result/serverInfo', GONE, 'schema-required', { at: '/result' }),
  m('templates', '/result/resourceTemplates/0', { name: 'a', uri: 'a://{b}' }, 'schema-required', {
    hint: '`uri` should be `uriTemplate`',
  }),
  m(
    'discovered',
    '/result',
    { ...CACHED, capabilities: {}, protocolVersions: ['2026-07-28'] },
    'schema-required',
    {
      hint: '`protocolVersions` should be `supportedVersions`',
    },
  ),
  m('tools25', '/result/tools/0', { name: 'a', parameters: {} }, 'schema-required', {
    hint: '`parameters` should be `inputSchema`',
  }),
  m(
    'called',
    '/result/content/1',
    { type: 'image', data: '', mime_type: 'a/b' },
    'schema-required',
    {
      hint: '`mime_type` should be `mimeType`',
    },
  ),
  m('prompt', '/result/messages/0/role', GONE, 'schema-required', { at: '/result/messages/0' }),
  m('complete', '/params/argument/value', GONE, 'schema-required', { at: '/params/argument' }),
  m('sample', '/params/maxTokens', GONE, 'schema-required', { at: '/params' }),
  // Types
  m('called', '/result/content', 'a', 'schema-type', { hint: 'blocks' }),
  m('called', '/result/structuredContent', [1], 'schema-type', { hint: 'under a key' }),
  m('called', '/result/isError', 'no', 'schema-type'),
  m('call', '/params/name', 7, 'schema-type'),
  m('call', '/params/arguments', [1], 'schema-type'),
  m('progress', '/params/progress', '0.5', 'schema-type', { hint: 'as a string' }),
  m('resources', '/result/resources/0/size', '1', 'schema-type', { hint: 'as a string' }),
  m('resources', '/result/nextCursor', null, 'schema-type', { hint: 'Leave the field out' }),
  m('tools26', '/result/ttlMs', 1.5, 'schema-type'),
  m('prompts', '/result/prompts/0/arguments/0/required', 'yes', 'schema-type'),
  m('initialize', '/params/capabilities', [], 'schema-type'),
  m('discovered', '/result/supportedVersions', '2026-07-28', 'schema-type'),
  // Values
  m('tools25', '/result/tools/0/inputSchema/type', 'array', 'schema-const'),
  m('log', '/params/level', 'warn', 'schema-enum'),
  m('prompt', '/result/messages/0/role', 'system', 'schema-enum'),
  m('tools26', '/result/cacheScope', 'shared', 'schema-enum'),
  m('tools26', '/result/ttlMs', -1, 'schema-range'),
  m('resources', '/result/resources/0/annotations/priority', 2, 'schema-range'),
  m('called', '/result/content/0/type', 'smell', 'schema-union', { at: '/result/content/0' }),
  m('called24', '/result/content/0', { type: 'audio', data: '', mimeType: 'a/b' }, 'schema-union'),
  m(
    'called',
    '/result/content/0',
    { type: 'tool_use', id: 'a', name: 'b', input: {} },
    'schema-union',
  ),
  m('read', '/result/contents/0/uri', 'no uri', 'schema-format'),
  // Fields of other revisions
  m('tools24', '/result/tools/0/title', 'Add', 'foreign-field'),
  m('tools24', '/result/tools/0/annotations', {}, 'foreign-field'),
  m('tools25', '/result/ttlMs', 1, 'foreign-field'),
  m('tools26', '/result/tools/0/execution', {}, 'foreign-field'),
  m('called24', '/result/structuredContent', {}, 'foreign-field'),
  m('initialized', '/result/serverInfo/title', 'S', 'foreign-field'),
  m('discovered', '/result/serverInfo', { name: 's', version: '1' }, 'foreign-field', {
    hint: '`_meta`',
  }),
  m('progress24', '/params/message', 'a', 'foreign-field'),
  m('elicit', '/params/mode', 'form', 'foreign-field'),
  m('sample', '/params/tools', [], 'foreign-field'),
  // Near misses
  m('tools25', '/result/tools/0/output_schema', {}, 'misspelt-field', { hint: '`outputSchema`' }),
  m('called24', '/result/is_error', true, 'misspelt-field', { hint: '`isError`' }),
  m('resources', '/result/next_cursor', 'a', 'misspelt-field', { hint: '`nextCursor`' }),
  // Embedded schemas
  m('tools25', '/result/tools/0/inputSchema/properties/a/type', 'float', 'embedded-schema', {
    hint: '"number"',
  }),
  m('tools25', '/result/tools/0/inputSchema/properties/a/required', true, 'embedded-schema', {
    hint: 'lists its required properties',
  }),
  m(
    'tools25',
    '/result/tools/0/inputSchema/properties/a',
    { $ref: '#/$defs/Nothing' },
    'embedded-schema',
    {
      at: '/result/tools/0/inputSchema',
    },
  ),
  m(
    'tools25',
    '/result/tools/0/outputSchema',
    { type: 'object', required: 'a' },
    'embedded-schema',
    {
      at: '/result/tools/0/outputSchema/required',
    },
  ),
  m(
    'tools25',
    '/result/tools/0/inputSchema/properties/a/exclusiveMinimum',
    true,
    'embedded-schema',
    {
      hint: 'draft-04',
    },
  ),
  // Error codes
  m('error26', '/error/code', -32001, 'error-code', { hint: 'HEADER_MISMATCH is -32020' }),
  m('error26', '/error/code', -32003, 'error-code', { hint: '-32021' }),
  m('error26', '/error/code', -32004, 'error-code', { hint: '-32022' }),
  m('error26', '/error/code', -32002, 'error-code', { hint: '-32602' }),
  m('error26', '/error/code', -32050, 'error-code'),
];

export function mutated({ of, set, to }: Mutation): Record<string, unknown> {
  const copy = structuredClone(BASES[of].message) as Record<string, unknown>;
  const steps = set
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/'));
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    copy,
  );
  if (to === GONE) Reflect.deleteProperty(holder, last);
  else holder[last] = to;
  return copy;
}
