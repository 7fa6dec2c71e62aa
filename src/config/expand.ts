/** `${NAME}`, `${NAME:-default}` and `${env:NAME}`, as MCP hosts write them in their configuration. */
import type { Reading } from './reading.js';

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** What an editor would ask its user for. */
const INPUT = /\$\{input:([^}]*)\}/;

/** A mistake: a variable that is not set and has no default, and what only an editor has. */
export function expand(text: string, reading: Reading, where: string): string {
  const input = INPUT.exec(text);
  if (input !== null) {
    const what = `\${input:${input[1]}} is asked for by an editor; mcpx takes \${NAME} from the environment`;
    reading.mistake(where, what);
  }
  return text.replace(REFERENCE, (_all, name: string, fallback: string | undefined) => {
    const value = reading.env[name] ?? fallback;
    if (value === undefined) reading.mistake(where, `the environment variable ${name} is not set`);
    return value ?? '';
  });
}
