/** Something wrong with what the user has written. The message is all they get to see. */
import { escapedStep } from '../protocol/pointer.js';

export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';

  constructor(
    /** Where: a JSON pointer into the file, a variable, a flag. */
    where: string,
    what: string,
  ) {
    super(`${where}: ${what}`);
  }
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export function pointerTo(...steps: readonly string[]): string {
  return steps.map((step) => `/${escapedStep(step)}`).join('');
}
