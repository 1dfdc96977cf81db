// What time does to jobs: half-received files of dead processes go, old jobs go, and those that waited too long fail.
import { sql } from 'kysely';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { isAlive } from '../storage/process-lease.ts';
import { dropAudio, type JobQueue } from './job-queue.ts';

const BATCH_MAX = 100;

export class JobCleaning {
  readonly #storage: Storage;
  readonly #queue: Pick<JobQueue, 'ended'>;

  constructor(storage: Storage, queue: Pick<JobQueue, 'ended'>) {
    this.#storage = storage;
    this.#queue = queue;
  }

  async run(): Promise<void> {
    await this.#dropHalfReceived();
    while ((await this.#failExpired()) === BATCH_MAX);
    while ((await this.#dropEnded()) === BATCH_MAX);
  }

  async #dropHalfReceived(): Promise<void> {
    await this.#storage.write
      .deleteFrom('jobs')
      .where('state', '=', 'receiving')
      .where(({ not }) => not(isAlive(this.#storage, sql.ref('jobs.holder_id'))))
      .execute();
  }

  /** A job that nobody found the time for in all its days. */
  #failExpired(): Promise<number> {
    return this.#storage.write.transaction().execute(async (trx) => {
      const { engine } = this.#storage;
      const rows = await trx
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'waiting')
        .where('expires_at_ms', '<=', databaseNowMs(engine))
        .limit(BATCH_MAX)
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked())
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      const message = 'The server did not find the time for this job. Nothing is billed.';
      await trx
        .updateTable('jobs')
        .set(this.#queue.ended({ state: 'failed', code: 'SERVICE_UNAVAILABLE', message }))
        .where('id', 'in', ids)
        .execute();
      await dropAudio(trx, ids);
      return ids.length;
    });
  }

  async #dropEnded(): Promise<number> {
    const { write, engine } = this.#storage;
    const old = write
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['succeeded', 'failed', 'cancelled'])
      .where('expires_at_ms', '<=', databaseNowMs(engine))
      .limit(BATCH_MAX);
    const { numDeletedRows } = await write.deleteFrom('jobs').where('id', 'in', old).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
