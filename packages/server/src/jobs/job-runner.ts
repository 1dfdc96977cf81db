// Works on jobs, a few at a time, with what live requests leave of the recognisers.
import { ERRORS, type ModelId } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { AudioFormats } from '../audio/upload-decoding.ts';
import type { Calls } from '../calls/calls.ts';
import { successBody } from '../calls/success-response.ts';
import { asFault, Fault } from '../lib/fault.ts';
import { seal, sealFor } from '../lib/sealed.ts';
import type { Log } from '../observability/log.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { BudgetStop } from '../usage/budgets/budget.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { PURPOSES } from './job.ts';
import type { JobCleaning } from './job-cleanup.ts';
import type { JobEnd, JobQueue, TakenJob } from './job-queue.ts';

export interface JobRunnerParts {
  readonly queue: JobQueue;
  readonly cleaning: JobCleaning;
  readonly calls: Pick<Calls, 'openJob'>;
  readonly readiness: Readiness;
  readonly log: Log;
  /** The account behind a key; null when it is revoked or expired. */
  readonly principalOf: (keyId: string) => Promise<Principal | null>;
  readonly secret: string;
  readonly models: readonly ModelId[];
  readonly formats: AudioFormats;
  readonly maxDurationSeconds: number;
  readonly concurrency: number;
  /** How often others are looked at; shorter in tests. */
  readonly pollMs?: number;
  readonly onEnded?: () => void;
}

const POLL_MS = 1_000;
const CLEAN_MS = 60_000;
const ATTEMPTS_MAX = 10;
const BUDGET_WAIT_MS_MAX = 5 * 60_000;
const BACK_OFF_MS = { min: 5_000, max: 10 * 60_000 } as const;
/** How long a result waits for a database that does not answer, between tries. */
const END_RETRY_MS = 2_000;

/** The job is not this process's any more. */
class JobLost extends Error {}
class Stopping extends Error {}

export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #running = new Map<string, AbortController>();
  readonly #ends = new Set<Promise<void>>();
  #state: 'idle' | 'open' | 'closed' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #wanted = false;
  #cleanedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'open';
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#state !== 'open') return;
    this.#wanted = true;
    clearTimeout(this.#timer);
    this.#turn ??= this.#look().finally(() => {
      this.#turn = undefined;
      if (this.#wanted) this.wake();
      else if (this.#state === 'open')
        this.#timer = setTimeout(() => this.wake(), this.#parts.pollMs ?? POLL_MS).unref();
    });
  }

  /** What runs is put back: others may take it at once, and this server when it starts again. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    await this.#turn;
    for (const stop of this.#running.values()) stop.abort(new Stopping());
    await Promise.all(this.#ends);
  }

  async #look(): Promise<void> {
    this.#wanted = false;
    const { queue, readiness, models, concurrency, log } = this.#parts;
    try {
      for (const id of await queue.lost([...this.#running.keys()])) this.#running.get(id)?.abort(new JobLost());
      await queue.takeBack([...this.#running.keys()]);
      await this.#clean();
      while (this.#running.size < concurrency && this.#state === 'open' && readiness.state === 'ready') {
        const job = await queue.take(models);
        if (job === null) return;
        this.#begin(job);
      }
    } catch (err) {
      log.warn({ err }, 'the queue of jobs cannot be read');
    }
  }

  async #clean(): Promise<void> {
    if (performance.now() - this.#cleanedMs < CLEAN_MS) return;
    this.#cleanedMs = performance.now();
    await this.#parts.cleaning.run();
  }

  #begin(job: TakenJob): void {
    const stop = new AbortController();
    this.#running.set(job.id, stop);
    const end = this.#run(job, stop.signal)
      .catch((err) => this.#parts.log.error({ err, requestId: job.id }, 'a job could not be ended'))
      .finally(() => {
        this.#running.delete(job.id);
        this.#ends.delete(end);
        this.wake();
      });
    this.#ends.add(end);
  }

  async #run(job: TakenJob, signal: AbortSignal): Promise<void> {
    const { calls, queue, principalOf, formats, maxDurationSeconds, secret } = this.#parts;
    const principal = await principalOf(job.keyId).catch(() => undefined);
    // Without its database a server can only let it be.
    if (principal === undefined) return queue.putBack(job.id, backOffMs(job));
    if (principal?.budget?.stop) return queue.putBack(job.id, budgetWaitMs(principal.budget.stop), true);
    const who = principal ?? nobody(job);
    const call = calls.openJob({ requestId: job.id, principal: who }, formats, maxDurationSeconds);
    let end: JobEnd;
    let entry: UsageEntry;
    try {
      if (principal === null)
        throw new Fault('UNAUTHORIZED', { message: 'The API key of the job was revoked or has expired.' });
      // A job that takes its server down with it is not begun for ever.
      if (job.attempts > ATTEMPTS_MAX) throw new Error('the job was begun too often');
      const request = queue.requestOf(job);
      const parts = queue.audioOf(job.id);
      const transcribed = await call.transcribe({ parts, options: request.transcription, signal });
      const include = new Set(request.include);
      const result = Buffer.from(JSON.stringify(successBody(transcribed, { requestId: job.id, include })));
      end = {
        state: 'succeeded',
        sealedResult: sealFor(job.callerPublicKey, PURPOSES.result(job.id), result),
        sealedWebhook: request.webhookUrl === null ? null : seal(secret, PURPOSES.webhook(job.id), result),
      };
      entry = call.successEntry(transcribed);
    } catch (thrown) {
      if (signal.aborted) return this.#aborted(job, signal.reason);
      const fault = asFault(thrown);
      this.#parts.log.warn({ err: fault.cause ?? fault, requestId: job.id, attempts: job.attempts }, 'a job failed');
      if (ERRORS[fault.code].retryable && job.attempts < ATTEMPTS_MAX) return queue.putBack(job.id, backOffMs(job));
      end = { state: 'failed', code: fault.code, message: fault.message };
      entry = call.failureEntry(fault.code);
    }
    if (await this.#end(job, end, entry, signal)) call.count(entry);
    this.#parts.onEnded?.();
  }

  /** Tried until the database answers, or the job is lost. */
  async #end(job: TakenJob, end: JobEnd, entry: UsageEntry, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#parts.queue.end(job.id, end, entry);
      } catch (err) {
        this.#parts.log.warn({ err, requestId: job.id }, 'the end of a job was not written');
        if (signal.aborted) return false;
        await new Promise((resolve) => setTimeout(resolve, END_RETRY_MS));
      }
    }
  }

  async #aborted(job: TakenJob, reason: unknown): Promise<void> {
    if (reason instanceof Stopping) await this.#parts.queue.putBack(job.id, 0, true).catch(() => {});
  }
}

const backOffMs = ({ attempts }: TakenJob): number =>
  Math.min(BACK_OFF_MS.max, BACK_OFF_MS.min * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);

/** A job waits for its budget; now and then it is seen whether that was raised. */
const budgetWaitMs = ({ opensAtMs }: BudgetStop): number =>
  Math.max(1_000, Math.min(opensAtMs - Date.now(), BUDGET_WAIT_MS_MAX)) * (1 + Math.random() / 10);

/** Whose row it is when the key is gone. */
const nobody = ({ accountId, keyId }: TakenJob): Principal => ({
  ...{ accountId, accountName: '', keyId, vocabulary: [], refinement: null, budget: null },
  limits: { maxStreams: 0, maxDurationSeconds: 0, maxUploads: 0, maxWaitingSeconds: 0 },
});
