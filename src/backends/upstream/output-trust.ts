/**
 * Whether an upstream's tools keep what their `outputSchema` promises. A client that holds results to it
 * would fail every call of one that does not: that tool is listed without from then on.
 */
import type { CallToolResult } from '../../../generated/newest/types.js';
import { mirroredAsText } from '../../edge/conversions/text-mirror.js';
import type { Bare, Tool } from '../backend.js';
import { outputFault } from '../output-fault.js';

type Result = Bare<CallToolResult>;

export class OutputTrust {
  readonly #broken = new Set<string>();

  /** The tools as they can be listed. */
  listed(tools: readonly Tool[]): readonly Tool[] {
    if (!tools.some(({ name }) => this.#broken.has(name))) return tools;
    return tools.map((tool) => {
      if (!this.#broken.has(tool.name)) return tool;
      const { outputSchema: _broken, ...rest } = tool;
      return rest;
    });
  }

  /** What is wrong with the result, the first time that something is; undefined if nothing is. */
  judge({ name, outputSchema }: Tool, { structuredContent, isError }: Result): string | undefined {
    if (outputSchema === undefined || isError === true || this.#broken.has(name)) return undefined;
    const fault =
      structuredContent === undefined
        ? 'there is no structuredContent'
        : outputFault(outputSchema, structuredContent);
    if (fault !== undefined) this.#broken.add(name);
    return fault;
  }
}

/** Clients that read texts alone would see an empty answer (server/tools, structured content). */
export function withTextMirror(result: Result): Result {
  const { content, structuredContent } = result;
  if (structuredContent === undefined || content.some(({ type }) => type === 'text')) return result;
  return { ...result, content: mirroredAsText(content, structuredContent) as Result['content'] };
}
