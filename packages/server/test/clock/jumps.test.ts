// Tests clock changes by a day and by a second: leases, sessions, keys and daily sums stay correct.
import assert from 'node:assert/strict';
import { sql } from '#kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { sumUsage } from '../../src/usage/reports/sums.ts';
import { LeaseSlots } from '../../src/usage/stream-slots/lease-slots.ts';
import { openStreams } from '../../src/usage/stream-slots/open-streams.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { assertSumsAgree } from '../../src/usage/testing/ledger.ts';
import { Browser, openConsole, PASSWORD } from '../console/console-app.ts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const JUMPS_MS = [DAY_MS, -DAY_MS, SECOND_MS, -SECOND_MS];

/** Leases use the database's clock. Moving their times has the same effect as setting that clock. */
const setDatabaseClock = async ({ write }: Storage, byMs: number): Promise<void> => {
  await sql`update stream_leases set expires_at_ms = expires_at_ms - ${byMs}`.execute(write);
};

onBothEngines('open streams keep their slots, and no extra ones are granted', async (_t, { storage }) => {
  for (const jumpMs of JUMPS_MS) {
    const slots = await LeaseSlots.open({ storage, node: 'a' });
    const held = [await slots.acquire('acme', 3), await slots.acquire('acme', 3)];
    await setDatabaseClock(storage, jumpMs);
    assert.ok((await slots.acquire('acme', 3)).slot, `the third, after ${jumpMs} ms`);
    assert.equal((await slots.acquire('acme', 3)).slot, null, `a fourth, after ${jumpMs} ms`);
    assert.equal(await openStreams(storage, 'acme'), 3);
    await held[0]!.slot?.release();
    assert.ok((await slots.acquire('acme', 3)).slot);
    await slots.close();
    assert.equal(await openStreams(storage, 'acme'), 0);
  }
});

onBothEngines(
  'slots of a server that died before the clock was set back are freed',
  async (_t, { storage, options }) => {
    const elsewhere = await openStorage(options);
    const dead = await LeaseSlots.open({ storage: elsewhere, node: 'dead' });
    assert.ok((await dead.acquire('acme', 1)).slot);
    await setDatabaseClock(storage, -DAY_MS);
    const slots = await LeaseSlots.open({ storage, node: 'alive' });
    assert.ok((await slots.acquire('acme', 1)).slot);
    await slots.close();
    await dead.close();
    await elsewhere.close();
  },
);

onBothEngines('a key expires by the current clock', async (t, { storage }) => {
  const clock = { atMs: Date.now(), now: () => clock.atMs, monotonicMs: () => performance.now() };
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS, clock });
  t.after(() => authenticator.close());
  const account = await createAccount(storage, 'acme');
  const keyOptions = { accountId: account.id, name: 'k', createdBy: null };
  const ending = await createKey(storage, { ...keyOptions, expiresAtMs: clock.atMs + DAY_MS / 2 });
  const lasting = await createKey(storage, keyOptions);
  for (const [jumpMs, isValid] of [
    [SECOND_MS, true],
    [DAY_MS, false],
    [-DAY_MS, true],
    [-DAY_MS, true],
    [DAY_MS - 2 * SECOND_MS, true],
  ] as const) {
    clock.atMs += jumpMs;
    assert.equal((await authenticator.authenticate(ending.key)) !== null, isValid, `after ${jumpMs} ms`);
    assert.ok(await authenticator.authenticate(lasting.key));
  }
});

onBothEngines('a session survives jumps within its week, and ends after it', async (t, place) => {
  const { app } = await openConsole(t, place);
  const browser = new Browser(app);
  await browser.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  const startMs = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: startMs });
  const statusAt = async (sinceStartMs: number) => {
    t.mock.timers.setTime(startMs + sinceStartMs);
    return (await browser.ask('GET', '/api/me')).statusCode;
  };
  for (const sinceStartMs of [DAY_MS, 0, -SECOND_MS, SECOND_MS, 6 * DAY_MS])
    assert.equal(await statusAt(sinceStartMs), 200);
  // The request on the sixth day extended the session; it expires a week later.
  assert.equal(await statusAt(12 * DAY_MS), 200);
  assert.equal(await statusAt(20 * DAY_MS), 401);
});

onBothEngines('daily sums match the rows, on the days that the clock showed', async (_t, { storage }) => {
  const meter = new LedgerMeter(storage);
  let atMs = Date.UTC(2026, 10, 15, 23, 59, 59, 500);
  const shown: string[] = [];
  for (const jumpMs of [0, SECOND_MS, -SECOND_MS, DAY_MS, -DAY_MS, 0]) {
    atMs += jumpMs;
    shown.push(new Date(atMs).toISOString().slice(0, 10));
    await meter.record(entry({ createdAtMs: atMs }));
  }
  await meter.close();
  await assertSumsAgree(storage);
  const days = await sumUsage(storage, { accountId: 'account-1', by: ['day'] });
  const counted = Object.fromEntries(days.map(({ group, requests }) => [group.day, requests]));
  const expected: Record<string, number> = {};
  for (const day of shown) expected[day] = (expected[day] ?? 0) + 1;
  assert.deepEqual(counted, expected);
});
