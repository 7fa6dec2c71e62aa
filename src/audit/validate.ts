/** A text of messages, or of values of one definition, to everything that is wrong with them. */
import type { Revision } from '../../generated/revisions.js';
import { finding, loadJudge } from './judge.js';
import { judgeType } from './judge-type.js';
import { AuditedSession, type Judged } from './session.js';
import { asItIs, readTranscript, type Entry } from './transcript.js';

export interface ValidateOptions {
  readonly revision?: Revision;
  /** A definition, where the values are no messages. */
  readonly as?: string;
  /** Of results without their requests: the method that they answer. */
  readonly method?: string;
  readonly strict: boolean;
}

export interface Validated extends Judged {
  readonly line: number;
  readonly index?: number;
}

/** In the order of the text. Throws where the revision lacks the definition that is asked for. */
export async function validateText(text: string, options: ValidateOptions): Promise<Validated[]> {
  const { as: definition, revision, method, strict } = options;
  if (definition !== undefined) {
    if (revision === undefined) throw new Error('a definition is of a revision: name it');
    const { entries } = readTranscript(text, asItIs);
    return entries.map((entry) => at(entry, typed(revision, definition, entry, strict)));
  }
  const { kind, entries } = readTranscript(text);
  const judge = await loadJudge(strict);
  const session = new AuditedSession(judge, {
    ...(revision !== undefined && { revision }),
    ...(method !== undefined && { method }),
    strict,
    follow: kind !== 'message',
  });
  return entries.flatMap((entry) => session.next(entry).map((judged) => at(entry, judged)));
}

function typed(revision: Revision, definition: string, entry: Entry, strict: boolean): Judged {
  const findings =
    entry.problem === undefined
      ? judgeType(revision, definition, entry.frame, strict)
      : [finding('json-syntax', '', entry.problem, strict)];
  return { revision, method: undefined, sender: undefined, findings };
}

function at({ line, index }: Entry, judged: Judged): Validated {
  return { line, ...(index !== undefined && { index }), ...judged };
}
