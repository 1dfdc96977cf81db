// A SQLite connection seen from the event loop: questions go to its thread, answers come back, a dead thread fails all.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface SqliteThreadOptions {
  readonly path: string;
  readonly access: 'write' | 'read';
}

/** What the thread is given at its start. */
export interface ThreadData extends SqliteThreadOptions {
  /** One number, shared: 1 once nobody waits for an answer any more. */
  readonly abandoned: Int32Array;
}

export type Question =
  | { readonly id: number; readonly kind: 'statement'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly kind: 'rollback' }
  | { readonly id: number; readonly kind: 'close' };

export interface Answer {
  readonly id: number;
  readonly result?: { readonly rows: unknown[]; readonly changes: number } | undefined;
  readonly error?: { readonly message: string; readonly sqliteCode: number | null } | undefined;
}

export class SqliteError extends Error {
  /** SQLite's extended result code; null when the thread itself failed. */
  readonly sqliteCode: number | null;
  constructor(message: string, sqliteCode: number | null) {
    super(message);
    this.name = 'SqliteError';
    this.sqliteCode = sqliteCode;
  }
}

/** Primary codes after which the connection itself is suspect: I/O, corrupt, cannot open, read-only (moved), not a db. */
const SUSPECT_CODES = new Set([8, 10, 11, 14, 26]);

type Settle = { resolve(result: NonNullable<Answer['result']>): void; reject(error: Error): void };
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export class SqliteThread {
  readonly #worker: Worker;
  readonly #abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, Settle>();
  #nextId = 1;
  #failure: Error | undefined;
  /** Resolves when the file is open; rejects when it cannot be. */
  readonly ready: Promise<unknown>;

  constructor(options: SqliteThreadOptions) {
    this.#worker = new Worker(new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: { ...options, abandoned: this.#abandoned } satisfies ThreadData,
    });
    this.ready = new Promise<unknown>((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    this.ready.catch(() => {});
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
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

  /** Once false, the thread answers nothing more and must be replaced. */
  get alive(): boolean {
    return this.#failure === undefined;
  }

  ask(question: WithoutId<Question>): Promise<NonNullable<Answer['result']>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, ...question });
    });
  }

  /**
   * Ends the thread; what was asked and not answered fails at once. The thread leaves by itself, after the statement it
   * is in: one that is terminated inside the native library takes the whole process down.
   */
  async discard(why: string): Promise<void> {
    this.#fail(new SqliteError(why, null));
    Atomics.store(this.#abandoned, 0, 1);
    this.#worker.ref();
    this.#worker.postMessage({ id: 0, kind: 'close' } satisfies Question);
    await this.#exited;
  }

  async close(): Promise<void> {
    if (this.alive) await this.ask({ kind: 'close' }).catch(() => {});
    await this.discard('the database is closed');
  }

  #settle({ id, result, error }: Answer): void {
    if (!this.alive) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // An idle thread does not keep the process alive; a question under way does.
    if (this.#waiting.size === 0) this.#worker.unref();
    if (result) waiting?.resolve(result);
    else if (error) {
      waiting?.reject(new SqliteError(error.message, error.sqliteCode));
      if (error.sqliteCode !== null && SUSPECT_CODES.has(error.sqliteCode & 0xff)) void this.discard(error.message);
    }
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
