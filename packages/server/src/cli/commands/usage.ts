// `faircopy usage`: usage records of an account's requests, newest first, or sums of them.
import { MODEL_IDS, type ModelId, type UsageRecord } from '@faircopy/contract';
import { InvalidArgumentError, Option } from 'commander';
import type { Storage } from '../../storage/open.ts';
import type { UsageQuery } from '../../usage/reports/records.ts';
import type { SumsQuery } from '../../usage/reports/sums.ts';
import { parseWhen, wholeNumber } from '../arguments.ts';
import type { ConfigureCommand } from '../command.ts';
import { type Column, print, printJson, printTable } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface UsageOptions {
  readonly account: string;
  readonly since?: number;
  readonly until?: number;
  readonly model?: ModelId;
  readonly status?: UsageQuery['status'];
  readonly tag?: string;
  readonly limit?: number;
  readonly by?: readonly Grouping[];
  readonly json?: boolean;
  readonly csv?: boolean;
}

type Grouping = Exclude<SumsQuery['by'][number], 'account'>;
const GROUPINGS = ['day', 'month', 'model', 'key', 'mode', 'status'] as const satisfies readonly Grouping[];

const TABLE_RECORDS_DEFAULT = 50;

const usage = (options: UsageOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { eachUsage }, { CSV_HEADER, csvLine }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../usage/reports/records.ts'),
      import('../../usage/reports/csv.ts'),
    ]);
    const account = await accountNamed(storage.read, options.account);
    if (options.by) return printSums(storage, account.id, options, options.by);
    const records = eachUsage(storage, {
      accountId: account.id,
      model: options.model,
      status: options.status,
      tag: options.tag,
      sinceMs: options.since,
      untilMs: options.until,
    });
    if (options.json) await printJsonArray(upTo(records, options.limit));
    else if (options.csv) await printLines(CSV_HEADER, upTo(records, options.limit), csvLine);
    else await printRecords(records, options.limit ?? TABLE_RECORDS_DEFAULT);
  });

async function* upTo<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<T, void, undefined> {
  if (limit <= 0) return;
  let count = 0;
  for await (const item of items) {
    yield item;
    if (++count >= limit) return;
  }
}

const printLines = async (
  head: string,
  records: AsyncIterable<UsageRecord>,
  format: (record: UsageRecord) => string,
): Promise<void> => {
  let hasReader = await print(head);
  for await (const record of records) {
    hasReader &&= await print(format(record));
    if (!hasReader) return;
  }
};

/** Prints one array with a record per line, which is written as it is read. */
const printJsonArray = async (records: AsyncIterable<UsageRecord>): Promise<void> => {
  let separator = '\n';
  await printLines('[', records, (record) => {
    const line = `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
    return line;
  });
  await print('\n]\n');
};

const printRecords = async (records: AsyncIterable<UsageRecord>, limit: number): Promise<void> => {
  const found: UsageRecord[] = [];
  // Reads one more than is shown, to know whether there are more.
  for await (const record of upTo(records, limit + 1)) found.push(record);
  await printTable(found.slice(0, limit), [
    { title: 'time', value: (record) => record.created_at.slice(0, 19).replace('T', ' ') },
    { title: 'request', value: (record) => record.request_id },
    { title: 'mode', value: (record) => record.mode },
    { title: 'model', value: (record) => record.model },
    { title: 'status', value: (record) => record.status },
    { title: 'audio s', value: (record) => record.audio_seconds.toFixed(1) },
    { title: 'billed s', value: (record) => record.billed_audio_seconds },
    { title: 'tokens', value: (record) => record.output_token_count },
    { title: 'lang', value: (record) => record.detected_language },
    { title: 'key', value: (record) => record.key_name },
  ]);
  if (found.length === 0) console.error('There are no such records.');
  if (found.length > limit) console.error('There are more. Add --limit N, --since 7d, or --csv for all of them.');
};

/** Sums are kept per day, so the whole days of `since` and `until` count. */
const printSums = async (
  storage: Storage,
  accountId: string,
  { since, until, model, status, tag, json }: UsageOptions,
  by: readonly Grouping[],
): Promise<void> => {
  const [{ sumUsage }, { daysOf }] = await Promise.all([
    import('../../usage/reports/sums.ts'),
    import('../../usage/reports/query-times.ts'),
  ]);
  const sums = await sumUsage(storage, {
    accountId,
    model,
    status,
    tag,
    by,
    ...daysOf(since, until),
  });
  const figures = sums.map((sum) => ({
    ...sum.group,
    requests: sum.requests,
    errors: sum.errors,
    // A sum of many rows accumulates their rounding errors.
    audio_seconds: Math.round(sum.audioSeconds * 1000) / 1000,
    billed_audio_seconds: sum.billedSeconds,
    output_token_count: sum.outputTokenCount,
  }));
  if (json) return void (await printJson(figures));
  const columns: Column<Record<string, string | number | null>>[] = [
    ...by.map((grouping) => ({
      title: grouping,
      value: (row: Record<string, string | number | null>) => row[grouping]!,
    })),
    { title: 'requests', value: (row) => row.requests! },
    { title: 'errors', value: (row) => row.errors! },
    { title: 'audio s', value: (row) => Number(row.audio_seconds).toFixed(1) },
    { title: 'billed s', value: (row) => row.billed_audio_seconds! },
    { title: 'tokens', value: (row) => row.output_token_count! },
  ];
  await printTable(figures, columns);
};

const groupings = (text: string): Grouping[] => {
  const asked = text.split(',').map((word) => word.trim());
  const unknown = asked.find((word) => !(GROUPINGS as readonly string[]).includes(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`Choose from ${GROUPINGS.join(', ')}.`);
  return asked as Grouping[];
};

export const configureUsage: ConfigureCommand = (command) => {
  command
    .requiredOption('--account <name>')
    .option('--since <when>', 'since a date, or a span such as 7d', (text) => parseWhen(text, 'ago'))
    .option('--until <when>', 'before a date, or a span such as 1d ago', (text) => parseWhen(text, 'ago'))
    .addOption(new Option('--model <id>', 'only requests with this model').choices(MODEL_IDS))
    .option('--status <code>', '"success", an error code, or "errors" for all errors')
    .option('--tag <tag>', 'only requests with this tag')
    .option('--by <groups>', `print sums by ${GROUPINGS.join(', ')}; separate several with commas`, groupings)
    .option('--limit <n>', 'show at most this many', wholeNumber(0, 999_999_999))
    .addOption(new Option('--json', 'print all records as a JSON array').conflicts('csv'))
    .option('--csv', 'print all records as CSV')
    .action(usage);
};
