// `faircopy jobs`: jobs listed, looked at and cancelled, also while a server runs. Results are not shown: only callers can
// open them.
import { JOB_STATES, type JobState } from '@faircopy/contract';
import { InvalidArgumentError, Option } from 'commander';
import type { JobListing } from '../../jobs/job.ts';
import type { AddCommand } from '../command.ts';
import { type Column, formatTable, harmless, isoOrNull, print, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface ListOptions {
  readonly account?: string;
  readonly state?: JobState;
  readonly limit: number;
  readonly json?: boolean;
}

const LIST_MAX_DEFAULT = 50;

const list = ({ account: name, state, limit, json }: ListOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed, listAccounts }, { listJobs }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../jobs/job-list.ts'),
    ]);
    const accountId = name === undefined ? undefined : (await accountNamed(storage.read, name)).id;
    // One more than is shown tells whether there are more.
    const found = await listJobs(storage, { accountId, state, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const names = new Map((await listAccounts(storage.read)).map((account) => [account.id, account.name]));
    const nameOf = (job: JobListing): string => names.get(job.accountId) ?? job.accountId;
    if (json) {
      await print(
        `${JSON.stringify(
          shown.map((job) => toJson(job, nameOf(job))),
          null,
          2,
        )}\n`,
      );
      return;
    }
    const columns: Column<JobListing>[] = [
      { title: 'id', value: (job) => job.id },
      { title: 'account', value: nameOf },
      { title: 'state', value: (job) => job.state },
      { title: 'model', value: (job) => job.model },
      { title: 'MB', value: (job) => (job.audioBytes / 2 ** 20).toFixed(1) },
      { title: 'tries', value: (job) => job.attempts },
      { title: 'created', value: (job) => shortTime(job.createdAtMs) },
      { title: 'ended', value: (job) => shortTime(job.endedAtMs) },
      { title: 'error', value: (job) => job.error?.code ?? null },
      { title: 'webhook', value: (job) => job.webhook?.state ?? null },
    ];
    await print(formatTable(shown, columns, process.stdout.isTTY));
    if (shown.length === 0) console.error('There are no jobs that fit.');
    if (found.length > limit) console.error('There are more. Add --limit N, --state STATE or --account NAME.');
  });

const show = (id: string): Promise<void> =>
  withStorage(async (storage) => {
    const [{ findJob }, { accountById }] = await Promise.all([
      import('../../jobs/job-list.ts'),
      import('../../accounts/accounts.ts'),
    ]);
    const { job } = await findJob(storage, { id });
    const { name } = await accountById(storage.read, job.accountId);
    await print(`${JSON.stringify(toJson(job, name), null, 2)}\n`);
  });

const cancel = (id: string): Promise<void> =>
  withStorage(async (storage) => {
    const { cancelJob } = await import('../../jobs/job-list.ts');
    const job = await cancelJob(storage, { id });
    console.error(`Cancelled ${harmless(job.id)}. Nothing is billed; a server that works on it stops within a second.`);
  });

const toJson = (job: JobListing, account: string) => ({
  id: job.id,
  account,
  key_id: job.keyId,
  state: job.state,
  model: job.model,
  audio_bytes: job.audioBytes,
  attempts: job.attempts,
  created_at: isoOrNull(job.createdAtMs),
  started_at: isoOrNull(job.startedAtMs),
  ended_at: isoOrNull(job.endedAtMs),
  expires_at: isoOrNull(job.expiresAtMs),
  error: job.error,
  webhook: job.webhook,
});

const count = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
};

export const addJobs: AddCommand = (program) => {
  const jobs = program.command('jobs').description('files that are transcribed later');
  jobs
    .command('list')
    .description('jobs, newest first')
    .option('--account <name>', 'of one account only')
    .addOption(new Option('--state <state>', 'in one state only').choices(JOB_STATES.slice(1)))
    .option('--limit <n>', 'at most so many', count, LIST_MAX_DEFAULT)
    .option('--json', 'as JSON')
    .action(list);
  jobs
    .command('show')
    .argument('<id>', 'its id, as lists show it')
    .description('everything about a job but its result, as JSON')
    .action(show);
  jobs
    .command('cancel')
    .argument('<id>', 'its id, as lists show it')
    .description('end a job that waits or runs; it is not billed')
    .action(cancel);
};
