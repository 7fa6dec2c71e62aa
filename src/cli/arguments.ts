/** What several commands take, and how it is read. */
import { InvalidArgumentError, Option } from 'commander';
import { REVISIONS, type Revision } from '../../generated/revisions.js';
import { allMethods } from '../audit/changes.js';

const NAMES: readonly string[] = REVISIONS.map(({ revision }) => revision);

export function revisionArgument(text: string): Revision {
  if (!NAMES.includes(text)) throw new InvalidArgumentError(`Expected one of ${NAMES.join(', ')}.`);
  return text as Revision;
}

export function methodArgument(text: string): string {
  const all = allMethods();
  if (all.includes(text)) return text;
  const word = text.toLowerCase().split('/').at(-1) ?? '';
  const near = all.filter((method) => method.toLowerCase().includes(word)).slice(0, 5);
  const hint = near.length === 0 ? 'such as tools/list' : `such as ${near.join(', ')}`;
  throw new InvalidArgumentError(`Expected a method, ${hint}.`);
}

export function messageOption(): Option {
  return new Option('--message <method>', 'only what concerns this method').argParser(
    methodArgument,
  );
}

/** The first one is the default. */
export function formatOption(...formats: readonly string[]): Option {
  return new Option('--format <format>', 'how it is printed')
    .choices(formats)
    .default(formats[0] ?? 'text');
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
