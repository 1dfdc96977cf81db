// Runs jobs in the background, on recogniser capacity that live requests do not use.
import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type ModelId, NO_KEY_RULES } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { Calls } from '../calls/calls.ts';
import { successBody } from '../calls/success-response.ts';
import { asFault, Fault } from '../lib/fault.ts';
import { seal, sealFor } from '../lib/sealed.ts';
import type { Log } from '../observability/log.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { BudgetStop } from '../usage/budgets/budget.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { backOffMs } from './back-off.ts';
import { PURPOSES, readRequest } from './job.ts';
import type { JobCleanup } from './job-cleanup.ts';
import type { ClaimedJob, JobOutcome, JobQueue } from './job-queue.ts';
import { WorkLoop } from './work-loop.ts';

export interface JobRunnerParts {
  readonly queue: JobQueue;
  readonly cleanup: JobCleanup;
  readonly calls: Pick<Calls, 'openJob'>;
  readonly readiness: Readiness;
  readonly log: Log;
  /** Null if the key is revoked or expired. */
  readonly principalOf: (keyId: string) => Promise<Principal | null>;
  readonly secret: string;
  /** The models that a recogniser serves now. Jobs of other models stay queued. */
  readonly servedModels: () => readonly ModelId[];
  readonly maxDurationSeconds: number;
  readonly concurrency: number;
  readonly onEnded?: () => void;
}

const CLEANUP_EVERY_MS = 60_000;
const ATTEMPTS_MAX = 10;
const BUDGET_WAIT_MS_MAX = 5 * 60_000;
const BACK_OFF = { minMs: 5_000, maxMs: 10 * 60_000 } as const;
/** The delay between attempts to store an outcome while the database is unavailable. */
const FINISH_RETRY_MS = 2_000;

/** The job was cancelled, or another process took it over. */
class JobLost extends Error {}
class Stopping extends Error {}

export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #loop: WorkLoop<ClaimedJob>;
  readonly #running = new Map<string, AbortController>();
  #waiting: ReadonlyMap<string, number> = new Map();
  #cleanedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
    const { queue, readiness, servedModels, concurrency, log } = parts;
    this.#loop = new WorkLoop<ClaimedJob>({
      concurrency,
      prepare: () => this.#reconcileQueue(),
      claim: async () => (readiness.state === 'ready' ? queue.claim(servedModels()) : null),
      run: (job) => this.#runAbortable(job),
      onPollFailure: (err) => log.warn({ err }, 'reading the job queue failed'),
      onRunFailure: (err, job) => log.error({ err, requestId: job.id }, 'finishing a job failed'),
    });
  }

  get running(): number {
    return this.#loop.running;
  }

  /** Jobs that are due, by model, as of the last poll. */
  get waiting(): ReadonlyMap<string, number> {
    return this.#waiting;
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Requeues the jobs that run, for other servers or the next start. */
  async close(): Promise<void> {
    await this.#loop.stop();
    for (const stop of this.#running.values()) stop.abort(new Stopping());
    await this.#loop.idle();
  }

  async #reconcileQueue(): Promise<void> {
    const { queue, cleanup } = this.#parts;
    for (const id of await queue.findLost([...this.#running.keys()])) this.#running.get(id)?.abort(new JobLost());
    await queue.requeueOrphans([...this.#running.keys()]);
    this.#waiting = await queue.countWaiting();
    if (performance.now() - this.#cleanedAtMs < CLEANUP_EVERY_MS) return;
    this.#cleanedAtMs = performance.now();
    await cleanup.run();
  }

  async #runAbortable(job: ClaimedJob): Promise<void> {
    const stop = new AbortController();
    this.#running.set(job.id, stop);
    try {
      await this.#run(job, stop.signal);
    } finally {
      this.#running.delete(job.id);
    }
  }

  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { calls, queue, principalOf, secret, maxDurationSeconds } = this.#parts;
    const principal = await principalOf(job.keyId).catch(() => undefined);
    // Undefined: the database is unavailable.
    if (principal === undefined) return queue.requeue(job.id, backOffMs(BACK_OFF, job.attempts));
    if (principal?.budget?.stop) return queue.requeue(job.id, budgetWaitMs(principal.budget.stop), true);
    const call = calls.openJob({ requestId: job.id, principal: principal ?? withoutRights(job) }, maxDurationSeconds);
    let outcome: JobOutcome;
    let entry: UsageEntry;
    try {
      if (principal === null)
        throw new Fault('UNAUTHORIZED', { message: 'The API key of the job was revoked or has expired.' });
      // Prevents a job that crashes its server from being retried for ever.
      if (job.attempts > ATTEMPTS_MAX) throw new Error('the job was started too often');
      const request = readRequest(secret, job);
      const { transcription: options, split } = request;
      const transcribed = await call.transcribe({ read: () => queue.audioOf(job.id), options, split, signal });
      const include = new Set(request.include);
      const body = Buffer.from(JSON.stringify(successBody(transcribed, { requestId: job.id, include })));
      outcome = this.#success(job, body, request.webhookUrl !== null);
      entry = call.successEntry(transcribed);
    } catch (thrown) {
      if (signal.aborted) return this.#requeueIfStopping(job, signal.reason);
      const fault = asFault(thrown);
      this.#parts.log.warn({ err: fault.cause ?? fault, requestId: job.id, attempts: job.attempts }, 'a job failed');
      if (ERRORS[fault.code].retryable && job.attempts < ATTEMPTS_MAX)
        return queue.requeue(job.id, backOffMs(BACK_OFF, job.attempts));
      outcome = { state: 'failed', code: fault.code, message: fault.message };
      entry = call.failureEntry(fault.code);
    }
    if (await this.#finish(job, outcome, entry, signal)) call.count(entry);
    this.#parts.onEnded?.();
  }

  #success(job: ClaimedJob, body: Buffer, hasWebhook: boolean): JobOutcome {
    return {
      state: 'succeeded',
      sealedResult: sealFor(job.callerPublicKey, PURPOSES.result(job.id), body),
      sealedWebhook: hasWebhook ? seal(this.#parts.secret, PURPOSES.webhook(job.id), body) : null,
    };
  }

  /** Retries until the database responds or the job is lost. */
  async #finish(job: ClaimedJob, outcome: JobOutcome, entry: UsageEntry, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#parts.queue.finish(job.id, outcome, entry);
      } catch (err) {
        this.#parts.log.warn({ err, requestId: job.id }, 'storing the outcome of a job failed');
        if (signal.aborted) return false;
        await wait(FINISH_RETRY_MS);
      }
    }
  }

  async #requeueIfStopping(job: ClaimedJob, reason: unknown): Promise<void> {
    if (reason instanceof Stopping) await this.#parts.queue.requeue(job.id, 0, true).catch(() => {});
  }
}

/** Waits for the budget, but checks every few minutes whether it was raised. */
const budgetWaitMs = ({ opensAtMs }: BudgetStop): number =>
  Math.max(1_000, Math.min(opensAtMs - Date.now(), BUDGET_WAIT_MS_MAX)) * (1 + Math.random() / 10);

/** The principal of the usage row if the key is revoked. */
const withoutRights = ({ accountId, keyId }: ClaimedJob): Principal => ({
  accountId,
  accountName: '',
  keyId,
  vocabulary: [],
  refinement: null,
  rules: NO_KEY_RULES,
  redaction: [],
  languages: [],
  budget: null,
  limits: { maxStreams: 0, maxDurationSeconds: 0, maxUploads: 0, maxWaitingSeconds: 0 },
});
