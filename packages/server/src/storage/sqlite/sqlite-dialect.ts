// A Kysely dialect over one SQLite thread. Callers queue for the connection; a dead thread is replaced.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from '#kysely';
import { isLockedCode, SqliteError, SqliteThread, type SqliteThreadOptions } from './sqlite-thread.ts';

const WAITING_MAX = 10_000;
/** Breaks the deadlock of a transaction that waits for a statement outside itself. */
const WAITING_MS_MAX = 30_000;

/** A caller in the queue for the connection. */
interface Waiting {
  wake(): void;
  fail(cause: Error): void;
}

class SqliteConnection implements DatabaseConnection {
  readonly thread: SqliteThread;
  readonly #onLocked: (cause: SqliteError) => void;
  constructor(thread: SqliteThread, onLocked: (cause: SqliteError) => void) {
    this.thread = thread;
    this.#onLocked = onLocked;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.run(query.sql, query.parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  async run(sql: string, parameters: readonly unknown[] = []) {
    try {
      return await this.thread.send({ kind: 'statement', sql, parameters });
    } catch (cause) {
      if (cause instanceof SqliteError && isLockedCode(cause.sqliteCode)) this.#onLocked(cause);
      throw cause;
    }
  }

  // biome-ignore lint/correctness/useYield: rows are paged by key instead; see usage/reports/records.ts.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('read in pages instead of streaming');
  }
}

class SqliteDriver implements Driver {
  readonly #options: SqliteThreadOptions;
  readonly #waiting = new Set<Waiting>();
  #thread: SqliteThread | undefined;
  #state: 'free' | 'taken' | 'closed' = 'free';

  constructor(options: SqliteThreadOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#state === 'taken') await this.#waitForTurn();
    if (this.#state === 'closed') throw new Error('the database is closed');
    this.#state = 'taken';
    try {
      const thread = this.#thread?.alive ? this.#thread : new SqliteThread(this.#options);
      this.#thread = thread;
      await thread.ready;
      return new SqliteConnection(thread, (cause) => this.#failWaiting(cause));
    } catch (cause) {
      this.#release();
      throw cause;
    }
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    // IMMEDIATE takes the write lock first, so that no transaction fails half-way with SQLITE_BUSY.
    await connection.run('BEGIN IMMEDIATE');
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.run('COMMIT');
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // If the thread is dead, SQLite rolls back when the file is next opened.
    await connection.thread.send({ kind: 'rollback' }).catch((cause) => connection.thread.discard(String(cause)));
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async destroy(): Promise<void> {
    this.#state = 'closed';
    for (const { wake } of this.#waiting) wake();
    this.#waiting.clear();
    await this.#thread?.close();
  }

  #release(): void {
    if (this.#state === 'closed') return;
    const [next] = this.#waiting;
    if (!next) this.#state = 'free';
    else {
      this.#waiting.delete(next);
      next.wake();
    }
  }

  /** Fails all queued callers: another process held the lock for a whole wait, so they would only time out too. */
  #failWaiting(cause: SqliteError): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { fail } of waiting) fail(cause);
  }

  #waitForTurn(): Promise<void> {
    if (this.#waiting.size >= WAITING_MAX) return Promise.reject(new Error('too many callers wait for the database'));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        wake: () => {
          clearTimeout(timer);
          resolve();
        },
        fail: (cause) => {
          clearTimeout(timer);
          reject(cause);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new Error('waited too long for the database: does a transaction run a statement outside itself?'));
      }, WAITING_MS_MAX);
      this.#waiting.add(waiting);
    });
  }
}

export const sqliteDialect = (options: SqliteThreadOptions): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(options),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
