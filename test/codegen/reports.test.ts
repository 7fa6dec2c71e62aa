import { describe, expect, test } from 'vitest';
import { diffRevisions } from '../../codegen/diff/diff.js';
import { Effects } from '../../codegen/diff/effects.js';
import { decide } from '../../codegen/decisions/decision.js';
import { DECISIONS } from '../../codegen/decisions/table.js';
import { draftProjection } from '../../codegen/projection/table-of.js';
import { Places } from '../../codegen/places/places.js';
import { matrixOf } from '../../codegen/reports/matrix.js';
import { readSources } from '../../codegen/sources.js';

const sources = readSources(new URL('../../', import.meta.url).pathname);
const places = new Places(sources);

describe('a diff', () => {
  const changesOf = (from: string, to: string, method: string, part: string) =>
    diffRevisions(places, from, to).messages.find((m) => m.method === method && m.part === part)
      ?.changes;

  test('names the fields that came, by their path in the message', () => {
    expect(changesOf('2025-06-18', '2025-11-25', 'tools/list', 'result')).toContainEqual({
      path: 'tools[].icons',
      kind: 'added',
      now: 'optional Icon[]',
    });
  });

  test('names the fields that went, with what they were', () => {
    expect(changesOf('2025-11-25', '2026-07-28', 'tools/list', 'result')).toContainEqual({
      path: 'tools[].execution',
      kind: 'removed',
      was: 'optional ToolExecution',
    });
  });

  test('names members of unions that came', () => {
    expect(changesOf('2024-11-05', '2025-03-26', 'tools/call', 'result')).toContainEqual({
      path: 'content[]',
      kind: 'union',
      now: 'AudioContent',
    });
  });

  test('names what became required, and types that changed', () => {
    const request = changesOf('2025-11-25', '2026-07-28', 'tools/call', 'request');
    expect(request).toContainEqual({
      path: '_meta',
      kind: 'optionality',
      was: 'optional',
      now: 'required',
    });
    expect(changesOf('2025-11-25', '2026-07-28', 'tools/call', 'result')).toContainEqual({
      path: 'structuredContent',
      kind: 'type',
      was: 'object',
      now: 'any',
    });
  });

  test('names methods that came, went and changed hands, and constants', () => {
    const { methods, constants } = diffRevisions(places, '2025-11-25', '2026-07-28');
    const change = (method: string) => methods.find((m) => m.method === method)?.change;
    expect(change('server/discover')).toBe('added');
    expect(change('ping')).toBe('removed');
    expect(change('elicitation/create')).toBe('changed');
    expect(constants.map(({ path }) => path)).toContain('LATEST_PROTOCOL_VERSION');
  });

  test('of a revision with itself is empty', () => {
    const { methods, messages, constants } = diffRevisions(places, '2025-06-18', '2025-06-18');
    expect({ methods, messages, constants }).toEqual({ methods: [], messages: [], constants: [] });
  });
});

describe('a diff with effects', () => {
  const drafted = places.revisions.map((revision) => draftProjection(sources, places, revision));
  const effects = new Effects(
    decide(
      drafted.flatMap(({ changes }) => changes),
      DECISIONS,
    ),
  );
  const outcomes = (from: string, to: string, method: string, part: string, path: string) =>
    diffRevisions(places, from, to, effects)
      .messages.find((m) => m.method === method && m.part === part)
      ?.changes.filter((change) => change.path === path)
      .flatMap(({ edge = [] }) =>
        edge.map(({ peer, outcome, conversion = '' }) => [peer, outcome, conversion].join(' ')),
      );

  test.each([
    ['2025-06-18', '2025-11-25', 'tools/list', 'result', 'tools[].icons', '2025-06-18 dropped '],
    [
      '2024-11-05',
      '2025-03-26',
      'tools/call',
      'result',
      'content[]',
      '2024-11-05 converted audioAsText',
    ],
    [
      '2025-06-18',
      '2025-11-25',
      'sampling/createMessage',
      'request',
      'tools',
      '2025-06-18 refused refuseSamplingTools',
    ],
    [
      '2025-11-25',
      '2026-07-28',
      'tools/list',
      'result',
      'tools[].execution',
      '2026-07-28 dropped ',
    ],
    [
      '2025-11-25',
      '2026-07-28',
      'tools/list',
      'result',
      'tools[].inputSchema.properties',
      '2026-07-28 kept ',
    ],
  ])('from %s to %s, %s %s: %s is %s', (from, to, method, part, path, outcome) => {
    expect(outcomes(from, to, method, part, path)).toEqual([outcome]);
  });

  test('says something of every change, with a reason', () => {
    const { methods, messages } = diffRevisions(places, '2024-11-05', '2026-07-28', effects);
    const all = [...methods, ...messages.flatMap(({ changes }) => changes)];
    for (const { edge = [] } of all) {
      expect(edge.length).toBeGreaterThan(0);
      for (const { reason } of edge) expect(reason).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

describe('the matrix', () => {
  const matrix = matrixOf(sources, places);

  test('says since when and until when a field exists', () => {
    expect(matrix.definitions['Tool']?.fields['title']).toMatchObject({ since: '2025-06-18' });
    expect(matrix.definitions['Tool']?.fields['title']).not.toHaveProperty('until');
    expect(matrix.definitions['Tool']?.fields['execution']).toMatchObject({
      since: '2025-11-25',
      until: '2026-07-28',
    });
  });

  test('counts an inline object with the definition that took its place', () => {
    const fields = matrix.definitions['CallToolRequestParams']?.fields;
    expect(Object.keys(fields?.['name']?.in ?? {})).toEqual(places.revisions);
  });

  test('says of a message who sends it', () => {
    expect(matrix.definitions['CallToolRequest']?.message).toEqual({
      method: 'tools/call',
      senders: ['client'],
    });
  });

  test('says of a method in which revisions it exists', () => {
    expect(Object.keys(matrix.methods['elicitation/create']?.in ?? {})).toEqual([
      '2025-06-18',
      '2025-11-25',
      '2026-07-28',
    ]);
    expect(matrix.methods['ping']).toMatchObject({ since: '2024-11-05', until: '2026-07-28' });
  });
});
