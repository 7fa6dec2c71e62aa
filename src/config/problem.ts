/** Something wrong with what the user has written. The message is all they get to see. */
import { escapedStep } from '../protocol/pointer.js';

export interface Mistake {
  /** A JSON pointer into the file, a variable, a flag. */
  readonly where: string;
  readonly what: string;
}

export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly mistakes: readonly Mistake[];

  /** The message has a line for each mistake. */
  constructor(where: string, what: string, further: readonly Mistake[] = []) {
    const mistakes = [{ where, what }, ...further];
    super(mistakes.map((mistake) => `${mistake.where}: ${mistake.what}`).join('\n'));
    this.mistakes = mistakes;
  }
}

/** Throws them all as one `ConfigProblem`, where there are any. */
export function refuse(mistakes: readonly Mistake[]): void {
  const [first, ...further] = mistakes;
  if (first !== undefined) throw new ConfigProblem(first.where, first.what, further);
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export function pointerTo(...steps: readonly string[]): string {
  return steps.map((step) => `/${escapedStep(step)}`).join('');
}
