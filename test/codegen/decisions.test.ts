import { describe, expect, test } from 'vitest';
import { bindDecisions } from '../../codegen/decisions/bind.js';
import { decide } from '../../codegen/decisions/decision.js';
import { DECISIONS } from '../../codegen/decisions/table.js';
import { Places } from '../../codegen/places/places.js';
import { draftProjection } from '../../codegen/projection/table-of.js';
import { readSources } from '../../codegen/sources.js';
import { CONVERSIONS } from '../../src/edge/conversions/index.js';

const sources = readSources(new URL('../../', import.meta.url).pathname);
const places = new Places(sources);
const drafted = places.revisions.map((revision) => draftProjection(sources, places, revision));
const changes = drafted.flatMap((draft) => draft.changes);

const without = (at: string) => DECISIONS.filter((decision) => !decision.at.includes(at));

describe('every loss is decided', () => {
  test('and every decision concerns a loss', () => {
    expect(decide(changes, DECISIONS)).toHaveLength(changes.length);
  });

  test('one without a decision is named with who sends it and to which revisions', () => {
    expect(() => decide(changes, without('Tool.execution'))).toThrow(
      [
        '1 lossy changes need a decision in codegen/decisions/table.ts:',
        '  - [ ] field Tool.execution: is not defined',
        '        for peers of 2024-11-05, 2025-03-26, 2025-06-18, 2026-07-28',
        '        sent in result tools/list (server)',
      ].join('\n'),
    );
  });

  test('a decision about nothing is named', () => {
    const stray = { kind: 'field', at: ['Tool.nothing'], outcome: 'drop', reason: '' } as const;
    expect(() => decide(changes, [...DECISIONS, stray])).toThrow(
      'concern nothing that changes:\n  - field Tool.nothing',
    );
  });

  test('a conversion bound to a place that is not there is refused', () => {
    const [first] = drafted;
    if (first === undefined) throw new Error('no revision');
    const moved = DECISIONS.map((decision) =>
      decision.at.includes('ContentBlock/AudioContent')
        ? { ...decision, outcome: { convert: 'audioAsText', on: 'Nowhere' } }
        : decision,
    );
    const decided = decide(changes, moved).filter((d) => d.change.revision === first.revision);
    expect(() => bindDecisions(first, decided)).toThrow('binds audioAsText to Nowhere');
  });
});

test('each conversion is bound to a place, and each that is bound exists', () => {
  const bound = DECISIONS.flatMap(({ outcome }) =>
    typeof outcome === 'string' ? [] : [outcome.convert],
  );
  expect([...new Set(bound)].sort()).toEqual(Object.keys(CONVERSIONS).sort());
});

test('each decision gives its reason in a sentence', () => {
  for (const { reason } of DECISIONS) expect(reason).toMatch(/^[\dA-Z`].{15,}\.$/);
});

test.each([
  ['2025-11-25', ['ServerCapabilities.extensions', 'ListToolsResult.ttlMs']],
  ['2025-06-18', ['Tool.icons', 'Implementation.websiteUrl', 'StringSchema.default']],
  ['2025-03-26', ['Tool.title', 'Tool._meta', 'Annotations.lastModified', 'Tool.outputSchema']],
  ['2024-11-05', ['Tool.annotations', 'ProgressNotificationParams.message']],
])(
  'what %s is the last one not to have is dropped for it, not for its successor',
  (revision, fields) => {
    const lost = (of: string | undefined): string[] =>
      changes
        .filter((change) => change.revision === of && change.kind === 'field')
        .map((c) => c.at);
    const successor = places.revisions[places.revisions.indexOf(revision) + 1];
    expect(lost(revision)).toEqual(expect.arrayContaining(fields));
    for (const field of fields) expect(lost(successor)).not.toContain(field);
  },
);
