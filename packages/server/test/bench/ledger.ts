// Measures the speed of the ledger (writes through the meter, sums, lists, exports, the archive) and of the key check.
// `npm run bench:ledger -- [rows] [DATABASE_URL] [filled]`: SQLite in a temporary folder, or an empty PostgreSQL.
// `filled` rows of 24 months are created before the others are written (PostgreSQL only; needs psql).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeTime, monotonicFactory } from 'ulid';
import { sql } from '#kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { newKey } from '../../src/accounts/keys/key-format.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { openStorage } from '../../src/storage/open.ts';
import { archiveUsage } from '../../src/usage/archive/archive.ts';
import { verifyArchive } from '../../src/usage/archive/archive-files.ts';
import { listPartitions } from '../../src/usage/archive/partitions.ts';
import { checkChains } from '../../src/usage/chain/check.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { ReceiptSigner } from '../../src/usage/receipts/signing-keys.ts';
import { csvLine } from '../../src/usage/reports/csv.ts';
import { eachUsage, listUsage } from '../../src/usage/reports/records.ts';
import { sumUsage } from '../../src/usage/reports/sums.ts';
import { entryOf, fillLedger } from './fill-ledger.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const databaseUrl = process.argv[3];
const filled = Number(process.argv[4] ?? 0);
const FILLED_MONTHS = 24;
const FILLED_ACCOUNTS = 20;
const WRITERS = 500;
const DAYS = 90;
/** Enough to measure the rate: every page costs the same. */
const CSV_RECORDS_MAX = 3_000_000;

const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-bench-'));
const storage = await openStorage({ dataDir, databaseUrl, statementMsMax: 0 });
const account = await createAccount(storage, `bench ${Date.now()}`);
const keys = await Promise.all(
  Array.from({ length: 10 }, (_, n) =>
    createKey(storage, { accountId: account.id, name: `key ${n}`, createdBy: null }),
  ),
);
const results: { what: string; firstMs: number; medianMs: number; scanned: number }[] = [];
const round = (value: number) => Math.round(value * 100) / 100;

/** Usage rows that PostgreSQL has read by scanning tables from end to end. */
const rowsScanned = async (): Promise<number> => {
  if (storage.engine === 'sqlite') return 0;
  // PostgreSQL publishes the counters of a connection when it has been idle for a while.
  await delay(1_500);
  const { rows: found } = await sql<{ read: number }>`select sum(seq_tup_read) as read from pg_stat_user_tables
    where relname like 'usage_records%'`.execute(storage.read);
  return found[0]!.read;
};

/** Median of a few runs. The first run also loads what is not in memory yet, and is shown separately. */
const time = async (what: string, work: () => Promise<unknown>, runs = 5): Promise<void> => {
  const took: number[] = [];
  const scannedBefore = await rowsScanned();
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    await work();
    took.push(performance.now() - begun);
  }
  const scanned = (await rowsScanned()) - scannedBefore;
  results.push({ what, firstMs: round(took[0]!), medianMs: round(took.sort((a, b) => a - b)[runs >> 1]!), scanned });
  console.error(`${what}: ${round(took[runs >> 1]!)} ms`);
};

/** Fills the ledger, unless an earlier run has. Returns its accounts, the largest first. */
async function filledLedger(url: string): Promise<string[]> {
  const name = (n: number) => `filled ${n}`;
  const found = await storage.read.selectFrom('accounts').selectAll().where('name', 'like', 'filled %').execute();
  const ids = new Map(found.map((each) => [each.name, each.id]));
  const isFilled = ids.size > 0;
  for (let n = 1; n <= FILLED_ACCOUNTS; n++)
    if (!isFilled) ids.set(name(n), (await createAccount(storage, name(n))).id);
  const accountIds = Array.from({ length: FILLED_ACCOUNTS }, (_, n) => ids.get(name(n + 1))!);
  if (!isFilled) {
    const begun = performance.now();
    const keyIds = keys.map(({ listing }) => listing.id);
    await fillLedger(storage, { databaseUrl: url, rows: filled, months: FILLED_MONTHS, accountIds, keyIds });
    console.log(`${filled} rows of ${FILLED_MONTHS} months filled in ${round((performance.now() - begun) / 1000)} s\n`);
  }
  return accountIds;
}

const filledAccounts = filled > 0 && databaseUrl ? await filledLedger(databaseUrl) : [];
const meter = new LedgerMeter(storage);
const ulid = monotonicFactory();
const beginMs = Date.now() - DAYS * 86_400_000;
let written = 0;
const writer = async (): Promise<void> => {
  for (let n = written++; n < rows; n = written++) {
    await meter.record(
      entryOf(n, {
        requestId: ulid(),
        accountId: account.id,
        keyId: keys[n % 10]!.listing.id,
        createdAtMs: beginMs + Math.floor((n / rows) * DAYS * 86_400_000),
      }),
    );
  }
};
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
const scannedBefore = await rowsScanned();
const begun = performance.now();
await Promise.all(Array.from({ length: WRITERS }, writer));
const perSecond = Math.round(rows / ((performance.now() - begun) / 1000));
lag.disable();
const scannedByWriters = (await rowsScanned()) - scannedBefore;
console.log(
  `${storage.engine}: ${rows} rows written durably at ${perSecond}/s by ${WRITERS} callers; event-loop delay ` +
    `p99 ${round(lag.percentile(99) / 1e6)} ms, max ${round(lag.max / 1e6)} ms; ${scannedByWriters} rows scanned\n`,
);

const accountId = filledAccounts[0] ?? account.id;
await time('sums per day', () => sumUsage(storage, { accountId, by: ['day'] }));
await time('sums per day and model', () => sumUsage(storage, { accountId, by: ['day', 'model'] }));
await time('sums per key', () => sumUsage(storage, { accountId, by: ['key'] }));
await time('sums per status, all accounts', () => sumUsage(storage, { by: ['status'] }));
await time('first page of 100', () => listUsage(storage, { accountId }, { limit: 100 }));
const middle = `${beginMs + (DAYS / 2) * 86_400_000}.01K9ZQ5W0Q4T9Y6X2V8B3N7M1C`;
await time('a page from the middle', () => listUsage(storage, { accountId }, { limit: 100, after: middle }));
await time('page of a rare error', () => listUsage(storage, { accountId, status: 'FILE_TOO_LARGE' }, { limit: 100 }));
await time('page of all errors', () => listUsage(storage, { accountId, status: 'errors' }, { limit: 100 }));
await time('page of one key', () => listUsage(storage, { accountId, keyId: keys[3]!.listing.id }, { limit: 100 }));
const csv = { records: 0, firstMs: 0, mostMiB: 0 };
await time(
  'records as CSV',
  async () => {
    const fromMs = performance.now();
    for await (const record of eachUsage(storage, { accountId })) {
      if (csvLine(record) !== '') csv.records += 1;
      if (csv.records === 1) csv.firstMs = performance.now() - fromMs;
      if (csv.records % 10_000 === 0) csv.mostMiB = Math.max(csv.mostMiB, process.memoryUsage.rss() / 2 ** 20);
      if (csv.records === CSV_RECORDS_MAX) break;
    }
  },
  1,
);
console.log(
  `${csv.records} records exported, the first after ${round(csv.firstMs)} ms; at most ${Math.round(csv.mostMiB)} MiB resident`,
);
await time(
  'the whole chain, checked',
  async () => {
    const { faults, links } = await checkChains(storage);
    if (faults.length > 0 || links < rows) throw new Error(`${links} of ${rows} links; ${faults[0]?.message}`);
    console.log(`${links} links checked`);
  },
  1,
);
if (filledAccounts.length > 0) {
  const oldest = (await listPartitions(storage.read))[0]!;
  const beforeMs = decodeTime(`${oldest.endId}${'0'.repeat(16)}`);
  const ports = { storage, signer: new ReceiptSigner(storage) };
  await time(
    `${oldest.name} archived and dropped`,
    async () => console.log(await archiveUsage(ports, { folder: dataDir, beforeMs })),
    1,
  );
  await time('the archive, verified', async () => console.log(await verifyArchive(dataDir, undefined)), 1);
}

const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS });
await time('10,000 checks of a known key', async () => {
  for (let n = 0; n < 10_000; n++) await authenticator.authenticate(keys[n % 10]!.key);
});
const strangers = Array.from({ length: 10_000 }, () => newKey());
await time('10,000 unknown keys at once, well formed', async () => {
  for (let at = 0; at < strangers.length; at += 2000)
    await Promise.all(strangers.slice(at, at + 2000).map((key) => authenticator.authenticate(key)));
});
console.log('\n| what | first ms | median ms | rows scanned |\n|---|---:|---:|---:|');
// A dropped partition loses its counters.
for (const { what, firstMs, medianMs, scanned } of results)
  console.log(`| ${what} | ${firstMs} | ${medianMs} | ${scanned < 0 ? '–' : scanned} |`);

await authenticator.close();
await meter.close();
await storage.close();
await rm(dataDir, { recursive: true, force: true });
