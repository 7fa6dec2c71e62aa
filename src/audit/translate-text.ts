/** A text of messages → the same for another revision. */
import { idKey, sortFrame } from '../protocol/jsonrpc.js';
import type { Step } from './trace.js';
import { readTranscript } from './transcript.js';
import { translate, type TranslateOptions, type Translated } from './translate.js';

export interface TranslatedLine extends Translated {
  /** What it was made of. */
  readonly before: unknown;
}

/** Throws, with the line, where a value is no message or where nothing says what it answers. */
export function translateText(text: string, options: TranslateOptions): TranslatedLine[] {
  const asked = new Map<string | number, string>();
  return readTranscript(text).entries.map(({ frame, line, index, problem }) => {
    const where = index === undefined ? `line ${line}` : `[${index}]`;
    if (problem !== undefined) throw new Error(`${where} cannot be read as JSON: ${problem}`);
    const sorted = sortFrame(frame);
    if (sorted.kind === 'request') asked.set(idKey(sorted.frame.id), sorted.frame.method);
    const id = sorted.kind === 'response' ? sorted.frame.id : undefined;
    const method = (id === undefined ? undefined : asked.get(idKey(id))) ?? options.method;
    try {
      const translated = translate(frame, { ...options, ...(method !== undefined && { method }) });
      return { before: frame, ...translated };
    } catch (error) {
      throw new Error(`${where} ${(error as Error).message}`);
    }
  });
}

export function stepsAsText(steps: readonly Step[]): string {
  if (steps.length === 0) return '  nothing changes\n';
  return steps
    .map(({ pointer, what, by, reason }) => `  ${pointer || '/'}: ${what} by ${by}. ${reason}\n`)
    .join('');
}
