/** Tasks in a SQLite file: a task that has ended is on disk before anybody is told. */
import { createRequire } from 'node:module';
import type { Database as SqliteDatabase } from 'node-sqlite3-wasm';
import { parseJson, stringifyJson } from '../protocol/json.js';
import { claim } from './claim.js';
import type { TaskRecord } from './record.js';
import type { TaskStore } from './store.js';

/** Incremented with the form of the table; a file of another form is refused. */
const FORM = 1;

export class SqliteStore implements TaskStore {
  readonly #database: SqliteDatabase;

  readonly #release: () => void;

  /** Throws an `Error` where the file cannot be opened, is another process's, or is none of mcpx's. */
  constructor(file: string) {
    this.#release = claim(file);
    let database: SqliteDatabase | undefined;
    try {
      database = open(file);
      prepare(database);
      this.#database = database;
    } catch (error) {
      database?.close();
      this.#release();
      throw new Error(`${file} cannot be used: ${(error as Error).message}`);
    }
  }

  get(id: string): TaskRecord | undefined {
    const row = this.#database.get('SELECT record FROM task WHERE id = ?', [id]);
    return row === null ? undefined : recordOf(row);
  }

  put(record: TaskRecord): void {
    // Replacing the row would give it a new place among those of the same millisecond.
    this.#database.run(
      `INSERT INTO task (id, owner, created, record) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
      [record.id, record.owner, record.created, stringifyJson(record)],
    );
  }

  delete(id: string): void {
    this.#database.run('DELETE FROM task WHERE id = ?', [id]);
  }

  of(owner: string): TaskRecord[] {
    const order = 'SELECT record FROM task WHERE owner = ? ORDER BY created, rowid';
    return this.#database.all(order, [owner]).map(recordOf);
  }

  all(): Iterable<TaskRecord> {
    return this.#database.all('SELECT record FROM task ORDER BY created, rowid').map(recordOf);
  }

  get size(): number {
    return Number(this.#database.get('SELECT count(*) AS n FROM task')?.['n'] ?? 0);
  }

  close(): void {
    this.#database.close();
    this.#release();
  }
}

/** Loaded only where it is wanted: compiling it takes longer than everything else at start. */
function open(file: string): SqliteDatabase {
  const sqlite = createRequire(import.meta.url)('node-sqlite3-wasm') as {
    Database: new (file: string) => SqliteDatabase;
  };
  return new sqlite.Database(file);
}

function prepare(database: SqliteDatabase): void {
  // One lock for all the time, instead of one for each statement.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL');
  const form = Number(database.get('PRAGMA user_version')?.['user_version'] ?? 0);
  if (form !== 0 && form !== FORM) {
    throw new Error(`it was written by another version of mcpx (form ${form})`);
  }
  database.exec(
    `CREATE TABLE IF NOT EXISTS task (
       id TEXT PRIMARY KEY, owner TEXT NOT NULL, created INTEGER NOT NULL, record TEXT NOT NULL
     );
     CREATE INDEX IF NOT EXISTS task_owner ON task (owner, created);
     PRAGMA user_version = ${FORM}`,
  );
}

function recordOf(row: Record<string, unknown>): TaskRecord {
  return parseJson(String(row['record'])) as TaskRecord;
}
