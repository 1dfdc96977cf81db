// The queue of jobs in the database: each is taken by one process at a time, and ends once.
import type { ErrorCode, ModelId } from '@faircopy/contract';
import { sql } from 'kysely';
import { unseal } from '../lib/sealed.ts';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { isAlive } from '../storage/process-lease.ts';
import type { DatabaseTransaction } from '../storage/schema.ts';
import type { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { type JobRequest, PURPOSES } from './job.ts';

export interface JobQueueParts {
  readonly storage: Storage;
  readonly meter: Pick<LedgerMeter, 'recordWith'>;
  readonly holderId: string;
  readonly secret: string;
  /** How long a job is kept after its end. */
  readonly keepMs: number;
  /** How long its webhook is tried. */
  readonly webhookMs: number;
}

/** A job that this process works on. */
export interface TakenJob {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly attempts: number;
  readonly callerPublicKey: Uint8Array;
  readonly sealedRequest: Uint8Array;
}

export type JobEnd =
  | { readonly state: 'succeeded'; readonly sealedResult: Uint8Array; readonly sealedWebhook: Uint8Array | null }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly message: string };

export class JobQueue {
  readonly #parts: JobQueueParts;
  /** When this process last began a job of an account, for those that have some waiting. */
  #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  /** The next job, of the account that has the fewest under way and waited longest; null when there is none. */
  async take(models: readonly ModelId[]): Promise<TakenJob | null> {
    const { storage } = this.#parts;
    const nowMs = databaseNowMs(storage.engine);
    const waiting = await storage.read
      .selectFrom('jobs')
      .select(['account_id', ({ fn }) => fn.min('id').as('first')])
      .where('state', '=', 'waiting')
      .where('due_at_ms', '<=', nowMs)
      .where('model', 'in', models)
      .groupBy('account_id')
      .execute();
    if (waiting.length === 0) return null;
    const running = await storage.read
      .selectFrom('jobs')
      .select(['account_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('state', '=', 'running')
      .groupBy('account_id')
      .execute();
    const busy = new Map(running.map(({ account_id, count }) => [account_id, Number(count)]));
    const places = waiting.map(({ account_id: accountId, first }) => ({
      ...{ accountId, first, running: busy.get(accountId) ?? 0, lastTurn: this.#lastTurns.get(accountId) ?? 0 },
    }));
    places.sort((a, b) => a.running - b.running || a.lastTurn - b.lastTurn || (a.first < b.first ? -1 : 1));
    this.#lastTurns = new Map(places.map(({ accountId, lastTurn }) => [accountId, lastTurn]));
    for (const { accountId } of places) {
      const taken = await this.#takeOf(accountId, models);
      if (!taken) continue;
      this.#lastTurns.set(accountId, ++this.#turns);
      return taken;
    }
    return null;
  }

  async #takeOf(accountId: string, models: readonly ModelId[]): Promise<TakenJob | null> {
    const { storage, holderId } = this.#parts;
    const nowMs = databaseNowMs(storage.engine);
    return storage.write.transaction().execute(async (trx) => {
      const next = trx
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'waiting')
        .where('account_id', '=', accountId)
        .where('due_at_ms', '<=', nowMs)
        .where('model', 'in', models)
        .orderBy('due_at_ms')
        .orderBy('id')
        .limit(1);
      // Two processes never wait for each other here: each passes over what the other is about to take.
      const row = await (storage.engine === 'postgres' ? next.forUpdate().skipLocked() : next).executeTakeFirst();
      if (!row) return null;
      const job = await trx
        .updateTable('jobs')
        .set(({ eb }) => ({
          ...{ state: 'running', holder_id: holderId, attempts: eb('attempts', '+', 1) },
          started_at_ms: sql<number>`coalesce(started_at_ms, ${nowMs})`,
        }))
        .where('id', '=', row.id)
        .returning(['id', 'account_id', 'key_id', 'attempts', 'caller_public_key', 'sealed_request'])
        .executeTakeFirstOrThrow();
      return {
        id: job.id,
        accountId: job.account_id,
        keyId: job.key_id,
        attempts: job.attempts,
        callerPublicKey: job.caller_public_key,
        sealedRequest: job.sealed_request,
      };
    });
  }

  /** What is asked. Throws when it was sealed with another secret than this server's. */
  requestOf({ id, sealedRequest }: TakenJob): JobRequest {
    return JSON.parse(unseal(this.#parts.secret, PURPOSES.request(id), sealedRequest).toString('utf8'));
  }

  /** The file, part by part. */
  async *audioOf(id: string): AsyncGenerator<Uint8Array, void, undefined> {
    const { storage, secret } = this.#parts;
    for (let part = 0; ; part++) {
      const row = await storage.read
        .selectFrom('job_audio')
        .select('sealed')
        .where('job_id', '=', id)
        .where('part', '=', part)
        .executeTakeFirst();
      if (!row) return;
      yield unseal(secret, PURPOSES.audio(id, part), row.sealed);
    }
  }

  /** Ends the job and writes its row, both or neither. False when it was cancelled, or taken over by another process. */
  end(id: string, end: JobEnd, entry: UsageEntry): Promise<boolean> {
    const { meter, holderId } = this.#parts;
    return meter.recordWith(entry, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('jobs')
        .set(this.ended(end))
        .where('id', '=', id)
        .where('state', '=', 'running')
        .where('holder_id', '=', holderId)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await dropAudio(trx, [id]);
      return true;
    });
  }

  /** Columns of a job that ends now. */
  ended(end: JobEnd) {
    const { storage, keepMs, webhookMs } = this.#parts;
    const nowMs = databaseNowMs(storage.engine);
    const isDue = sql`webhook_state is not null`;
    return {
      ...{ state: end.state, holder_id: null, ended_at_ms: nowMs },
      expires_at_ms: sql<number>`${nowMs} + ${sql.lit(keepMs)}`,
      ...(end.state === 'failed'
        ? { error_code: end.code, error_message: end.message }
        : { sealed_result: end.sealedResult, sealed_webhook: end.sealedWebhook }),
      webhook_state: sql<string | null>`case when ${isDue} then 'due' end`,
      webhook_due_at_ms: sql<number | null>`case when ${isDue} then ${nowMs} end`,
      webhook_until_ms: sql<number | null>`case when ${isDue} then ${nowMs} + ${sql.lit(webhookMs)} end`,
    };
  }

  /** Lets others have it, after a while. `isFree`: the attempt does not count. */
  async putBack(id: string, delayMs: number, isFree = false): Promise<void> {
    const { storage, holderId } = this.#parts;
    await storage.write
      .updateTable('jobs')
      .set(({ eb }) => ({
        ...{ state: 'waiting', holder_id: null },
        attempts: eb('attempts', '-', isFree ? 1 : 0),
        due_at_ms: sql<number>`${databaseNowMs(storage.engine)} + ${sql.lit(Math.round(delayMs))}`,
      }))
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('holder_id', '=', holderId)
      .execute();
  }

  /** Those of these jobs that are not this process's any more: cancelled, or taken over. */
  async lost(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const { storage, holderId } = this.#parts;
    const held = await storage.read
      .selectFrom('jobs')
      .select('id')
      .where('id', 'in', ids)
      .where('state', '=', 'running')
      .where('holder_id', '=', holderId)
      .execute();
    const ours = new Set(held.map(({ id }) => id));
    return ids.filter((id) => !ours.has(id));
  }

  /** Jobs of processes that died wait again, and those that this one holds without working on them. */
  async takeBack(running: readonly string[]): Promise<void> {
    const { storage, holderId } = this.#parts;
    await storage.write
      .updateTable('jobs')
      .set({ state: 'waiting', holder_id: null })
      .where('state', '=', 'running')
      .where(({ eb, or, and, not }) =>
        or([
          not(isAlive(storage, sql.ref('jobs.holder_id'))),
          and([eb('holder_id', '=', holderId), ...(running.length > 0 ? [eb('id', 'not in', running)] : [])]),
        ]),
      )
      .execute();
  }
}

export const dropAudio = async (trx: DatabaseTransaction, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await trx.deleteFrom('job_audio').where('job_id', 'in', ids).execute();
};
