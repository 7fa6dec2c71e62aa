/** An HTTP call as a tool. */
import { Agent } from 'undici';
import type { CallToolResult } from '../../../generated/newest/types.js';
import { stringifyJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { ArgumentsRefused, type Bare } from '../backend.js';
import {
  HttpFailure,
  exchange,
  type HttpBody,
  type HttpLimits,
  type HttpRequest,
} from '../http/exchange.js';
import { hasDotSegment } from '../http/path.js';
import { failedCall, httpResult } from '../http/result.js';
import { textOf } from '../text.js';
import { DEFAULT_MAX_OUTPUT, DEFAULT_TIMEOUT, type HttpAdapter } from './options.js';
import type { Runner } from './runner.js';
import { Template } from './template.js';

type Args = Readonly<Record<string, unknown>>;

/** JSON whose texts are templates. */
type BodyTemplate = Template | BodyTemplate[] | { [key: string]: BodyTemplate } | JsonAtom;
type JsonAtom = number | boolean | null;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export class HttpRunner implements Runner {
  readonly names: readonly string[];
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  readonly #limits: HttpLimits;
  readonly #method: string;
  readonly #url: UrlTemplate;
  readonly #headers: readonly (readonly [string, Template])[];
  readonly #body: BodyTemplate | undefined;

  /** Throws an `Error` for a URL, a method or a template that is none. */
  constructor({ url, method, headers, body, timeout, maxOutput }: HttpAdapter) {
    this.#limits = {
      timeout: timeout ?? DEFAULT_TIMEOUT,
      maxBytes: maxOutput ?? DEFAULT_MAX_OUTPUT,
    };
    this.#method = (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
    if (!METHODS.includes(this.#method)) {
      throw new Error(`the method ${this.#method} is not among ${METHODS.join(', ')}`);
    }
    this.#url = new UrlTemplate(url);
    this.#headers = Object.entries(headers).map(
      ([name, value]) => [name.toLowerCase(), new Template(value)] as const,
    );
    this.#body = body === undefined ? undefined : bodyTemplate(body);
    this.names = [
      ...this.#url.names,
      ...this.#headers.flatMap(([, template]) => template.names),
      ...namesIn(this.#body),
    ];
  }

  async run(args: Args, signal: AbortSignal): Promise<Bare<CallToolResult>> {
    const request = this.#request(args);
    try {
      const response = await exchange(request, this.#limits, this.#agent, signal);
      return httpResult(response, request.url.href);
    } catch (error) {
      if (error instanceof HttpFailure) return failedCall(error.message);
      throw error;
    }
  }

  #request(args: Args): HttpRequest {
    const headers: Record<string, string> = {};
    for (const [name, template] of this.#headers) {
      const value = template.fill((placeholder) => given(args, placeholder));
      if (value === undefined) continue;
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
        throw new ArgumentsRefused(`the header ${name} would have characters it cannot hold`);
      }
      headers[name] = value;
    }
    const body = this.#body === undefined ? undefined : bodyOf(this.#body, args);
    return {
      method: this.#method,
      url: this.#url.fill(args),
      headers: {},
      // They may hold a secret, and are all meant for this host only.
      credentials: { headers, query: [], cookies: [] },
      ...(body === undefined ? {} : { body }),
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Values are encoded wherever they stand, so none can lead to another place. */
class UrlTemplate {
  readonly names: readonly string[];
  readonly #base: string;
  readonly #path: Template;
  readonly #query: readonly Template[];

  constructor(url: string) {
    const [, base, path = '', query = ''] =
      /^(https?:\/\/[^/?#{}]+)(\/[^?#]*)?(?:\?([^#]*))?$/i.exec(url) ?? [];
    if (base === undefined || !URL.canParse(base)) {
      throw new Error(
        `${JSON.stringify(url)} is no http or https URL whose placeholders are in its path and query`,
      );
    }
    this.#base = base;
    this.#path = new Template(path);
    this.#query = query === '' ? [] : query.split('&').map((pair) => new Template(pair));
    this.names = [this.#path, ...this.#query].flatMap((template) => template.names);
  }

  /** A pair of the query whose value is not given is left out; in the path every value is needed. */
  fill(args: Args): URL {
    const path = this.#path.fill((name) => encodedValue(args, name));
    if (path === undefined || hasDotSegment(path)) {
      const names = this.#path.names.join(', ');
      throw new ArgumentsRefused(
        `${names}: each is needed in the path, and cannot be empty, "." or ".."`,
      );
    }
    const pairs = this.#query.flatMap(
      (template) => template.fill((name) => encodedValue(args, name, true)) ?? [],
    );
    const url = new URL(this.#base + path);
    url.search = pairs.join('&');
    return url;
  }
}

function encodedValue(args: Args, name: string, mayBeEmpty = false): string | undefined {
  const text = given(args, name);
  if (text === undefined || (text === '' && !mayBeEmpty)) return undefined;
  try {
    return encodeURIComponent(text);
  } catch {
    throw new ArgumentsRefused(`${name} holds half of a surrogate pair, which cannot be sent`);
  }
}

function bodyTemplate(body: unknown): BodyTemplate {
  if (typeof body === 'string') return new Template(body);
  if (Array.isArray(body)) return body.map(bodyTemplate);
  if (!isObject(body)) return body as JsonAtom;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, bodyTemplate(value)]));
}

function namesIn(template: BodyTemplate | undefined): string[] {
  if (template instanceof Template) return template.names;
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap((part: BodyTemplate) => namesIn(part));
}

function bodyOf(template: BodyTemplate, args: Args): HttpBody | undefined {
  if (template instanceof Template) {
    const payload = template.fill((name) => given(args, name) ?? '') ?? '';
    return { contentType: 'text/plain; charset=utf-8', payload };
  }
  const value = filled(template, args);
  return { contentType: 'application/json', payload: stringifyJson(value) };
}

/** A text that is one placeholder becomes the value itself; members without a value are left out. */
function filled(template: BodyTemplate, args: Args): unknown {
  if (template instanceof Template) {
    const { only } = template;
    if (only === undefined) return template.fill((name) => given(args, name));
    return Object.hasOwn(args, only) ? args[only] : undefined;
  }
  if (Array.isArray(template)) {
    return template.map((item) => filled(item, args)).filter((item) => item !== undefined);
  }
  if (typeof template !== 'object' || template === null) return template;
  const entries = Object.entries(template).map(([key, item]) => [key, filled(item, args)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function given(args: Args, name: string): string | undefined {
  return Object.hasOwn(args, name) ? textOf(args[name]) : undefined;
}
