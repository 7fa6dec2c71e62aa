import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.js';

/** What `--help` prints, the part after the options included. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** Command lines that follow `Examples:`, which nothing else may follow. */
function examplesOf(command: Command): string[] {
  const [, after = ''] = helpOf(command).split('\nExamples:\n');
  const lines = after.split('\n').filter((line) => line !== '');
  for (const line of lines) expect(line).toMatch(/^ {2}mcpx /);
  return lines.map((line) => line.trim());
}

/** Up to where a shell would take over; quoted words are one word. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [|>] /);
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Resolves to the command that would run. Rejects where commander refuses the words. */
async function wouldRun(words: readonly string[]): Promise<string> {
  const program = createProgram();
  let reached = 'nothing';
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0) {
      command.action(() => {
        reached = command.name();
      });
    }
  }
  await program.parseAsync(words, { from: 'user' });
  return reached;
}

const commands = createProgram().commands.map((command) => command.name());

describe.each(commands)('mcpx %s --help', (name) => {
  const command = createProgram().commands.find((one) => one.name() === name);
  const examples = command === undefined ? [] : examplesOf(command);

  test('ends with examples of this command', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(wordsOf(example)[0]).toBe(name);
  });

  test.each(examples)('is right about: %s', async (example) => {
    const [first = '', second = ''] = wordsOf(example);
    const nested = command?.commands.map((one) => one.name()) ?? [];
    expect(await wouldRun(wordsOf(example))).toBe(nested.length > 0 ? second : first);
  });
});

test('an example that is wrong would be found out', async () => {
  await expect(wouldRun(['diff', '2025-06-18', '2025-11-26'])).rejects.toThrow('Expected one of');
  await expect(wouldRun(['matrix', '--mesage', 'tools/list'])).rejects.toThrow('unknown option');
});
