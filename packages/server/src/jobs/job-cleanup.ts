// Deletes abandoned uploads and expired jobs, and fails jobs that waited too long.
import { sql } from '#kysely';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { isAlive } from '../storage/process-lease.ts';
import type { JobIntake } from './job-intake.ts';
import { deleteAudio, type JobQueue } from './job-queue.ts';

const BATCH_MAX = 100;

export class JobCleanup {
  readonly #storage: Storage;
  readonly #queue: Pick<JobQueue, 'outcomeColumns'>;
  readonly #intake: Pick<JobIntake, 'deleteAbandoned'>;

  constructor(storage: Storage, queue: Pick<JobQueue, 'outcomeColumns'>, intake: Pick<JobIntake, 'deleteAbandoned'>) {
    this.#storage = storage;
    this.#queue = queue;
    this.#intake = intake;
  }

  async run(): Promise<void> {
    await this.#deleteOrphanedUploads();
    await this.#intake.deleteAbandoned();
    while ((await this.#failExpired()) === BATCH_MAX);
    while ((await this.#deleteEnded()) === BATCH_MAX);
  }

  /** Uploads of dead processes. */
  async #deleteOrphanedUploads(): Promise<void> {
    await this.#storage.write
      .deleteFrom('jobs')
      .where('state', '=', 'receiving')
      .where(({ not }) => not(isAlive(this.#storage, sql.ref('jobs.holder_id'))))
      .execute();
  }

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
      const message = 'The job expired before the server could run it. Nothing is billed.';
      await trx
        .updateTable('jobs')
        .set(this.#queue.outcomeColumns({ state: 'failed', code: 'SERVICE_UNAVAILABLE', message }))
        .where('id', 'in', ids)
        .execute();
      await deleteAudio(trx, ids);
      return ids.length;
    });
  }

  async #deleteEnded(): Promise<number> {
    const { write, engine } = this.#storage;
    const expired = write
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['succeeded', 'failed', 'cancelled'])
      .where('expires_at_ms', '<=', databaseNowMs(engine))
      .limit(BATCH_MAX);
    const { numDeletedRows } = await write.deleteFrom('jobs').where('id', 'in', expired).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
