import assert from 'node:assert/strict';
import test from 'node:test';
import { DEFAULT_PLAN, type Plan } from './plan.ts';
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

test('accounts that want more than there is are refused, and served evenly', async () => {
  const plan: Plan = { ...SMALL, streams: 0, fileLoad: 0, filesPerAccount: 12, seconds: 60, windowSeconds: 30 };
  const { figures } = await simulate(plan);
  assert.ok(figures.refusals > 0);
  assert.ok(figures.busyMs > 0.8 * figures.slotMs, `${figures.busyMs} of ${figures.slotMs}`);
  assert.equal(figures.byAccount.size, plan.accounts);
});
