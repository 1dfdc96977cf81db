// Hashes and verifies passwords in a thread with a short, bounded queue.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../lib/fault.ts';
import { programUrl } from '../../lib/process/programs.ts';

export interface HashRequest {
  readonly id: number;
  readonly password: string;
  readonly salt: string;
}

export interface HashResponse {
  readonly id: number;
  readonly key: string;
}

/** About two seconds of hashing on a quiet machine. */
const QUEUE_MAX = 20;
const RETRY_AFTER_SECONDS = 2;

interface Waiting {
  resolve(key: string): void;
  reject(cause: Error): void;
}

/** The part that sign-in uses. */
export type Passwords = Pick<PasswordHasher, 'hash' | 'verify'>;

export class PasswordHasher {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${await this.#derive(password, salt)}`;
  }

  async verify({ hash, password }: { readonly hash: string; readonly password: string }): Promise<boolean> {
    const [salt, key] = hash.split(':');
    if (!salt || !key) throw new Error('a stored password hash is malformed');
    const [stored, derived] = [Buffer.from(key), Buffer.from(await this.#derive(password, salt))];
    return stored.length === derived.length && timingSafeEqual(stored, derived);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #derive(password: string, salt: string): Promise<string> {
    if (this.#waiting.size >= QUEUE_MAX)
      return Promise.reject(
        new Fault('SERVICE_UNAVAILABLE', {
          message: 'Too many people are signing in right now.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        }),
      );
    const worker = this.#started();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, password, salt } satisfies HashRequest);
    });
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(programUrl('accounts/sign-in/password-thread'));
    worker.on('message', ({ id, key }: HashResponse) => {
      this.#waiting.get(id)?.resolve(key);
      this.#waiting.delete(id);
      // An idle thread must not keep the process alive.
      if (this.#waiting.size === 0) worker.unref();
    });
    worker.on('error', (cause) => this.#lost(worker, cause));
    worker.on('exit', () => this.#lost(worker, new Error('the password thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Fails pending requests. The next request starts a new thread. */
  #lost(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }
}
