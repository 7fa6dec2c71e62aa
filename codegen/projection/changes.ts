/** What gets lost on the way from the newest shape to a revision, as plain data. */
import type { Sender } from '../model.js';

export type ChangeKind =
  /** A property that the revision does not have. */
  | 'field'
  /** A member of a union that the revision does not have. */
  | 'member'
  /** Values that the revision does not take. */
  | 'type'
  /** A property that the revision requires and the newest one does not. */
  | 'required'
  /** A method that the revision does not have. */
  | 'method';

export interface Change {
  kind: ChangeKind;
  /** `Tool.icons`, `ContentBlock/AudioContent`, `tools/call`. */
  at: string;
  revision: string;
  /** In words: `any → object`. */
  detail: string;
  /** Messages in which it occurs, sorted; of a method change, the method itself. */
  messages: Carrier[];
}

/** A message mcpx sends: params of a request or a notification, or the result of a request. */
export interface Carrier {
  method: string;
  part: 'request' | 'notification' | 'result';
  sender: Sender;
}

export function carrierText({ method, part, sender }: Carrier): string {
  return `${part} ${method} (${sender})`;
}
