// Part of the composition root: builds what jobs need, where the operator has turned them on.
import type { FastifyInstance } from 'fastify';
import { principalOfKey } from '../accounts/authentication/key-lookup.ts';
import type { AccountLimits } from '../accounts/principal.ts';
import type { Calls } from '../calls/calls.ts';
import { addJobs } from '../endpoints/jobs/jobs.ts';
import { JobCleanup } from '../jobs/job-cleanup.ts';
import { JobIntake } from '../jobs/job-intake.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { Signer } from '../jobs/webhooks/signer.ts';
import { PUBLIC_RECEIVERS, type ReceiverRules } from '../jobs/webhooks/webhook-request.ts';
import { WebhookSender } from '../jobs/webhooks/webhook-sender.ts';
import { WebhookTable } from '../jobs/webhooks/webhook-table.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { Storage } from '../storage/open.ts';
import { longUploadTimeoutMs } from '../transport/http/settings.ts';
import type { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import type { Config } from './config.ts';

export interface OpenJobsParts {
  readonly config: Config;
  readonly storage: Storage;
  readonly calls: Calls;
  readonly meter: LedgerMeter;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  readonly holderId: string;
  readonly limits: AccountLimits;
  /** Signs webhooks with the key of receipts. */
  readonly signer: Signer;
  readonly receivers?: ReceiverRules | undefined;
}

export interface Jobs {
  /** The models are there: work begins. */
  start(): void;
  close(): Promise<void>;
}

const MB = 1024 * 1024;
/** One account may have this share of the audio in waiting jobs. */
const SHARE_PER_ACCOUNT = 1 / 4;
const NO_JOBS: Jobs = { start: () => {}, close: async () => {} };

export const openJobs = (http: FastifyInstance, parts: OpenJobsParts): Jobs => {
  const { config, storage, calls, meter, readiness, metrics, clock, log, holderId, limits, signer } = parts;
  const { receivers = PUBLIC_RECEIVERS } = parts;
  const { jobsSecret: secret, models, fileFormats: formats } = config;
  if (!config.jobs || secret === undefined) return NO_JOBS;
  const keepMs = config.jobsKeepHours * 60 * 60_000;
  const queue = new JobQueue({ storage, meter, holderId, secret, keepMs });
  const table = new WebhookTable(storage);
  const sender = new WebhookSender({ table, signer, rules: receivers, secret, log });
  const runner = new JobRunner({
    ...{ queue, cleanup: new JobCleanup(storage, queue), calls, readiness, log, secret, models, formats },
    principalOf: (keyId) => principalOfKey(storage.read, limits, keyId, clock.now()),
    maxDurationSeconds: config.jobsMaxDurationSeconds,
    concurrency: config.jobsConcurrency,
    onEnded: () => sender.wake(),
  });
  metrics.watch('faircopy_jobs_running', 'Jobs that this server works on.', () => runner.running);
  const intake = new JobIntake({
    ...{ storage, holderId, secret },
    limits: {
      openPerAccountMax: config.jobsMaxWaiting,
      accountBytesMax: SHARE_PER_ACCOUNT * config.jobsMaxTotalMb * MB,
      bytesMax: config.jobsMaxTotalMb * MB,
      keepMs,
    },
  });
  addJobs(http, {
    ...{ storage, calls, intake, models, receivers },
    fileBytesMax: config.jobsMaxFileMb * MB,
    uploadTimeoutMs: longUploadTimeoutMs(config),
    onChange: () => {
      runner.wake();
      sender.wake();
    },
  });
  return {
    start: () => {
      runner.start();
      sender.start();
    },
    close: async () => {
      await runner.close();
      await sender.close();
    },
  };
};
