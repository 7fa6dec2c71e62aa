/** `${NAME}`, `${NAME:-default}` and `${env:NAME}`, as MCP hosts write them in their configuration. */
import { ConfigProblem } from './problem.js';

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** What an editor would ask its user for. */
const INPUT = /\$\{input:([^}]*)\}/;

/** Throws `ConfigProblem` for a variable that is not set and has no default, and for what only an editor has. */
export function expand(text: string, env: NodeJS.ProcessEnv, where: string): string {
  const input = INPUT.exec(text);
  if (input !== null) {
    const what = `\${input:${input[1]}} is asked for by an editor; mcpx takes \${NAME} from the environment`;
    throw new ConfigProblem(where, what);
  }
  return text.replace(REFERENCE, (_all, name: string, fallback: string | undefined) => {
    const value = env[name] ?? fallback;
    if (value === undefined) {
      throw new ConfigProblem(where, `the environment variable ${name} is not set`);
    }
    return value;
  });
}
