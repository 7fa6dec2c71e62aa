/** The parameters of an operation, and the arguments under which a tool offers them. */
import { isObject } from '../../protocol/jsonrpc.js';
import type { JsonObject } from './document.js';
import { BrokenReference, type References } from './references.js';
import type { Note } from './schema.js';

export type Place = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Its value is written as JSON (`content` in place of `schema`). */
  readonly json: boolean;
  readonly schema: unknown;
  readonly description: string | undefined;
}

const DEFAULT_STYLE: Readonly<Record<Place, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

const STYLES: Readonly<Record<Place, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Said by other means (Parameter Object: such definitions shall be ignored). */
const NOT_PARAMETERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** What HTTP itself needs to be right. */
const NOT_FOR_CALLERS: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'],
  ...['keep-alive', 'te', 'trailer'],
]);

/** Placeholders of a path template. */
export function placeholdersOf(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]+)\}/g), (match) => match[1] ?? '');
}

/** Those of the operation overrule those of its path. `where`: the operation, for notes. */
export function parametersOf(
  pathItem: JsonObject,
  operation: JsonObject,
  path: string,
  references: References,
  note: Note,
  where: string,
): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const holder of [pathItem, operation]) {
    const listed = holder['parameters'] ?? [];
    for (const item of Array.isArray(listed) ? (listed as unknown[]) : []) {
      const parameter = readParameter(item, references, note, where);
      if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  const placeholders = placeholdersOf(path);
  const parameters = [...found.values()].filter((parameter) => {
    const used = parameter.in !== 'path' || placeholders.includes(parameter.name);
    if (!used) note(where, `the path has no place for its parameter ${parameter.name}; left out`);
    return used;
  });
  for (const name of placeholders) {
    if (found.has(`path ${name}`)) continue;
    note(where, `says nothing of {${name}} in its path; taken for a text`);
    const schema = { type: 'string' };
    found.set(`path ${name}`, { ...PLAIN, name, schema });
    parameters.push({ ...PLAIN, name, schema });
  }
  return parameters;
}

const PLAIN = {
  in: 'path',
  required: true,
  style: 'simple',
  explode: false,
  allowReserved: false,
  json: false,
  description: undefined,
} as const;

function readParameter(
  item: unknown,
  references: References,
  note: Note,
  where: string,
): Parameter | undefined {
  let given: JsonObject;
  try {
    given = references.resolve(item);
  } catch (error) {
    if (!(error instanceof BrokenReference)) throw error;
    note(where, `a parameter is left out: ${error.message}`);
    return undefined;
  }
  const { name, in: place } = given;
  if (typeof name !== 'string' || name === '' || !isPlace(place)) {
    note(where, `a parameter is left out: it has to have a name, and a place (in) among ${PLACES}`);
    return undefined;
  }
  if (place === 'header' && NOT_PARAMETERS.has(name.toLowerCase())) return undefined;
  if (place === 'header' && NOT_FOR_CALLERS.has(name.toLowerCase())) {
    note(where, `its header ${name} is left out: HTTP needs it for itself`);
    return undefined;
  }
  const style = styleOf(given['style'], place, (stated) =>
    note(
      where,
      `parameter ${name} cannot have the style ${stated} in ${place}; taken for its default`,
    ),
  );
  const content = isObject(given['content']) ? Object.values(given['content'])[0] : undefined;
  return {
    name,
    in: place,
    required: place === 'path' || given['required'] === true,
    style,
    explode: typeof given['explode'] === 'boolean' ? given['explode'] : style === 'form',
    allowReserved: given['allowReserved'] === true,
    json: isObject(content),
    schema: (isObject(content) ? content['schema'] : given['schema']) ?? {},
    description: typeof given['description'] === 'string' ? given['description'] : undefined,
  };
}

const PLACES = Object.keys(STYLES).join(', ');

function isPlace(value: unknown): value is Place {
  return typeof value === 'string' && Object.hasOwn(STYLES, value);
}

function styleOf(stated: unknown, place: Place, refused: (stated: string) => void): string {
  if (stated === undefined) return DEFAULT_STYLE[place];
  if (typeof stated === 'string' && STYLES[place].includes(stated)) return stated;
  refused(JSON.stringify(stated));
  return DEFAULT_STYLE[place];
}

const OUTSIDE_ARGUMENT = /[^A-Za-z0-9_.-]+/g;
const MAX_ARGUMENT = 64;
const PRECEDENCE: readonly Place[] = ['path', 'query', 'header', 'cookie'];

/**
 * A name for each parameter, in order, and one for the body. Model providers take letters, digits, "_",
 * "." and "-". Of two parameters of one name that of the path keeps it, and the others say where they go.
 */
export function argumentNames(parameters: readonly Parameter[]): {
  names: string[];
  body: string;
} {
  const taken = new Set<string>();
  const names = new Map<Parameter, string>();
  for (const place of PRECEDENCE) {
    for (const parameter of parameters) {
      if (parameter.in !== place) continue;
      const plain = argumentName(parameter.name);
      names.set(parameter, claim(taken, taken.has(plain) ? `${place}_${plain}` : plain));
    }
  }
  const body = claim(taken, taken.has('body') ? 'request_body' : 'body');
  return { names: parameters.map((parameter) => names.get(parameter) ?? parameter.name), body };
}

function argumentName(name: string): string {
  const plain = name.replace(OUTSIDE_ARGUMENT, '_').replace(/^_+(?=.)|(?<=.)_+$/g, '');
  return plain.slice(0, MAX_ARGUMENT);
}

function claim(taken: Set<string>, wanted: string): string {
  const short = wanted.slice(0, MAX_ARGUMENT);
  let name = short;
  for (let n = 2; taken.has(name); n++) name = `${short.slice(0, MAX_ARGUMENT - 4)}_${n}`;
  taken.add(name);
  return name;
}
