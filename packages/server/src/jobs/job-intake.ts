// Receives jobs: stores the file in encrypted parts as it arrives, then turns it into a job, or deletes it.
import type { ModelId } from '@faircopy/contract';
import { type ExpressionBuilder, sql } from '#kysely';
import type { Principal } from '../accounts/principal.ts';
import { Fault } from '../lib/fault.ts';
import { publicKeyOf, seal } from '../lib/sealed.ts';
import { databaseNowMs, lockNames } from '../storage/engine.ts';
import { requireFreeSpace, type Volume } from '../storage/free-space.ts';
import type { Storage } from '../storage/open.ts';
import type { DatabaseTransaction, Schema } from '../storage/schema.ts';
import { orUnavailable } from '../storage/unavailable.ts';
import { type JobListing, type JobRequest, LISTED_COLUMNS, listingOf, OPEN_STATES, PURPOSES } from './job.ts';

export interface JobLimits {
  /** Unfinished jobs per account. */
  readonly openPerAccountMax: number;
  /** Audio of an account's unfinished jobs. */
  readonly accountBytesMax: number;
  /** Audio of all unfinished jobs. */
  readonly bytesMax: number;
  readonly keepMs: number;
}

export interface IntakeParts {
  readonly storage: Storage;
  readonly holderId: string;
  /** Encrypts what the server itself must be able to read. */
  readonly secret: string;
  readonly limits: JobLimits;
  /** The volume of the database; absent if it is on another machine. */
  readonly readVolume?: (() => Promise<Volume>) | undefined;
}

export interface IntakeCaller {
  readonly id: string;
  readonly principal: Principal;
  readonly apiKey: string;
}

export interface AcceptedRequest {
  readonly model: ModelId;
  readonly request: JobRequest;
  /** Hashes of the caller's Idempotency-Key and body; null without a key. */
  readonly retry: { readonly hash: string; readonly fingerprint: string } | null;
}

const PART_BYTES = 512 * 1024;
/** The limits are checked after every this many parts. */
const CHECK_EVERY_PARTS = 16;
/** How long an Idempotency-Key is remembered. */
const RETRY_MS = 24 * 60 * 60_000;
const RETRY_AFTER_SECONDS = 60;

const accountLimit = (message: string) =>
  new Fault('CONCURRENT_LIMIT_EXCEEDED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });

export class JobIntake {
  readonly #parts: IntakeParts;
  /** Uploads in progress, from before their row exists until it is accepted or discarded. */
  readonly #receiving = new Set<string>();

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Starts receiving a file. Throws if the account or the server is at its limit. */
  async open(caller: IntakeCaller): Promise<IncomingJob> {
    const { storage, holderId, readVolume } = this.#parts;
    await this.#checkLimits(caller.principal.accountId, 'another');
    if (readVolume) await requireFreeSpace(readVolume, PART_BYTES);
    this.#receiving.add(caller.id);
    const onEnd = () => this.#receiving.delete(caller.id);
    const inserted = orUnavailable(
      storage.write
        .insertInto('jobs')
        .values({
          id: caller.id,
          account_id: caller.principal.accountId,
          key_id: caller.principal.keyId,
          state: 'receiving',
          model: '',
          audio_bytes: 0,
          attempts: 0,
          holder_id: holderId,
          due_at_ms: 0,
          caller_public_key: publicKeyOf(caller.apiKey, PURPOSES.result(caller.id)),
          sealed_request: Buffer.alloc(0),
          webhook_attempts: 0,
          created_at_ms: databaseNowMs(storage.engine),
          expires_at_ms: this.#expiry(),
        })
        .execute(),
    );
    await inserted.catch((thrown) => {
      onEnd();
      throw thrown;
    });
    const checkLimits = () => this.#checkLimits(caller.principal.accountId, 'current');
    return new IncomingJob(this.#parts, caller, { checkLimits, onEnd });
  }

  /** Deletes uploads of this process that have ended, but whose deletion failed then. */
  async deleteAbandoned(): Promise<void> {
    const { storage, holderId } = this.#parts;
    const rows = await storage.read
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'receiving')
      .where('holder_id', '=', holderId)
      .execute();
    const ids = rows.map(({ id }) => id).filter((id) => !this.#receiving.has(id));
    if (ids.length > 0)
      await storage.write.deleteFrom('jobs').where('id', 'in', ids).where('state', '=', 'receiving').execute();
  }

  #expiry() {
    const { storage, limits } = this.#parts;
    return sql<number>`${databaseNowMs(storage.engine)} + ${sql.lit(limits.keepMs)}`;
  }

  async #checkLimits(accountId: string, job: 'another' | 'current'): Promise<void> {
    const { storage, limits } = this.#parts;
    const isOwn = (eb: ExpressionBuilder<Schema, 'jobs'>) => eb('account_id', '=', accountId);
    const sums = await orUnavailable(
      storage.read
        .selectFrom('jobs')
        .select(({ fn }) => [
          fn.sum<number | null>('audio_bytes').as('bytes'),
          fn.sum<number | null>('audio_bytes').filterWhere(isOwn).as('own_bytes'),
          fn.countAll<number>().filterWhere(isOwn).as('own_jobs'),
        ])
        .where('state', 'in', OPEN_STATES)
        .executeTakeFirstOrThrow(),
    );
    if (job === 'another' && Number(sums.own_jobs) >= limits.openPerAccountMax) throw tooManyJobs(limits);
    if (Number(sums.own_bytes ?? 0) >= limits.accountBytesMax)
      throw accountLimit('The audio of the account’s unfinished jobs has reached its limit.');
    if (Number(sums.bytes ?? 0) >= limits.bytesMax)
      throw new Fault('SERVICE_UNAVAILABLE', {
        message: 'The server has no space for more jobs.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
  }
}

const tooManyJobs = ({ openPerAccountMax }: JobLimits): Fault =>
  accountLimit(`The account has ${openPerAccountMax} unfinished jobs, which is its limit.`);

interface IncomingHooks {
  readonly checkLimits: () => Promise<void>;
  /** Called when the file was accepted, or discarded. */
  readonly onEnd: () => void;
}

/** A file that is being received. */
export class IncomingJob {
  readonly #parts: IntakeParts;
  readonly #caller: IntakeCaller;
  readonly #hooks: IncomingHooks;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #part = 0;
  #stored: Promise<void> = Promise.resolve();

  constructor(parts: IntakeParts, caller: IntakeCaller, hooks: IncomingHooks) {
    this.#parts = parts;
    this.#caller = caller;
    this.#hooks = hooks;
  }

  /** A returned promise signals back-pressure. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    // Copied, because the chunk would keep its larger buffer in memory.
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    return this.#pendingBytes >= PART_BYTES ? this.#store() : undefined;
  }

  /** Turns the received file into a job. Returns the earlier job if this is a retry. */
  async accept(accepted: AcceptedRequest): Promise<{ readonly job: JobListing; readonly isRetry: boolean }> {
    await this.#store();
    const { retry } = accepted;
    const outcome = await orUnavailable(
      this.#parts.storage.write.transaction().execute(async (trx) => {
        const earlier = retry && (await this.#earlier(trx, retry.hash));
        if (earlier && earlier.fingerprint !== retry?.fingerprint) return 'other body';
        if (earlier) return { job: listingOf(earlier), isRetry: true };
        const job = await this.#accept(trx, accepted);
        return job === 'full' ? job : { job, isRetry: false };
      }),
    );
    if (outcome === 'other body') throw new Fault('IDEMPOTENCY_KEY_REUSED');
    if (outcome === 'full') throw tooManyJobs(this.#parts.limits);
    if (outcome.isRetry) await this.discard();
    else this.#hooks.onEnd();
    return outcome;
  }

  /** Deletes the file. Never rejects: if this fails, the cleanup deletes it. */
  async discard(): Promise<void> {
    await this.#parts.storage.write
      .deleteFrom('jobs')
      .where('id', '=', this.#caller.id)
      .where('state', '=', 'receiving')
      .execute()
      .catch(() => {});
    this.#hooks.onEnd();
  }

  /** Stores parts in order. After a failure, all later parts fail too. */
  #store(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    if (bytes.length === 0) return this.#stored;
    const part = this.#part++;
    this.#stored = this.#stored.then(() => this.#storePart(part, bytes));
    this.#stored.catch(() => {});
    return this.#stored;
  }

  async #storePart(part: number, bytes: Buffer): Promise<void> {
    const { storage, secret, readVolume } = this.#parts;
    const { id } = this.#caller;
    if (readVolume) await requireFreeSpace(readVolume, bytes.length);
    const sealed = seal(secret, PURPOSES.audio(id, part), bytes);
    await orUnavailable(
      storage.write.transaction().execute(async (trx) => {
        await trx.insertInto('job_audio').values({ job_id: id, part, sealed }).execute();
        await trx
          .updateTable('jobs')
          .set(({ eb }) => ({ audio_bytes: eb('audio_bytes', '+', bytes.length) }))
          .where('id', '=', id)
          .execute();
      }),
    );
    if (part % CHECK_EVERY_PARTS === CHECK_EVERY_PARTS - 1) await this.#hooks.checkLimits();
  }

  /** The job that was created with the same Idempotency-Key in the last day. */
  async #earlier(trx: DatabaseTransaction, hash: string) {
    const { engine } = this.#parts.storage;
    await lockNames(engine, trx, [`job key ${hash}`]);
    await trx
      .updateTable('jobs')
      .set({ idempotency_hash: null })
      .where('idempotency_hash', '=', hash)
      .where('created_at_ms', '<=', sql<number>`${databaseNowMs(engine)} - ${sql.lit(RETRY_MS)}`)
      .execute();
    return trx
      .selectFrom('jobs')
      .select([...LISTED_COLUMNS, 'fingerprint'])
      .where('idempotency_hash', '=', hash)
      .executeTakeFirst();
  }

  async #accept(trx: DatabaseTransaction, { model, request, retry }: AcceptedRequest): Promise<JobListing | 'full'> {
    const { storage, secret, limits } = this.#parts;
    const { id, principal } = this.#caller;
    const { accountId } = principal;
    await lockNames(storage.engine, trx, [`jobs of ${accountId}`]);
    const { open } = await trx
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('account_id', '=', accountId)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirstOrThrow();
    if (open >= limits.openPerAccountMax) return 'full';
    const nowMs = databaseNowMs(storage.engine);
    const row = await trx
      .updateTable('jobs')
      .set({
        state: 'waiting',
        model,
        holder_id: null,
        sealed_request: seal(secret, PURPOSES.request(id), Buffer.from(JSON.stringify(request))),
        idempotency_hash: retry?.hash ?? null,
        fingerprint: retry?.fingerprint ?? null,
        webhook_state: request.webhookUrl === null ? null : 'waiting',
        due_at_ms: nowMs,
        expires_at_ms: sql<number>`${nowMs} + ${sql.lit(limits.keepMs)}`,
      })
      .where('id', '=', id)
      .where('state', '=', 'receiving')
      .returning(LISTED_COLUMNS)
      .executeTakeFirstOrThrow();
    return listingOf(row);
  }
}
