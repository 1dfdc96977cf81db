// `faircopy usage`: the records of an account's requests, newest first, and their sums.
import { MODEL_IDS, type ModelId, type UsageRecord } from '@faircopy/contract';
import { InvalidArgumentError, Option } from 'commander';
import type { Storage } from '../../storage/open.ts';
import type { UsageQuery } from '../../usage/reports/records.ts';
import type { SumsQuery } from '../../usage/reports/sums.ts';
import type { AddCommand } from '../command.ts';
import { type Column, formatTable, print } from '../output.ts';
import { parseWhen } from '../when.ts';
import { withStorage } from '../with-storage.ts';

interface UsageOptions {
  readonly account: string;
  readonly since?: number;
  readonly until?: number;
  readonly model?: ModelId;
  readonly status?: UsageQuery['status'];
  readonly limit?: number;
  readonly by?: readonly Grouping[];
  readonly json?: boolean;
  readonly csv?: boolean;
}

type Grouping = Exclude<SumsQuery['by'][number], 'account'>;
const GROUPINGS = ['day', 'month', 'model', 'key', 'mode', 'status'] as const satisfies readonly Grouping[];

/** On a terminal more lines than this are seldom read. */
const TERMINAL_RECORDS = 50;

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
      sinceMs: options.since,
      untilMs: options.until,
    });
    if (options.json) await printJson(upTo(records, options.limit));
    else if (options.csv) await printLines(CSV_HEADER, upTo(records, options.limit), csvLine);
    else await printTable(records, options.limit ?? TERMINAL_RECORDS);
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
  let wanted = await print(head);
  for await (const record of records) {
    wanted &&= await print(format(record));
    if (!wanted) return;
  }
};

/** One array, a record a line, written as it is read. */
const printJson = async (records: AsyncIterable<UsageRecord>): Promise<void> => {
  let separator = '\n';
  await printLines('[', records, (record) => {
    const line = `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
    return line;
  });
  await print('\n]\n');
};

const printTable = async (records: AsyncIterable<UsageRecord>, limit: number): Promise<void> => {
  const shown: UsageRecord[] = [];
  // One more than is shown tells whether there are more.
  for await (const record of upTo(records, limit + 1)) shown.push(record);
  const more = shown.length > limit;
  const columns: Column<UsageRecord>[] = [
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
  ];
  await print(formatTable(shown.slice(0, limit), columns, process.stdout.isTTY));
  if (shown.length === 0) console.error('There are no records that fit.');
  if (more) console.error(`There are more. Add --limit N, --since 7d, or --csv for all of them.`);
};

/** Sums are kept by day, so the days of `since` and `until` count whole. */
const printSums = async (
  storage: Storage,
  accountId: string,
  { since, until, model, status, json }: UsageOptions,
  by: readonly Grouping[],
): Promise<void> => {
  const [{ sumUsage }, { dayOf }] = await Promise.all([
    import('../../usage/reports/sums.ts'),
    import('../../usage/ledger/daily-sums.ts'),
  ]);
  const sums = await sumUsage(storage, {
    accountId,
    model,
    status,
    by,
    fromDay: since === undefined ? undefined : dayOf(since),
    toDay: until === undefined ? undefined : dayOf(until),
  });
  const figures = sums.map((sum) => ({
    ...sum.group,
    requests: sum.requests,
    errors: sum.errors,
    audio_seconds: sum.audioSeconds,
    billed_audio_seconds: sum.billedSeconds,
    output_token_count: sum.outputTokenCount,
  }));
  if (json) return void (await print(`${JSON.stringify(figures, null, 2)}\n`));
  const columns: Column<Record<string, string | number | null>>[] = [
    ...by.map((grouping) => ({
      title: grouping,
      value: (row: Record<string, string | number | null>) => row[grouping]!,
    })),
    { title: 'requests', value: (row) => row.requests! },
    { title: 'errors', value: (row) => row.errors! },
    { title: 'audio s', value: (row) => row.audio_seconds! },
    { title: 'billed s', value: (row) => row.billed_audio_seconds! },
    { title: 'tokens', value: (row) => row.output_token_count! },
  ];
  await print(formatTable(figures, columns, process.stdout.isTTY));
};

const groupings = (text: string): Grouping[] => {
  const asked = text.split(',').map((word) => word.trim());
  const unknown = asked.find((word) => !(GROUPINGS as readonly string[]).includes(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`Choose from ${GROUPINGS.join(', ')}.`);
  return asked as Grouping[];
};

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
};

export const addUsage: AddCommand = (program) => {
  program
    .command('usage')
    .description("the records of an account's requests, newest first")
    .requiredOption('--account <name>', 'whose requests')
    .option('--since <when>', 'from a date on, or a span such as 7d', (text) => parseWhen(text, 'ago'))
    .option('--until <when>', 'before a date, or a span such as 1d ago', (text) => parseWhen(text, 'ago'))
    .addOption(new Option('--model <id>', 'of one model').choices(MODEL_IDS))
    .option('--status <code>', '"success", an error code, or "errors" for all of them')
    .option('--by <groups>', `sums instead of records: ${GROUPINGS.join(', ')}, or several with commas`, groupings)
    .option('--limit <n>', 'at most so many', count)
    .addOption(new Option('--json', 'all records as a JSON array').conflicts('csv'))
    .option('--csv', 'all records as CSV')
    .action(usage);
};
