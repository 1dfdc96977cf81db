// The job queue in the database. A job is claimed by one process at a time and finished once.
import type { ErrorCode, ModelId } from '@faircopy/contract';
import { sql } from '#kysely';
import { unseal } from '../lib/sealed.ts';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { isAlive } from '../storage/process-lease.ts';
import type { DatabaseTransaction } from '../storage/schema.ts';
import type { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { endedColumns } from './ended-columns.ts';
import { PURPOSES } from './job.ts';

export interface JobQueueParts {
  readonly storage: Storage;
  readonly meter: Pick<LedgerMeter, 'recordWith'>;
  readonly holderId: string;
  readonly secret: string;
  /** How long an ended job is kept. */
  readonly keepMs: number;
}

export interface ClaimedJob {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly attempts: number;
  readonly callerPublicKey: Uint8Array;
  readonly sealedRequest: Uint8Array;
}

export type JobOutcome =
  | { readonly state: 'succeeded'; readonly sealedResult: Uint8Array; readonly sealedWebhook: Uint8Array | null }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly message: string };

export class JobQueue {
  readonly #parts: JobQueueParts;
  /** When this process last claimed a job of an account, for accounts with waiting jobs. */
  #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  /** Claims the next job, of the account with the fewest running jobs. Null if there is none. */
  async claim(models: readonly ModelId[]): Promise<ClaimedJob | null> {
    if (models.length === 0) return null;
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
    const runningOf = new Map(running.map(({ account_id, count }) => [account_id, Number(count)]));
    const accounts = waiting.map(({ account_id: accountId, first }) => ({
      accountId,
      first,
      running: runningOf.get(accountId) ?? 0,
      lastTurn: this.#lastTurns.get(accountId) ?? 0,
    }));
    accounts.sort((a, b) => a.running - b.running || a.lastTurn - b.lastTurn || (a.first < b.first ? -1 : 1));
    this.#lastTurns = new Map(accounts.map(({ accountId, lastTurn }) => [accountId, lastTurn]));
    for (const { accountId } of accounts) {
      const claimed = await this.#claimOf(accountId, models);
      if (!claimed) continue;
      this.#lastTurns.set(accountId, ++this.#turns);
      return claimed;
    }
    return null;
  }

  async #claimOf(accountId: string, models: readonly ModelId[]): Promise<ClaimedJob | null> {
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
      // Concurrent processes skip each other's rows instead of waiting.
      const row = await (storage.engine === 'postgres' ? next.forUpdate().skipLocked() : next).executeTakeFirst();
      if (!row) return null;
      const job = await trx
        .updateTable('jobs')
        .set(({ eb }) => ({
          state: 'running',
          holder_id: holderId,
          attempts: eb('attempts', '+', 1),
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

  /** Jobs that are due, by model, whether or not a recogniser serves it. */
  async countWaiting(): Promise<ReadonlyMap<string, number>> {
    const { storage } = this.#parts;
    const rows = await storage.read
      .selectFrom('jobs')
      .select(['model', ({ fn }) => fn.countAll<number>().as('count')])
      .where('state', '=', 'waiting')
      .where('due_at_ms', '<=', databaseNowMs(storage.engine))
      .groupBy('model')
      .execute();
    return new Map(rows.map(({ model, count }) => [model, Number(count)]));
  }

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

  /** Ends the job and writes its usage row in one transaction. False if it was cancelled or taken over. */
  finish(id: string, outcome: JobOutcome, entry: UsageEntry): Promise<boolean> {
    const { meter, holderId } = this.#parts;
    return meter.recordWith(entry, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('jobs')
        .set(this.outcomeColumns(outcome))
        .where('id', '=', id)
        .where('state', '=', 'running')
        .where('holder_id', '=', holderId)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await deleteAudio(trx, [id]);
      return true;
    });
  }

  /** The columns of a job that ends now. */
  outcomeColumns(outcome: JobOutcome) {
    const { storage, keepMs } = this.#parts;
    return {
      ...endedColumns(storage.engine, outcome.state),
      expires_at_ms: sql<number>`${databaseNowMs(storage.engine)} + ${sql.lit(keepMs)}`,
      ...(outcome.state === 'failed'
        ? { error_code: outcome.code, error_message: outcome.message }
        : { sealed_result: outcome.sealedResult, sealed_webhook: outcome.sealedWebhook }),
    };
  }

  /** Makes the job available again after a delay. With `isFree`, the attempt does not count. */
  async requeue(id: string, delayMs: number, isFree = false): Promise<void> {
    const { storage, holderId } = this.#parts;
    await storage.write
      .updateTable('jobs')
      .set(({ eb }) => ({
        state: 'waiting',
        holder_id: null,
        attempts: eb('attempts', '-', isFree ? 1 : 0),
        due_at_ms: sql<number>`${databaseNowMs(storage.engine)} + ${sql.lit(Math.round(delayMs))}`,
      }))
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('holder_id', '=', holderId)
      .execute();
  }

  /** Which of these jobs were cancelled or taken over by another process. */
  async findLost(ids: readonly string[]): Promise<string[]> {
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

  /** Requeues jobs of dead processes, and jobs that this process holds but does not run. */
  async requeueOrphans(running: readonly string[]): Promise<void> {
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

export const deleteAudio = async (trx: DatabaseTransaction, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await trx.deleteFrom('job_audio').where('job_id', 'in', ids).execute();
};
