/** A running mcpx, asked over its `/v1`. */
import { ConfigProblem } from '../config/problem.js';

export interface Reached {
  /** Of the server, with or without the path of an endpoint. */
  readonly url: string;
  readonly token?: string;
}

/** Rejects with `ConfigProblem` where nobody answers, and with what the server says where it refuses. */
export async function operate<T>(
  { url, token }: Reached,
  method: 'GET' | 'POST',
  path: string,
  body: object = {},
): Promise<T> {
  if (!URL.canParse(url)) throw new ConfigProblem('--url', `${url} is not a URL`);
  const { origin } = new URL(url);
  const headers = {
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const content = method === 'POST' ? { body: JSON.stringify(body) } : {};
  let response: Response;
  try {
    response = await fetch(`${origin}/v1${path}`, { method, headers, ...content });
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
    throw new ConfigProblem(
      origin,
      `cannot be reached (${why}); does mcpx serve --http run there?`,
    );
  }
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const value = /[/+]json\b/.test(type) ? (JSON.parse(text) as unknown) : undefined;
  if (response.ok && value !== undefined) return value as T;
  const { detail } = (value ?? {}) as { detail?: string };
  throw new ConfigProblem(origin, detail ?? `answers ${response.status}, and is no mcpx`);
}
