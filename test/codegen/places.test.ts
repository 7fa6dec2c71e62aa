import { describe, expect, test } from 'vitest';
import type { ObjectNode } from '../../codegen/model.js';
import { Places } from '../../codegen/places/places.js';
import { readSources } from '../../codegen/sources.js';

const places = new Places(readSources(new URL('../../', import.meta.url).pathname));

function foreign(revision: string, definition: string, ...path: string[]): string[] {
  let type = places.models[revision]?.definitions[definition]?.type;
  for (const step of path) type = (type as ObjectNode).properties[step]?.type;
  if (type?.kind !== 'object') throw new Error(`${revision} ${definition} is no object`);
  return places.foreign(revision, type);
}

describe('foreign at a place is what another revision declares there', () => {
  test.each([
    ['2024-11-05', ['_meta', 'annotations', 'execution', 'icons', 'outputSchema', 'title']],
    ['2025-03-26', ['_meta', 'execution', 'icons', 'outputSchema', 'title']],
    ['2025-06-18', ['execution', 'icons']],
    ['2025-11-25', []],
    ['2026-07-28', ['execution']],
  ])('a tool, to %s', (revision, expected) => {
    expect(foreign(revision, 'Tool')).toEqual(expected);
  });

  test('an inline object meets the named one that replaced it', () => {
    expect(foreign('2024-11-05', 'ProgressNotification', 'params')).toEqual(['message']);
    expect(foreign('2024-11-05', 'CallToolRequest', 'params')).toEqual([
      'inputResponses',
      'requestState',
      'task',
    ]);
  });

  test('a definition meets its later name', () => {
    expect(foreign('2025-06-18', 'EnumSchema')).toContain('default');
    expect(foreign('2025-11-25', 'InitializeResult')).toEqual([
      'cacheScope',
      'resultType',
      'supportedVersions',
      'ttlMs',
    ]);
  });

  test('a lone object meets the member of the union it became, and knows the other members', () => {
    expect(foreign('2025-06-18', 'ElicitRequest', 'params')).toEqual([
      'elicitationId',
      'mode',
      'task',
      'url',
    ]);
  });

  test('what a missing member of a union alone has is foreign to those of the same type', () => {
    expect(foreign('2025-06-18', 'StringSchema')).toEqual(['default', 'oneOf']);
    expect(foreign('2025-06-18', 'BooleanSchema')).toEqual([]);
  });

  test('nothing is foreign in a schema an author wrote', () => {
    for (const revision of places.revisions) {
      expect(foreign(revision, 'Tool', 'inputSchema')).toEqual([]);
    }
  });

  test('the envelope of a message is foreign to none', () => {
    expect(foreign('2024-11-05', 'CallToolRequest')).toEqual([]);
  });

  test('_meta of params is declared by every revision, of a tool from 2025-06-18', () => {
    for (const revision of places.revisions.slice(0, 3)) {
      expect(foreign(revision, 'CallToolRequest', 'params')).not.toContain('_meta');
    }
  });

  test('a reserved key is foreign wherever the revision does not reserve it', () => {
    expect(foreign('2025-06-18', 'CallToolResult', '_meta')).toEqual([
      'io.modelcontextprotocol/related-task',
      'io.modelcontextprotocol/serverInfo',
    ]);
    expect(foreign('2025-11-25', 'CallToolResult', '_meta')).toEqual([
      'io.modelcontextprotocol/serverInfo',
    ]);
  });

  test('tasks of the extension and of 2025-11-25 are not the same thing', () => {
    expect(foreign('2025-11-25', 'Task')).toEqual([]);
    expect(foreign('2026-07-28', 'Task')).toEqual([]);
  });
});
