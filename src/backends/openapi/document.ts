/** Reads an OpenAPI 3.0 or 3.1 document: JSON or YAML, a file or a URL. It is the only thing fetched. */
import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import { parse as parseYaml } from 'yaml';
import { isDeeperThan } from '../../protocol/depth.js';
import { parseJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { exchange } from '../http/exchange.js';
import { decoded } from '../http/media-type.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly root: JsonObject;
  readonly version: '3.0' | '3.1';
  /** Where it was fetched, for relative server URLs. Undefined for a file. */
  readonly url: URL | undefined;
  readonly bytes: number;
}

/** GitHub's has 13 MB. */
const MAX_BYTES = 64 * 1024 ** 2;
/** Also what makes a YAML alias to its own parent an error. */
const MAX_DEPTH = 256;
const FETCH_TIMEOUT = 60_000;

/** Rejects with an `Error` that says what is wrong with it. */
export async function readDocument(source: string): Promise<OpenApiDocument> {
  const url = /^https?:/i.test(source) ? new URL(source) : undefined;
  const bytes = url === undefined ? await readFile(source) : await fetched(url);
  if (bytes.length > MAX_BYTES) throw new Error(`${source} has more than ${MAX_BYTES} bytes`);
  const root = parseDocument(decoded(bytes, undefined), source);
  return { root, version: versionOf(root, source), url, bytes: bytes.length };
}

async function fetched(url: URL): Promise<Buffer> {
  const agent = new Agent();
  try {
    const headers = { accept: 'application/json, application/yaml, */*;q=0.5' };
    const limits = { timeout: FETCH_TIMEOUT, maxBytes: MAX_BYTES };
    const { status, body } = await exchange({ method: 'GET', url, headers }, limits, agent);
    if (status !== 200) throw new Error(`${url.href} answered HTTP ${status}`);
    return body;
  } finally {
    await agent.destroy();
  }
}

function parseDocument(text: string, source: string): JsonObject {
  let root: unknown;
  try {
    root = text.trimStart().startsWith('{') ? parseJson(text) : parseYaml(text, { merge: true });
  } catch (error) {
    throw new Error(`${source} is neither JSON nor YAML: ${(error as Error).message}`);
  }
  if (!isObject(root)) throw new Error(`${source} is no OpenAPI document: it is not an object`);
  if (isDeeperThan(root, MAX_DEPTH)) throw new Error(`${source} nests deeper than ${MAX_DEPTH}`);
  return root;
}

function versionOf(root: JsonObject, source: string): '3.0' | '3.1' {
  const version = root['openapi'];
  const [, minor] = typeof version === 'string' ? (/^3\.([01])(?:\.|$)/.exec(version) ?? []) : [];
  if (minor !== undefined) return minor === '0' ? '3.0' : '3.1';
  const stated =
    version === undefined ? `Swagger ${JSON.stringify(root['swagger'])}` : JSON.stringify(version);
  throw new Error(`${source} has the version ${stated}; 3.0 and 3.1 can be read`);
}
