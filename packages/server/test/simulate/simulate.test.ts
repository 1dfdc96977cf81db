import assert from 'node:assert/strict';
import test from 'node:test';
import type { Fleet } from './fleet.ts';
import { DEFAULT_PLAN, type Plan, SPEEDS } from './plan.ts';
import { readPrices } from './prices.ts';
import { report } from './report.ts';
import { type Script, simulate } from './simulate.ts';

const SMALL: Plan = {
  ...DEFAULT_PLAN,
  workers: 6,
  slots: 2,
  gateways: 2,
  accounts: 5,
  streams: 40,
  fileLoad: 0.2,
  slowLinks: 0,
  seconds: 30,
  warmUpSeconds: 10,
};
const prices = readPrices(new URL('../../../test/simulate/prices.json', import.meta.url));
const loseOne: Script = ({ time, fleet, plan }) =>
  time.after(1_000 * (plan.warmUpSeconds + 10), () => fleet.fail(fleet.workers.slice(0, 1), null));

test('a simulated cluster loses a worker and no window, and a seed repeats every figure', async () => {
  const run = async (seed: number) => {
    const done = await simulate({ ...SMALL, seed }, loseOne);
    const { windows, failedWindows, losses, refusals } = done.figures;
    assert.ok(windows > 50, `${windows} windows`);
    assert.deepEqual([failedWindows, refusals], [0, 0]);
    return { lines: report(done, { about: '', faultAfterSeconds: 10 }, prices), lost: [...losses.keys()] };
  };
  const first = await run(1);
  assert.deepEqual(first.lost, ['silent']);
  assert.deepEqual(await run(1), first);
  assert.notDeepEqual((await run(2)).lines, first.lines);
});

/** Windows per slot, by the speed of the worker. */
const windowsPerSlot = ({ workers }: Fleet) =>
  SPEEDS.map(({ speed: of }) => {
    const some = workers.filter(({ speed }) => speed === of);
    return { speed: of, windows: some.reduce((sum, { done, slots }) => sum + done / slots, 0) / some.length };
  }).filter(({ windows }) => windows > 0);

test('while slots are free, faster workers get at least their share of the windows', async () => {
  const { fleet, figures } = await simulate({ ...SMALL, workers: 8, slots: 4, streams: 80, fileLoad: 0 });
  const shares = windowsPerSlot(fleet);
  const [slow, fast] = [shares[0]!, shares.at(-1)!];
  assert.ok(figures.busyMs < 0.5 * figures.slotMs, `${figures.busyMs} of ${figures.slotMs}`);
  assert.ok(fast.windows / slow.windows > fast.speed / slow.speed, JSON.stringify(shares));
});

test('accounts that want more than there is are refused, and served evenly', async () => {
  const plan: Plan = { ...SMALL, streams: 0, fileLoad: 0, filesPerAccount: 12, seconds: 60, windowSeconds: 30 };
  const { figures, fleet } = await simulate(plan);
  const shares = windowsPerSlot(fleet);
  assert.ok(shares.length > 1);
  const mean = shares.reduce((sum, { windows, speed }) => sum + windows / speed, 0) / shares.length;
  for (const { windows, speed } of shares)
    assert.ok(Math.abs(windows / speed / mean - 1) < 0.15, JSON.stringify(shares));
  assert.ok(figures.refusals > 0);
  assert.ok(figures.busyMs > 0.8 * figures.slotMs, `${figures.busyMs} of ${figures.slotMs}`);
  assert.equal(figures.byAccount.size, plan.accounts);
});
