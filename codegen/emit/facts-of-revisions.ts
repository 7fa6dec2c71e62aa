/** `generated/revisions.ts`, `methods.ts`, `constants.ts`: what `src/` may know of revisions as such. */
import { extensionMethodsOf, methodsOf } from '../methods.js';
import type { Method } from '../model.js';
import { extensionsOf, type Sources } from '../sources.js';
import { header } from './header.js';
import { NO_PROTOTYPE } from './table.js';

const LIST = 'schemas/revisions.json';

export function emitRevisions({ revisions, extensions }: Sources): Map<string, string> {
  const names = revisions.map((r) => `'${r.revision}'`);
  const newest = revisions.at(-1);
  const newestLegacy = revisions.filter((r) => r.era === 'legacy').at(-1);
  const oldest = revisions[0];
  if (!newest || !newestLegacy || !oldest)
    throw new Error(`${LIST} needs a legacy revision at least`);
  const lines = [
    header(LIST),
    `export type Revision = ${names.join(' | ')};`,
    "export type Era = 'legacy' | 'modern';",
    '',
    'export interface RevisionInfo {',
    '  readonly revision: Revision;',
    '  readonly era: Era;',
    '  readonly title: string;',
    '}',
    '',
    '/** Oldest first. */',
    'export const REVISIONS: readonly RevisionInfo[] = [',
    ...revisions.map(
      (r) => `  { revision: '${r.revision}', era: '${r.era}', title: ${JSON.stringify(r.title)} },`,
    ),
    '];',
    '',
    `export const OLDEST: Revision = '${oldest.revision}';`,
    `export const NEWEST: Revision = '${newest.revision}';`,
    `export const NEWEST_LEGACY: Revision = '${newestLegacy.revision}';`,
    '',
    'const ERAS: Readonly<Record<Revision, Era>> = {',
    ...revisions.map((r) => `  '${r.revision}': '${r.era}',`),
    '};',
    '',
    'export function eraOf(revision: Revision): Era {',
    '  return ERAS[revision];',
    '}',
    '',
    'export interface ExtensionInfo {',
    '  /** The name under which peers declare it. */',
    '  readonly id: string;',
    '  readonly standsOn: Revision;',
    '  readonly title: string;',
    '}',
    '',
    'export const EXTENSIONS: Readonly<Record<string, ExtensionInfo>> = {',
    ...extensions.map(
      (e) =>
        `  ${e.source}: { id: '${e.id}', standsOn: '${e.standsOn}', title: ${JSON.stringify(e.title)} },`,
    ),
    '};',
    '',
  ];
  return new Map([['generated/revisions.ts', lines.join('\n')]]);
}

/** The methods of a revision with those of the extensions that stand on it. */
export function methodsWithExtensions(sources: Sources, revision: string): Method[] {
  const model = sources.models[revision];
  if (!model) throw new Error(`no model of revision ${revision}`);
  const extended = extensionsOf(sources, revision).flatMap(({ source }) => {
    const extension = sources.extensionModels[source];
    return extension ? extensionMethodsOf(extension) : [];
  });
  return [...methodsOf(model), ...extended].sort((a, b) => (a.method < b.method ? -1 : 1));
}

export function emitMethods(sources: Sources): Map<string, string> {
  const lines = [
    header('the role unions of schemas/*/schema.ts'),
    "import type { Revision } from './revisions.js';",
    '',
    "export type Sender = 'client' | 'server';",
    '',
    'export interface MethodFact {',
    '  /** `inputRequest`: travels inside a result, never as a frame. */',
    "  readonly kind: 'request' | 'notification' | 'inputRequest';",
    '  /** Definition of the request or notification. */',
    '  readonly definition: string;',
    '  /** Definition of the result; requests only. */',
    '  readonly result?: string;',
    '  readonly senders: readonly Sender[];',
    '  /** The extension that defines it, where the revision itself does not. */',
    '  readonly extension?: string;',
    '  /** Its complete results carry `ttlMs` and `cacheScope`. */',
    '  readonly cacheable?: true;',
    '}',
    '',
    'export const METHODS: Readonly<Record<Revision, Readonly<Record<string, MethodFact>>>> = {',
  ];
  for (const { revision } of sources.revisions) {
    lines.push(`  '${revision}': {`, `    ${NO_PROTOTYPE}`);
    for (const method of methodsWithExtensions(sources, revision)) {
      lines.push(`    '${method.method}': ${methodLiteral(sources, revision, method)},`);
    }
    lines.push('  },');
  }
  lines.push('};', '');
  return new Map([['generated/methods.ts', lines.join('\n')]]);
}

function extensionOf(sources: Sources, revision: string, method: Method): string | undefined {
  const core = sources.models[revision];
  if (core && method.definition in core.definitions) return undefined;
  return extensionsOf(sources, revision).find(
    ({ source }) => method.definition in (sources.extensionModels[source]?.definitions ?? {}),
  )?.source;
}

function isCacheable({ models }: Sources, revision: string, { result }: Method): boolean {
  const type = result === undefined ? undefined : models[revision]?.definitions[result]?.type;
  return type?.kind === 'object' && 'ttlMs' in type.properties && 'cacheScope' in type.properties;
}

function methodLiteral(sources: Sources, revision: string, method: Method): string {
  const extension = extensionOf(sources, revision, method);
  const parts = [`kind: '${method.kind}'`, `definition: '${method.definition}'`];
  if (method.result !== undefined) parts.push(`result: '${method.result}'`);
  parts.push(`senders: [${method.senders.map((s) => `'${s}'`).join(', ')}]`);
  if (extension !== undefined) parts.push(`extension: '${extension}'`);
  if (isCacheable(sources, revision, method)) parts.push('cacheable: true');
  return `{ ${parts.join(', ')} }`;
}

export function emitConstants(sources: Sources): Map<string, string> {
  const lines = [
    header('the constants of schemas/*/schema.ts'),
    "import type { Revision } from './revisions.js';",
    '',
    'export const CONSTANTS: Readonly<Record<Revision, Readonly<Record<string, string | number>>>> = {',
  ];
  for (const { revision } of sources.revisions) {
    lines.push(`  '${revision}': {`);
    for (const [name, value] of Object.entries(sources.models[revision]?.constants ?? {})) {
      lines.push(`    ${name}: ${typeof value === 'string' ? `'${value}'` : value},`);
    }
    lines.push('  },');
  }
  lines.push('};', '');
  return new Map([['generated/constants.ts', lines.join('\n')]]);
}
