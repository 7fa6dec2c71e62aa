import { describe, expect, test } from 'vitest';
import { REVISIONS } from '../../generated/revisions.js';
import { changesBetween } from '../../src/audit/changes.js';
import { changesAsMarkdown, changesAsText } from '../../src/audit/changes-text.js';
import { matrixAsMarkdown, matrixAsText, matrixOf } from '../../src/audit/matrix-text.js';

describe('changes', () => {
  test('of one message say what the edge does about each', () => {
    const text = changesAsText(
      changesBetween('2024-11-05', '2025-03-26', { method: 'tools/call' }),
    );
    expect(text).toContain('+ content[]  AudioContent');
    expect(text).toContain('peers of 2024-11-05: converted by audioAsText. A text block says');
    expect(text).not.toContain('tools/list');
  });

  test('backwards are the same, turned round', () => {
    const filter = { method: 'tools/list' };
    const there = changesBetween('2025-11-25', '2026-07-28', filter).messages;
    const back = changesBetween('2026-07-28', '2025-11-25', filter).messages;
    const flip = { added: 'removed', removed: 'added' } as Record<string, string>;
    expect(back.flatMap(({ changes }) => changes)).toEqual(
      there.flatMap(({ changes }) =>
        changes.map(({ path, kind, was, now, edge }) => ({
          path,
          kind: flip[kind] ?? kind,
          ...(now !== undefined && { was: now }),
          ...(was !== undefined && { now: was }),
          edge,
        })),
      ),
    );
  });

  test('of one sender leave the other one out', () => {
    const { messages, methods } = changesBetween('2024-11-05', '2026-07-28', { sender: 'client' });
    for (const { senders } of messages) expect(senders).toContain('client');
    expect(messages.length).toBeGreaterThan(5);
    expect(methods.map(({ method }) => method)).not.toContain('notifications/elicitation/complete');
  });

  test('of a revision with itself are none, in words', () => {
    expect(changesAsText(changesBetween('2025-06-18', '2025-06-18'))).toBe(
      'Nothing of this changed from 2025-06-18 to 2025-06-18.\n',
    );
  });

  test('between any two revisions can be had in Markdown, a row for each', () => {
    for (const { revision: from } of REVISIONS) {
      for (const { revision: to } of REVISIONS) {
        const changes = changesBetween(from, to);
        const rows = changesAsMarkdown(changes)
          .split('\n')
          .filter((line) => line.startsWith('| `') || line.startsWith('| itself'));
        const expected =
          changes.methods.length +
          changes.constants.length +
          changes.messages.reduce((sum, message) => sum + message.changes.length, 0);
        expect(rows.length).toBe(expected);
      }
    }
  });
});

describe('the matrix', () => {
  test('of one message has the definitions it is made of', () => {
    const { definitions, methods } = matrixOf('tools/list');
    expect(Object.keys(methods)).toEqual(['tools/list']);
    expect(Object.keys(definitions)).toEqual(
      expect.arrayContaining(['Tool', 'ListToolsResult', 'Icon']),
    );
    expect(Object.keys(definitions)).not.toContain('Prompt');
  });

  test('says of each revision whether a field is required, optional or not there', () => {
    const row = matrixAsText(matrixOf('tools/list'))
      .split('\n')
      .find((line) => line.startsWith('Tool.title '));
    expect(row?.split(/\s+/).slice(1)).toEqual(['-', '-', 'opt', 'opt', 'opt', 'string']);
    expect(matrixAsMarkdown(matrixOf('tools/list'))).toContain(
      '| Tool.title | - | - | opt | opt | opt | string |',
    );
  });
});
