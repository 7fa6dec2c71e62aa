/** `${NAME}`, `${NAME:-default}` and `${env:NAME}`, as MCP hosts write them in their configuration. */
import { ConfigProblem } from './problem.js';

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Throws `ConfigProblem` for a variable that is not set and has no default. */
export function expand(text: string, env: NodeJS.ProcessEnv, where: string): string {
  return text.replace(REFERENCE, (_all, name: string, fallback: string | undefined) => {
    const value = env[name] ?? fallback;
    if (value === undefined) {
      throw new ConfigProblem(where, `the environment variable ${name} is not set`);
    }
    return value;
  });
}
