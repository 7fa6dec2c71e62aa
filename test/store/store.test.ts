import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RawNumber } from '../../src/protocol/json.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { TaskRecord } from '../../src/store/record.js';
import { SqliteStore } from '../../src/store/sqlite.js';
import type { TaskStore } from '../../src/store/store.js';

const folder = mkdtempSync(join(tmpdir(), 'mcpx-store-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
let files = 0;
const fresh = (): string => join(folder, `${++files}.db`);

const record = (id: string, owner: string, created: number): TaskRecord => ({
  id,
  owner,
  tool: 't',
  status: 'working',
  created,
  updated: created,
  ttl: 1000,
});

describe.each<[string, () => TaskStore]>([
  ['memory', () => new MemoryStore()],
  ['SQLite', () => new SqliteStore(fresh())],
])('a store in %s', (_name, open) => {
  let store: TaskStore;
  beforeEach(() => {
    store = open();
  });
  afterEach(() => {
    store.close();
  });

  test('gives back what was put, and the last of it', () => {
    store.put(record('a', 'ann', 1));
    store.put({ ...record('a', 'ann', 1), status: 'completed', result: { content: [] } });
    expect(store.get('a')).toEqual({
      ...record('a', 'ann', 1),
      status: 'completed',
      result: { content: [] },
    });
    expect(store.size).toBe(1);
  });

  test('lists those of an owner, oldest first', () => {
    for (const [id, owner, at] of [
      ['b', 'ann', 2],
      ['a', 'ann', 3],
      ['c', 'bob', 1],
    ] as const) {
      store.put(record(id, owner, at));
    }
    expect(store.of('ann').map(({ id }) => id)).toEqual(['b', 'a']);
    expect(store.of('nobody')).toEqual([]);
    expect([...store.all()]).toHaveLength(3);
  });

  test('keeps the order of what was created at once, whatever is written again', () => {
    for (const id of ['b', 'a', 'c']) store.put(record(id, 'ann', 1));
    store.put({ ...record('b', 'ann', 1), status: 'failed' });
    expect(store.of('ann').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    expect([...store.all()].map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  test('forgets what is deleted, and knows nothing of what never was', () => {
    store.put(record('a', 'ann', 1));
    store.delete('a');
    store.delete('a');
    expect(store.get('a')).toBeUndefined();
  });

  test('keeps numbers beyond a double, and any text', () => {
    const result = { n: new RawNumber('12345678901234567890'), text: '\u0000\ud800 ünï' };
    store.put({ ...record('a', 'ann', 1), status: 'completed', result });
    const kept = store.get('a')?.result as typeof result;
    expect(kept.n.literal).toBe('12345678901234567890');
    expect(kept.text).toBe(result.text);
  });
});

describe('a SQLite file', () => {
  test('is there for the next process', () => {
    const file = fresh();
    const first = new SqliteStore(file);
    first.put(record('a', 'ann', 1));
    first.close();
    const second = new SqliteStore(file);
    expect(second.get('a')).toEqual(record('a', 'ann', 1));
    second.close();
  });

  test('that is none is refused with its name', () => {
    const file = fresh();
    writeFileSync(file, 'not a database, but long enough to look like one'.repeat(50));
    expect(() => new SqliteStore(file)).toThrow(`${file} cannot be used: `);
  });

  test('in a folder that does not exist is refused', () => {
    expect(() => new SqliteStore(join(folder, 'none', 'a.db'))).toThrow('ENOENT');
  });

  test('of another form is refused, and can be opened by who knows it', () => {
    const file = fresh();
    const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
      Database: new (file: string) => { exec(sql: string): void; close(): void };
    };
    const newer = new Database(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(() => new SqliteStore(file)).toThrow('another version of mcpx (form 99)');
    new Database(file).close();
  });

  test('is for one process at a time', () => {
    const file = fresh();
    const first = new SqliteStore(file);
    expect(() => new SqliteStore(file)).toThrow(`in use by process ${process.pid}`);
    first.close();
    new SqliteStore(file).close();
    writeFileSync(`${file}.pid`, String(process.ppid));
    expect(() => new SqliteStore(file)).toThrow(`in use by process ${process.ppid}`);
  });

  test.each([['999999999'], [String(process.pid)], ['']])(
    'that a dead process left locked is taken over (it said %j)',
    (holder) => {
      const file = fresh();
      const first = new SqliteStore(file);
      first.put(record('a', 'ann', 1));
      first.close();
      writeFileSync(`${file}.pid`, holder);
      mkdirSync(`${file}.lock`);
      const second = new SqliteStore(file);
      expect(second.get('a')).toEqual(record('a', 'ann', 1));
      second.close();
    },
  );
});
