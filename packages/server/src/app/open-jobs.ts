// Opens jobs, unless the operator turned them off: intake, queue, runner, webhooks and endpoints.
import { principalOfKey } from '../accounts/authentication/key-lookup.ts';
import type { Calls } from '../calls/calls.ts';
import type { JobUploadParts } from '../endpoints/jobs/job-upload.ts';
import { addJobs } from '../endpoints/jobs/jobs.ts';
import { JobCleanup } from '../jobs/job-cleanup.ts';
import { JobIntake } from '../jobs/job-intake.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { watchJobs } from '../jobs/metrics.ts';
import { PUBLIC_RECEIVERS } from '../jobs/webhooks/webhook-request.ts';
import { WebhookSender } from '../jobs/webhooks/webhook-sender.ts';
import { WebhookTable } from '../jobs/webhooks/webhook-table.ts';
import { secretInFolder } from '../storage/files/secret-file.ts';
import { volumeOf } from '../storage/free-space.ts';
import { longUploadTimeoutMs } from '../transport/http/settings.ts';
import type { Config } from './config.ts';
import type { Accounts } from './open-accounts.ts';
import type { Database } from './open-database.ts';
import type { Web } from './open-http.ts';
import type { Base } from './open-observability.ts';
import type { Usage } from './open-usage.ts';
import { servedTiers, type TierSources } from './tier-readiness.ts';

export interface JobSources {
  readonly base: Base;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly usage: Usage;
  readonly web: Web;
  readonly calls: Calls;
  readonly speech: TierSources;
}

export interface Jobs {
  /** Call this when the models are loaded. */
  start(): void;
  close(): Promise<void>;
  /** For the console, which accepts jobs too and reads their results. */
  readonly forConsole?: { readonly upload: JobUploadParts; readonly secret: string };
}

const MB = 1024 * 1024;
const HOUR_MS = 60 * 60_000;
/** One account may have this share of the audio in waiting jobs. */
const SHARE_PER_ACCOUNT = 1 / 4;
const NO_JOBS: Jobs = { start: () => {}, close: async () => {} };

const SECRET_NAME = 'jobs-secret';

/** Undefined when jobs are off. */
const secretOf = async ({ jobs, jobsSecret, databaseUrl, dataDir }: Config): Promise<string | undefined> => {
  if (jobs === false) return undefined;
  return jobsSecret ?? (databaseUrl === undefined ? secretInFolder(dataDir, SECRET_NAME) : undefined);
};

export const openJobs = async ({ base, database, accounts, usage, web, calls, speech }: JobSources): Promise<Jobs> => {
  const { config, overrides, clock, log, metrics, readiness } = base;
  const { models } = config;
  const secret = await secretOf(config);
  if (secret === undefined) return NO_JOBS;
  const { storage, processId: holderId } = database;
  const receivers = overrides.receivers ?? PUBLIC_RECEIVERS;
  const keepMs = config.jobsKeepHours * HOUR_MS;
  const queue = new JobQueue({ storage, meter: usage.meter, holderId, secret, keepMs });
  const sender = new WebhookSender({
    table: new WebhookTable(storage),
    signer: usage.signer,
    rules: receivers,
    secret,
    log,
  });
  const intake = new JobIntake({
    storage,
    holderId,
    secret,
    readVolume: config.databaseUrl === undefined ? () => volumeOf(config.dataDir) : undefined,
    limits: {
      openPerAccountMax: config.jobsMaxWaiting,
      accountBytesMax: SHARE_PER_ACCOUNT * config.jobsMaxTotalMb * MB,
      bytesMax: config.jobsMaxTotalMb * MB,
      keepMs,
    },
  });
  const runner = new JobRunner({
    queue,
    cleanup: new JobCleanup(storage, queue, intake),
    calls,
    readiness,
    log,
    secret,
    servedModels: () => servedTiers(models, speech),
    principalOf: (keyId) => principalOfKey(storage.read, accounts.limits, keyId, clock.now()),
    maxDurationSeconds: config.jobsMaxDurationSeconds,
    concurrency: config.jobsConcurrency,
    onEnded: () => sender.wake(),
  });
  watchJobs(metrics, runner);
  const upload: JobUploadParts = {
    storage,
    calls,
    intake,
    models,
    receivers,
    fileBytesMax: config.jobsMaxFileMb * MB,
    maxDurationSeconds: config.jobsMaxDurationSeconds,
    uploadTimeoutMs: longUploadTimeoutMs(config),
    onChange: () => {
      runner.wake();
      sender.wake();
    },
  };
  addJobs(web.http, upload);
  return {
    forConsole: { upload, secret },
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
