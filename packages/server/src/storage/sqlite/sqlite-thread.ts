// The event loop's side of a SQLite connection: sends requests to its thread and fails them all if the thread dies.
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../lib/process/programs.ts';
import { primaryCode, RESULT } from './result-codes.ts';

export interface SqliteThreadOptions {
  readonly path: string;
  readonly access: 'write' | 'read';
  /** How long a write waits for a lock that another process holds. */
  readonly lockWaitMs: number;
}

export interface ThreadData extends SqliteThreadOptions {
  /** A shared flag: at 1 the thread skips queued statements. */
  readonly discarded: Int32Array;
}

export type ThreadRequest =
  | { readonly id: number; readonly kind: 'statement'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly kind: 'rollback' }
  | { readonly id: number; readonly kind: 'close' };

export interface ThreadResponse {
  readonly id: number;
  readonly result?: { readonly rows: unknown[]; readonly changes: number } | undefined;
  readonly error?: { readonly message: string; readonly sqliteCode: number | null } | undefined;
}

export class SqliteError extends Error {
  /** SQLite's extended result code; null if the thread itself failed. */
  readonly sqliteCode: number | null;
  constructor(message: string, sqliteCode: number | null) {
    super(message);
    this.name = 'SqliteError';
    this.sqliteCode = sqliteCode;
  }
}

/** Whether a statement failed because another process holds the lock that it needs. */
export const isLockedCode = (sqliteCode: number | null | undefined): boolean => primaryCode(sqliteCode) === RESULT.BUSY;

/** Result codes after which the connection is replaced. */
const CONNECTION_ERRORS = new Set<number>([
  RESULT.READONLY,
  RESULT.IOERR,
  RESULT.CORRUPT,
  RESULT.CANTOPEN,
  RESULT.NOTADB,
]);

type Pending = { resolve(result: NonNullable<ThreadResponse['result']>): void; reject(error: Error): void };
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export class SqliteThread {
  readonly #worker: Worker;
  readonly #discarded = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #failure: Error | undefined;
  /** Resolves when the file is open. */
  readonly ready: Promise<unknown>;

  constructor(options: SqliteThreadOptions) {
    this.#worker = new Worker(programUrl('storage/sqlite/sqlite-worker'), {
      workerData: { ...options, discarded: this.#discarded } satisfies ThreadData,
    });
    this.ready = new Promise<unknown>((resolve, reject) => this.#pending.set(0, { resolve, reject }));
    this.ready.catch(() => {});
    this.#worker.on('message', (response: ThreadResponse) => this.#receive(response));
    this.#worker.on('error', (cause) =>
      this.#fail(new SqliteError(`the database thread failed: ${cause.message}`, null)),
    );
    this.#exited = new Promise((resolve) =>
      this.#worker.on('exit', () => {
        this.#fail(new SqliteError('the database thread ended', null));
        resolve();
      }),
    );
  }

  /** Once false, the thread must be replaced. */
  get alive(): boolean {
    return this.#failure === undefined;
  }

  send(request: WithoutId<ThreadRequest>): Promise<NonNullable<ThreadResponse['result']>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, ...request });
    });
  }

  /**
   * Fails all pending requests and ends the thread after its current statement. Terminating a thread inside the native
   * library would crash the process.
   */
  async discard(why: string): Promise<void> {
    this.#fail(new SqliteError(why, null));
    Atomics.store(this.#discarded, 0, 1);
    this.#worker.ref();
    this.#worker.postMessage({ id: 0, kind: 'close' } satisfies ThreadRequest);
    await this.#exited;
  }

  async close(): Promise<void> {
    if (this.alive) await this.send({ kind: 'close' }).catch(() => {});
    await this.discard('the database is closed');
  }

  #receive({ id, result, error }: ThreadResponse): void {
    if (!this.alive) return;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    // An idle thread must not keep the process alive.
    if (this.#pending.size === 0) this.#worker.unref();
    if (result) pending?.resolve(result);
    else if (error) {
      pending?.reject(new SqliteError(error.message, error.sqliteCode));
      if (CONNECTION_ERRORS.has(primaryCode(error.sqliteCode))) void this.discard(error.message);
    }
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}
