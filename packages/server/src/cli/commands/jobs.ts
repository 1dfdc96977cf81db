// `faircopy jobs`: creates, lists, shows and cancels jobs. Results are not shown: only the caller's key decrypts them.
import { basename } from 'node:path';
import { JOB_STATES, type JobState } from '@faircopy/contract';
import { Option } from 'commander';
import type { JobListing } from '../../jobs/job.ts';
import { wholeNumber } from '../arguments.ts';
import {
  addServiceOptions,
  apiKeyOf,
  exitCodeOf,
  openClient,
  type ServiceOptions,
  sentenceOf,
} from '../client/service-client.ts';
import type { ConfigureCommand } from '../command.ts';
import { isoOrNull, print, printJson, printTable, sanitise, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface ListOptions {
  readonly account?: string;
  readonly state?: JobState;
  readonly limit: number;
  readonly json?: boolean;
}

const LIST_MAX_DEFAULT = 50;

const list = ({ account: accountName, state, limit, json }: ListOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed, listAccounts }, { listJobs }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../jobs/job-list.ts'),
    ]);
    const accountId = accountName === undefined ? undefined : (await accountNamed(storage.read, accountName)).id;
    // Reads one more than is shown, to know whether there are more.
    const found = await listJobs(storage, { accountId, state, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const names = new Map((await listAccounts(storage.read)).map((account) => [account.id, account.name]));
    const nameOf = (job: JobListing): string => names.get(job.accountId) ?? job.accountId;
    if (json) return void (await printJson(shown.map((job) => toJson(job, nameOf(job)))));
    await printTable(shown, [
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
    ]);
    if (shown.length === 0) console.error('There are no such jobs.');
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
    await printJson(toJson(job, name));
  });

const cancel = (id: string): Promise<void> =>
  withStorage(async (storage) => {
    const { cancelJob } = await import('../../jobs/job-list.ts');
    const job = await cancelJob(storage, { id });
    console.error(`Cancelled ${sanitise(job.id)}. It is not billed. A server that runs it stops within a second.`);
  });

interface CreateOptions extends ServiceOptions {
  readonly term?: readonly string[];
  readonly webhook?: string;
}

const create = async (file: string, options: CreateOptions): Promise<void> => {
  if (!(await openClient(options))) return;
  const [{ JobClient }, { blobOf }] = await Promise.all([
    import('../client/job-client.ts'),
    import('../client/recording-upload.ts'),
  ]);
  const { url, model, language, languages, redact, term: vocabulary = [], webhook, json } = options;
  try {
    const { job } = await new JobClient({ url, apiKey: apiKeyOf(options) }).create(await blobOf(file), {
      model,
      language,
      languages,
      redact,
      vocabulary,
      webhook,
      include: [],
      fileName: file === '-' ? 'audio' : basename(file),
    });
    await (json ? printJson(job) : print(`${job.id}\n`));
  } catch (thrown) {
    console.error(`${sanitise(file)}: ${sentenceOf(thrown)}`);
    process.exitCode = exitCodeOf(thrown);
  }
};

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

export const configureJobs: ConfigureCommand = (jobs) => {
  addServiceOptions(jobs.command('create').argument('<file>', 'a recording; - for standard input'))
    .description('send a recording to a running server as a job; prints its id')
    .option('--term <term...>', 'expected terms: names, products, jargon')
    .option('--webhook <address>', 'https address that receives the result')
    .action(create);
  jobs
    .command('list')
    .description('list jobs, newest first')
    .option('--account <name>', 'only jobs of this account')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(JOB_STATES.slice(1)))
    .option('--limit <n>', 'show at most this many', wholeNumber(1, 999_999), LIST_MAX_DEFAULT)
    .option('--json', 'print JSON')
    .action(list);
  jobs
    .command('show')
    .argument('<id>', 'as shown by "jobs list"')
    .description('show a job without its result, as JSON')
    .action(show);
  jobs
    .command('cancel')
    .argument('<id>', 'as shown by "jobs list"')
    .description('cancel a waiting or running job; it is not billed')
    .action(cancel);
};
