/** Media types, as far as bodies are told apart by them. */

/** `Application/JSON; charset=utf-8` → `application/json`; empty where there is none. */
export function essence(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJson(type: string): boolean {
  return /^[^/]+\/(?:[^/]+\+)?json$/.test(essence(type));
}

const TEXTUAL =
  /^(?:text\/.*|[^/]+\/(?:[^/]+\+)?(?:xml|yaml)|application\/(?:x-yaml|javascript|graphql|x-ndjson|sql|toml|x-www-form-urlencoded))$/;

export function isText(type: string): boolean {
  return TEXTUAL.test(essence(type));
}

/** The text that the bytes are, in the charset the type names; UTF-8 where it names none that is known. */
export function decoded(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
