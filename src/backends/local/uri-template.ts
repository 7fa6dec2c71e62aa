/**
 * Matches a URI against a template (RFC 6570): the expressions that servers use in practice, which are
 * `{name}`, `{+path}`, `{/name}` and `{?query,names}`. Without `*` and `:3`.
 */

export type Variables = Readonly<Record<string, string>>;

const EXPRESSION = /\{([^{}]*)\}/g;
const NAME = /^[A-Za-z0-9_.%]+$/;

/** Throws an `Error` for a template that it cannot match. */
export function compileTemplate(template: string): (uri: string) => Variables | undefined {
  const names: string[] = [];
  const queryNames: string[] = [];
  let pattern = '';
  let at = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    pattern += escaped(template.slice(at, match.index));
    pattern += expression(template, match[1] ?? '', names, queryNames);
    at = match.index + match[0].length;
  }
  const rest = template.slice(at);
  if (/[{}]/.test(rest))
    throw new Error(`URI template ${template}: a brace without its other half`);
  const matcher = new RegExp(`^${pattern}${escaped(rest)}$`, 's');
  return (uri) => {
    const found = matcher.exec(uri);
    if (found === null) return undefined;
    try {
      return variables(found, names, queryNames);
    } catch {
      // A percent sign that encodes nothing: no URI that the template could have made.
      return undefined;
    }
  };
}

function expression(template: string, body: string, names: string[], queryNames: string[]): string {
  const [, operator = '', list = ''] = /^([+/?]?)(.*)$/s.exec(body) ?? [];
  const given = list.split(',');
  if (!given.every((name) => NAME.test(name))) {
    throw new Error(
      `URI template ${template}: {${body}} is not supported; {name}, {+name}, {/name} and {?name,name} are`,
    );
  }
  if (operator === '?') {
    queryNames.push(...given);
    // Kept as one group: query parameters come in any order, and may be missing.
    names.push('');
    return '(\\?[^#]*)?';
  }
  names.push(...given);
  const one = operator === '+' ? '(.+?)' : '([^/?#,]+)';
  if (operator === '/') return given.map(() => `/${one}`).join('');
  return given.map(() => one).join(',');
}

function variables(
  found: RegExpExecArray,
  names: readonly string[],
  queryNames: readonly string[],
): Variables {
  const values = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const value = found[at + 1];
    if (name === '') {
      const query = new URLSearchParams(value ?? '');
      for (const key of queryNames) {
        const given = query.get(key);
        if (given !== null) values.set(key, given);
      }
    } else if (value !== undefined) {
      values.set(name, decodeURIComponent(value));
    }
  }
  return Object.fromEntries(values);
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
