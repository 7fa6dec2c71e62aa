/** Diagnostics that are kept, each with its details, to be told at the end. */
import { Diagnostics } from '../../protocol/diagnostics.js';

export interface Note {
  readonly event: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Of one event; a flood of it says no more. */
const KEPT = 100;

export class NoteBook extends Diagnostics {
  readonly #notes: Note[] = [];

  override note(event: string, details: object = {}): void {
    super.note(event, details);
    if (this.count(event) <= KEPT) this.#notes.push({ event, details: { ...details } });
  }

  of(event: string): readonly Note[] {
    return this.#notes.filter((note) => note.event === event);
  }

  about(namespace: string): readonly Note[] {
    return this.#notes.filter(({ details }) => details['namespace'] === namespace);
  }
}
