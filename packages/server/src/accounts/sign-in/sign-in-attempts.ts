// Rate limits for sign-in attempts, per address and per person, shared by all nodes.
import { createHash, randomUUID } from 'node:crypto';
import { sql } from '#kysely';
import { type Clock, systemClock } from '../../lib/time/clock.ts';
import type { Storage } from '../../storage/open.ts';

export interface AttemptRule {
  /** Seconds. */
  readonly window: number;
  readonly max: number;
}

export interface AttemptResult {
  readonly allowed: boolean;
  /** Seconds until the window ends; null if allowed. */
  readonly retryAfter: number | null;
}

/** Limits password guesses per person from all addresses. Reset by a successful sign-in. */
export const PER_PERSON: AttemptRule = { window: 15 * 60, max: 20 };

const KEEP_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60_000;

/** Hashed, so that the table does not reveal e-mail addresses. */
export const attemptsKeyOf = (email: string): string =>
  `person ${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;

export class SignInAttempts {
  readonly #storage: Storage;
  readonly #clock: Clock;
  #prunedAtMs = Number.NEGATIVE_INFINITY;

  constructor(storage: Storage, clock: Clock = systemClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Counts an attempt and returns whether it is allowed, atomically. */
  async consume(key: string, { window, max }: AttemptRule): Promise<AttemptResult> {
    const nowMs = this.#clock.now();
    const windowMs = window * 1000;
    // A window in the future began before the clock was set back, and must not lock anyone out.
    const isOver = sql<boolean>`(sign_in_attempts.last_request <= ${nowMs - windowMs} or sign_in_attempts.last_request > ${nowMs + windowMs})`;
    const row = await this.#storage.write
      .insertInto('sign_in_attempts')
      .values({ id: randomUUID(), key, count: 1, last_request: nowMs })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else sign_in_attempts.count + 1 end`,
          last_request: sql<number>`case when ${isOver} then excluded.last_request else sign_in_attempts.last_request end`,
        }),
      )
      .returning(['count', 'last_request'])
      .executeTakeFirstOrThrow();
    await this.#prune(nowMs);
    if (row.count <= max) return { allowed: true, retryAfter: null };
    return { allowed: false, retryAfter: Math.max(1, Math.ceil((row.last_request + windowMs - nowMs) / 1000)) };
  }

  async reset(key: string): Promise<void> {
    await this.#storage.write.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
  }

  async #prune(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#prunedAtMs) < PRUNE_EVERY_MS) return;
    this.#prunedAtMs = nowMs;
    await this.#storage.write
      .deleteFrom('sign_in_attempts')
      .where('last_request', '<', nowMs - KEEP_MS)
      .execute();
  }
}
