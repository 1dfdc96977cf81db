// How fast the ledger is at a million rows: writing through the meter, sums, lists, an export; and the key check.
// `npm run bench:ledger -- [rows] [DATABASE_URL]`: SQLite in a temporary folder, or the PostgreSQL schema that is named.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { monotonicFactory } from 'ulid';
import { createAccount } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { newKey } from '../../src/accounts/keys/key-format.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { openStorage } from '../../src/storage/open.ts';
import { checkChains } from '../../src/usage/chain/check.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { eachUsage, listUsage } from '../../src/usage/reports/records.ts';
import { sumUsage } from '../../src/usage/reports/sums.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const databaseUrl = process.argv[3];
const WRITERS = 500;
const DAYS = 90;

const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-bench-'));
const storage = await openStorage({ dataDir, databaseUrl });
const account = await createAccount(storage, `bench ${Date.now()}`);
const keys = await Promise.all(
  Array.from({ length: 10 }, (_, n) =>
    createKey(storage, { accountId: account.id, name: `key ${n}`, createdBy: null }),
  ),
);
const results: { what: string; firstMs: number; medianMs: number }[] = [];
const round = (value: number) => Math.round(value * 100) / 100;

/** Median of a few runs; the first one pays for what is not in memory yet and is shown apart. */
const time = async (what: string, work: () => Promise<unknown>, runs = 5): Promise<void> => {
  const took: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    await work();
    took.push(performance.now() - begun);
  }
  results.push({ what, firstMs: round(took[0]!), medianMs: round(took.sort((a, b) => a - b)[runs >> 1]!) });
};

const meter = new LedgerMeter(storage);
const ulid = monotonicFactory();
const beginMs = Date.now() - DAYS * 86_400_000;
let written = 0;
const writer = async (): Promise<void> => {
  for (let n = written++; n < rows; n = written++) {
    const failed = n % 50 === 0;
    await meter.record({
      requestId: ulid(),
      accountId: account.id,
      keyId: keys[n % 10]!.listing.id,
      mode: n % 3 === 0 ? 'stream' : 'file',
      model: (['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const)[n % 3]!,
      status: failed ? (n % 5000 === 0 ? 'FILE_TOO_LARGE' : 'SERVICE_UNAVAILABLE') : 'success',
      audioSeconds: (n % 3000) / 10,
      billedSeconds: failed ? 0 : Math.max(15, Math.ceil((n % 3000) / 10)),
      outputTokenCount: n % 400,
      detectedLanguage: 'en',
      receiveMs: 5,
      recognitionMs: 300,
      refinementMs: 4,
      refinementFallback: null,
      createdAtMs: beginMs + Math.floor((n / rows) * DAYS * 86_400_000),
    });
  }
};
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
const begun = performance.now();
await Promise.all(Array.from({ length: WRITERS }, writer));
const perSecond = Math.round(rows / ((performance.now() - begun) / 1000));
lag.disable();
console.log(
  `${storage.engine}: ${rows} rows written durably at ${perSecond}/s by ${WRITERS} callers; event-loop delay ` +
    `p99 ${round(lag.percentile(99) / 1e6)} ms, max ${round(lag.max / 1e6)} ms\n`,
);

const accountId = account.id;
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
await time(
  'all records, in pages (export)',
  async () => {
    let count = 0;
    for await (const _ of eachUsage(storage, { accountId })) count++;
    if (count !== rows) throw new Error(`${count} of ${rows} records`);
  },
  1,
);
await time(
  'the whole chain, checked',
  async () => {
    const { faults, links } = await checkChains(storage);
    if (faults.length > 0 || links < rows) throw new Error(`${links} of ${rows} links; ${faults[0]?.message}`);
  },
  1,
);

const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS });
await time('10,000 checks of a known key', async () => {
  for (let n = 0; n < 10_000; n++) await authenticator.authenticate(keys[n % 10]!.key);
});
const strangers = Array.from({ length: 10_000 }, () => newKey());
await time('10,000 unknown keys at once, well formed', async () => {
  for (let at = 0; at < strangers.length; at += 2000)
    await Promise.all(strangers.slice(at, at + 2000).map((key) => authenticator.authenticate(key)));
});
for (const { what, firstMs, medianMs } of results) console.log(`| ${what} | ${firstMs} | ${medianMs} |`);

await authenticator.close();
await meter.close();
await storage.close();
await rm(dataDir, { recursive: true, force: true });
