/**
 * Which validator checks which message: `generated/<revision>/validators.js` with its lookup tables,
 * for what mcpx receives (liberal) and, over the strict document, for what it sends.
 */
import { methodsWithExtensions } from './facts-of-revisions.js';
import { header } from './header.js';
import { NO_PROTOTYPE } from './table.js';
import { schemaDocument, type JsonSchema, type SchemaDocument } from './json-schema.js';
import { compileValidators } from './validators.js';
import type { Model, ObjectNode } from '../model.js';
import { extensionsOf, type Sources } from '../sources.js';

/** A result of this type answers this method only where the extension is declared (tasks: Creating a task). */
const EXTENSION_RESULTS = [
  { method: 'tools/call', resultType: 'task', definition: 'CreateTaskResult' },
];

export interface MessageEntry {
  table: 'requests' | 'notifications' | 'results' | 'errors';
  /** The method, or `error`. */
  key: string;
  /** Name the validator is exported under. */
  name: string;
  schema: JsonSchema;
}

/** The definition and its extensions' that a revision's messages are checked against. */
export function revisionDocument(sources: Sources, revision: string): SchemaDocument {
  const models = [sources.models[revision], ...extensionsOn(sources, revision)];
  return schemaDocument(
    models.filter((model) => model !== undefined),
    sourceNames(sources, revision),
  );
}

export function sourceNames(sources: Sources, revision: string): string[] {
  return [revision, ...extensionsOn(sources, revision).map((m) => m.source)].map(
    (source) => `schemas/${source}/schema.ts`,
  );
}

/** Every message of a revision with the schema it has to satisfy. */
export function messageEntries(sources: Sources, revision: string): MessageEntry[] {
  const model = sources.models[revision];
  if (!model) throw new Error(`no model of revision ${revision}`);
  const entries: MessageEntry[] = [];
  for (const method of methodsWithExtensions(sources, revision)) {
    const slug = method.method.replace(/[^A-Za-z]/g, '_');
    entries.push({
      table: method.kind === 'notification' ? 'notifications' : 'requests',
      key: method.method,
      name: `${method.kind === 'notification' ? 'notification' : 'request'}_${slug}`,
      schema: ref(method.definition),
    });
    if (method.result !== undefined) {
      entries.push({
        table: 'results',
        key: method.method,
        name: `result_${slug}`,
        schema: resultSchema(sources, model, method.method, method.result, revision),
      });
    }
  }
  const error =
    'JSONRPCErrorResponse' in model.definitions ? 'JSONRPCErrorResponse' : 'JSONRPCError';
  entries.push({ table: 'errors', key: 'error', name: 'error', schema: ref(error) });
  return entries;
}

export function emitReceived(sources: Sources): Map<string, string> {
  const files = new Map<string, string>();
  for (const { revision } of sources.revisions) {
    emitValidators(files, sources, revision, {
      document: received(revisionDocument(sources, revision)),
      module: 'validators',
      tables: 'messages',
      thorough: false,
    });
  }
  return files;
}

/**
 * Answers to questions are held against their questions, by key, and those under keys that nobody
 * asked for are not looked at (tasks extension, tasks/update): as part of a request they may be anything.
 */
function received(document: SchemaDocument): SchemaDocument {
  if (!(ANSWERS in document.$defs)) return document;
  return { ...document, $defs: { ...document.$defs, [ANSWERS]: { type: 'object' } } };
}

const ANSWERS = 'InputResponses';

export interface ValidatorModule {
  document: SchemaDocument;
  /** File of the compiled validators, without its ending. */
  module: string;
  /** File of the lookup tables. */
  tables: string;
  thorough: boolean;
}

export function emitValidators(
  files: Map<string, string>,
  sources: Sources,
  revision: string,
  { document, module, tables, thorough }: ValidatorModule,
): void {
  const entries = messageEntries(sources, revision);
  const from = sourceNames(sources, revision);
  const schemas = new Map(entries.map((entry) => [entry.name, entry.schema]));
  const folder = `generated/${revision}`;
  files.set(`${folder}/${module}.js`, compileValidators(document, schemas, { thorough }, from));
  files.set(`${folder}/${module}.d.ts`, declarations(entries, from));
  files.set(`${folder}/${tables}.ts`, lookupTables(entries, module, from));
}

function declarations(entries: readonly MessageEntry[], from: readonly string[]): string {
  return [
    header(...from),
    "import type { Validate } from '../validate.js';",
    '',
    ...entries.map((entry) => `export declare const ${entry.name}: Validate;`),
    '',
  ].join('\n');
}

function lookupTables(
  entries: readonly MessageEntry[],
  module: string,
  from: readonly string[],
): string {
  const table = (name: MessageEntry['table']): string[] =>
    entries
      .filter((entry) => entry.table === name)
      .map((entry) => `    '${entry.key}': validators.${entry.name},`);
  return [
    header(...from),
    `import * as validators from './${module}.js';`,
    "import type { MessageValidators } from '../validate.js';",
    '',
    'export const messages: MessageValidators = {',
    '  requests: {',
    `    ${NO_PROTOTYPE}`,
    ...table('requests'),
    '  },',
    '  notifications: {',
    `    ${NO_PROTOTYPE}`,
    ...table('notifications'),
    '  },',
    '  results: {',
    `    ${NO_PROTOTYPE}`,
    ...table('results'),
    '  },',
    '  error: validators.error,',
    '};',
    '',
  ].join('\n');
}

/** `generated/validate.ts`: the types, and the tables by revision. */
export function emitValidateIndex({ revisions }: Sources): Map<string, string> {
  const types = [
    header('schemas/revisions.json'),
    "import type { ErrorObject } from 'ajv';",
    '',
    '/** True if the value is valid; otherwise `errors` says why, until the next call. */',
    'export interface Validate {',
    '  (value: unknown): boolean;',
    '  errors?: ErrorObject[] | null;',
    '}',
    '',
    '/** By method. Requests and notifications are checked as whole frames, results as the result. */',
    'export interface MessageValidators {',
    '  readonly requests: Readonly<Record<string, Validate>>;',
    '  readonly notifications: Readonly<Record<string, Validate>>;',
    '  readonly results: Readonly<Record<string, Validate>>;',
    '  readonly error: Validate;',
    '}',
    '',
  ];
  const local = (revision: string): string => `r${revision.replace(/-/g, '')}`;
  const index = [
    header('schemas/revisions.json'),
    "import type { Revision } from './revisions.js';",
    "import type { MessageValidators } from './validate.js';",
    ...revisions.map(
      ({ revision }) =>
        `import { messages as ${local(revision)} } from './${revision}/messages.js';`,
    ),
    '',
    '/** For what arrives: liberal, first error only. */',
    'export const RECEIVED: Readonly<Record<Revision, MessageValidators>> = {',
    ...revisions.map(({ revision }) => `  '${revision}': ${local(revision)},`),
    '};',
    '',
    'const STRICT: Readonly<Record<Revision, () => Promise<{ messages: MessageValidators }>>> = {',
    ...revisions.map(
      ({ revision }) => `  '${revision}': () => import('./${revision}/strict-messages.js'),`,
    ),
    '};',
    '',
    '/** For what leaves: every error, formats asserted, fields of other revisions refused. Loaded on demand. */',
    'export async function loadStrict(revision: Revision): Promise<MessageValidators> {',
    '  return (await STRICT[revision]()).messages;',
    '}',
    '',
  ];
  return new Map([
    ['generated/validate.ts', types.join('\n')],
    ['generated/validators.ts', index.join('\n')],
  ]);
}

/**
 * Every modern result is also a valid empty result, so the shape cannot tell them apart: `resultType`
 * does. A value the schemas do not know is checked as the plain result.
 */
function resultSchema(
  sources: Sources,
  model: Model,
  method: string,
  definition: string,
  revision: string,
): JsonSchema {
  let schema = ref(definition);
  if (takesInput(model, definition)) {
    schema = byResultType('input_required', ref('InputRequiredResult'), schema);
  }
  for (const extra of EXTENSION_RESULTS) {
    const known = extensionsOn(sources, revision).some((m) => extra.definition in m.definitions);
    if (known && extra.method === method) {
      schema = byResultType(extra.resultType, ref(extra.definition), schema);
    }
  }
  return schema;
}

function byResultType(value: string, then: JsonSchema, otherwise: JsonSchema): JsonSchema {
  return {
    if: { properties: { resultType: { const: value } }, required: ['resultType'] },
    then,
    else: otherwise,
  };
}

/** Whether the revision's response to the request may be an `InputRequiredResult`. */
function takesInput(model: Model, result: string): boolean {
  const response = model.definitions[`${result}Response`]?.type as ObjectNode | undefined;
  const type = response?.properties['result']?.type;
  return (
    type?.kind === 'union' &&
    type.members.some((member) => member.kind === 'ref' && member.name === 'InputRequiredResult')
  );
}

function extensionsOn(sources: Sources, revision: string): Model[] {
  return extensionsOf(sources, revision)
    .map((extension) => sources.extensionModels[extension.source])
    .filter((model) => model !== undefined);
}

function ref(definition: string): JsonSchema {
  return { $ref: `#/$defs/${definition}` };
}
