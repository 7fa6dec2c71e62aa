/**
 * A command line as a tool. It is never read by a shell: every argument of the process is made of one
 * template, whatever the value holds.
 */
import type { CallToolResult } from '../../../generated/newest/types.js';
import { isNumber, parseJson } from '../../protocol/json.js';
import { ArgumentsRefused, type Bare } from '../backend.js';
import { failedCall } from '../http/result.js';
import { textOf } from '../text.js';
import { DEFAULT_MAX_OUTPUT, DEFAULT_TIMEOUT, type CommandAdapter } from './options.js';
import { ProcessFailure, runProcess } from './process.js';
import type { Runner } from './runner.js';
import { Template } from './template.js';

type Args = Readonly<Record<string, unknown>>;

export class CommandRunner implements Runner {
  readonly names: readonly string[];
  readonly #groups: readonly (readonly Template[])[];
  readonly #stdin: Template | undefined;

  /** Throws an `Error` for a template that is none. */
  constructor(private readonly adapter: CommandAdapter) {
    const { args, stdin } = adapter;
    this.#groups = args.map((group) =>
      (typeof group === 'string' ? [group] : group).map((text) => new Template(text)),
    );
    this.#stdin = stdin === undefined ? undefined : new Template(stdin);
    this.names = [...this.#groups.flat(), ...(this.#stdin ?? { names: [] }).names].flatMap((one) =>
      typeof one === 'string' ? [one] : one.names,
    );
  }

  async run(args: Args, signal: AbortSignal): Promise<Bare<CallToolResult>> {
    const { command, cwd, env, timeout, maxOutput, outputSchema } = this.adapter;
    try {
      const { code, stdout, stderr } = await runProcess({
        command,
        args: this.#arguments(args),
        stdin: this.#stdin?.fill((name) => given(args, name) ?? ''),
        cwd,
        env,
        timeout: timeout ?? DEFAULT_TIMEOUT,
        maxOutput: maxOutput ?? DEFAULT_MAX_OUTPUT,
        signal,
      });
      if (code !== 0) {
        const parts = [`${command} exited with code ${code}`, stderr, stdout];
        return failedCall(parts.filter((part) => part !== '').join('\n'));
      }
      const content: CallToolResult['content'] = [{ type: 'text', text: stdout }];
      return outputSchema === undefined ? { content } : structured(stdout, content);
    } catch (error) {
      if (error instanceof ProcessFailure) return failedCall(error.message);
      throw error;
    }
  }

  #arguments(args: Args): string[] {
    const words: string[] = [];
    for (const group of this.#groups) {
      const parts = group.map((template) => wordsOf(template, args, words.includes('--')));
      if (!parts.includes(undefined)) for (const part of parts) words.push(...(part ?? []));
    }
    return words;
  }

  async close(): Promise<void> {
    // Each call has ended its own process.
  }
}

/** A list fills a placeholder that stands alone with one argument an item. */
function wordsOf(template: Template, args: Args, operands: boolean): string[] | undefined {
  const { only } = template;
  const value = only !== undefined && Object.hasOwn(args, only) ? args[only] : undefined;
  if (Array.isArray(value))
    return value.map((item) => safe(textOf(item), template, item, operands));
  const text = template.fill((name) => given(args, name));
  return text === undefined ? undefined : [safe(text, template, value, operands)];
}

/** A value must not turn into an option of the command: what follows `--` cannot be one. */
function safe(text: string, template: Template, value: unknown, operands: boolean): string {
  if (text.includes('\0')) throw new ArgumentsRefused('an argument cannot hold a NUL character');
  const isOption = template.startsOpen && text.startsWith('-') && text !== '-';
  if (!isOption || operands || isNumber(value)) return text;
  throw new ArgumentsRefused(
    `${template.source} cannot begin with "-": the command would take it for an option`,
  );
}

function given(args: Args, name: string): string | undefined {
  return Object.hasOwn(args, name) ? textOf(args[name]) : undefined;
}

function structured(stdout: string, content: CallToolResult['content']): Bare<CallToolResult> {
  try {
    return { content, structuredContent: parseJson(stdout) };
  } catch {
    return { content };
  }
}
