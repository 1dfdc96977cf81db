// Fills the ledger of a PostgreSQL with years of linked rows: hashed here, then sent through psql, month by month.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { encodeTime } from 'ulid';
import type { Storage } from '../../src/storage/open.ts';
import type { UsageChainsTable, UsageDailyTable, UsageRecordsTable } from '../../src/storage/schema/usage.ts';
import { firstIdAt, monthStartMs } from '../../src/usage/archive/partitions.ts';
import { linkRows, lockEnds, saveEnds } from '../../src/usage/chain/ends.ts';
import { addToDailySums, dailyShare, sumShares } from '../../src/usage/ledger/daily-sums.ts';
import { toRow } from '../../src/usage/ledger/entry-row.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';

export interface Filling {
  readonly databaseUrl: string;
  readonly rows: number;
  readonly months: number;
  readonly accountIds: readonly string[];
  readonly keyIds: readonly string[];
}

const CHUNK_ROWS = 5_000;
const CHUNK_SUMS = 1_000;
const MODELS = ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const;

/** Request n of the benchmark: plausible values, a failure now and then. */
export const entryOf = (
  n: number,
  place: Pick<UsageEntry, 'requestId' | 'accountId' | 'keyId' | 'createdAtMs'>,
): UsageEntry => {
  const failed = n % 50 === 0;
  return {
    ...place,
    mode: n % 3 === 0 ? 'stream' : 'file',
    model: MODELS[n % 3]!,
    status: failed ? (n % 5000 === 0 ? 'FILE_TOO_LARGE' : 'SERVICE_UNAVAILABLE') : 'success',
    audioSeconds: (n % 3000) / 10,
    billedSeconds: failed ? 0 : Math.max(15, Math.ceil((n % 3000) / 10)),
    outputTokenCount: n % 400,
    detectedLanguage: 'en',
    receiveMs: 5,
    recognitionMs: 300,
    refinementMs: 4,
    refinementFallback: null,
  };
};

/** The rows of one account in five go to the first; the others share the rest. */
const accountOf = (n: number, ids: readonly string[]): string =>
  n % 5 === 0 ? ids[0]! : (ids[1 + (n % Math.max(1, ids.length - 1))] ?? ids[0]!);

export const fillLedger = async (storage: Storage, filling: Filling): Promise<void> => {
  const { rows, months, accountIds } = filling;
  const nowMs = Date.now();
  const ends = new Map(await storage.write.transaction().execute((trx) => lockEnds(storage.engine, trx, accountIds)));
  const before = new Map(ends);
  let indexing: Promise<void> = Promise.resolve();
  for (let month = 0, n = 0; month < months; month++) {
    const fromMs = monthStartMs(nowMs, month - months);
    const untilMs = monthStartMs(nowMs, month - months + 1);
    const last = Math.round((rows * (month + 1)) / months);
    const partition = {
      name: `usage_records_${new Date(fromMs).toISOString().slice(0, 7).replace('-', '_')}`,
      fromMs,
      untilMs,
    };
    await copyMonth(storage, filling, partition, ends, n, last);
    n = last;
    await indexing;
    // Indexes are made while the next month is computed.
    indexing = psql(filling.databaseUrl, attachment(partition));
    console.error(`${n} rows of ${rows}`);
  }
  await indexing;
  await storage.write.transaction().execute((trx) => saveEnds(trx, { rows: [], before, after: [...ends.values()] }));
  await psql(filling.databaseUrl, 'analyze;');
};

interface Month {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const attachment = ({ name, fromMs, untilMs }: Month): string => `
  create unique index ${name}_by_link on ${name} (account_id, chain_seq) where chain_seq > 0;
  alter table usage_records attach partition ${name} for values from ('${firstIdAt(fromMs)}') to ('${firstIdAt(untilMs)}');`;

const copyMonth = async (
  storage: Storage,
  { databaseUrl, accountIds, keyIds }: Filling,
  { name, fromMs, untilMs }: Month,
  ends: Map<string, UsageChainsTable>,
  first: number,
  last: number,
): Promise<void> => {
  const client = psqlProcess(databaseUrl);
  client.write(`begin; create table ${name} (like usage_records);\n`);
  let columns: (keyof UsageRecordsTable)[] | undefined;
  const sums = new DailySums();
  for (let n = first; n < last; n += CHUNK_ROWS) {
    const links = Array.from({ length: Math.min(CHUNK_ROWS, last - n) }, (_, at) => {
      const createdAtMs = fromMs + Math.floor(((n + at - first) / (last - first)) * (untilMs - fromMs));
      const requestId = `${encodeTime(createdAtMs)}${String(n + at).padStart(16, '0')}`;
      const accountId = accountOf(n + at, accountIds);
      const keyId = keyIds[(n + at) % keyIds.length]!;
      return { row: toRow(entryOf(n + at, { requestId, accountId, keyId, createdAtMs })), replacesSeq: null };
    });
    const linked = linkRows(ends, links);
    for (const end of linked.after) ends.set(end.account_id, end);
    if (columns === undefined) {
      columns = Object.keys(linked.rows[0]!) as (keyof UsageRecordsTable)[];
      client.write(`copy ${name} (${columns.join(', ')}) from stdin;\n`);
    }
    const names = columns;
    await client.write(
      linked.rows.map((row) => `${names.map((column) => row[column] ?? '\\N').join('\t')}\n`).join(''),
    );
    for (const row of linked.rows) sums.add(dailyShare(row));
  }
  await sums.save(storage);
  client.write('\\.\n');
  await client.end('commit;\n');
};

/** Sums of a month, saved at its end. */
class DailySums {
  #shares: UsageDailyTable[] = [];

  add(share: UsageDailyTable): void {
    this.#shares.push(share);
    if (this.#shares.length > 200_000) this.#shares = sumShares(this.#shares);
  }

  async save({ write }: Storage): Promise<void> {
    const sums = sumShares(this.#shares);
    for (let at = 0; at < sums.length; at += CHUNK_SUMS)
      await write.transaction().execute((trx) => addToDailySums(trx, sums.slice(at, at + CHUNK_SUMS)));
  }
}

const psqlProcess = (databaseUrl: string) => {
  const child = spawn('psql', ['-q', '-v', 'ON_ERROR_STOP=1', databaseUrl], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'close');
  return {
    write: async (text: string): Promise<void> => {
      if (!child.stdin.write(text)) await once(child.stdin, 'drain');
    },
    end: async (text: string): Promise<void> => {
      child.stdin.end(text);
      const [code] = await ended;
      if (code !== 0) throw new Error(`psql ended with ${code}`);
    },
  };
};

const psql = (databaseUrl: string, text: string): Promise<void> => psqlProcess(databaseUrl).end(text);
