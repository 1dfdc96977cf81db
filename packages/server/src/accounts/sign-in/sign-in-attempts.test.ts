import assert from 'node:assert/strict';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

const RULE = { window: 60, max: 3 };
const DAY_MS = 24 * 60 * 60 * 1000;

const withClock = (atMs: number) => {
  const clock = { atMs, now: () => clock.atMs, monotonicMs: () => 0 };
  return clock;
};

onBothEngines('attempts are counted across nodes and refused beyond the limit, per key', async (_t, { storage }) => {
  const clock = withClock(1_000_000);
  const nodes = [new SignInAttempts(storage, clock), new SignInAttempts(storage, clock)];
  const verdicts = await Promise.all(Array.from({ length: 10 }, (_, n) => nodes[n % 2]!.consume('a', RULE)));
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 3);
  for (const { allowed, retryAfter } of verdicts) assert.equal(retryAfter, allowed ? null : 60);
  assert.equal((await nodes[0]!.consume('b', RULE)).allowed, true);
  await nodes[0]!.reset('a');
  assert.equal((await nodes[1]!.consume('a', RULE)).allowed, true);
});

onBothEngines('a clock that jumps by a day locks nobody out', async (_t, { storage }) => {
  const clock = withClock(10 * DAY_MS);
  const attempts = new SignInAttempts(storage, clock);
  const exhaust = async () => {
    for (let n = 0; n <= RULE.max; n++) await attempts.consume('a', RULE);
    return (await attempts.consume('a', RULE)).allowed;
  };
  for (const jumpMs of [DAY_MS, -DAY_MS, -DAY_MS, DAY_MS]) {
    assert.equal(await exhaust(), false);
    clock.atMs += jumpMs;
    assert.equal((await attempts.consume('a', RULE)).allowed, true, `after ${jumpMs} ms`);
  }
  // A jump of one second neither resets nor extends the window.
  assert.equal(await exhaust(), false);
  for (const jumpMs of [1000, -2000, 1000]) {
    clock.atMs += jumpMs;
    assert.equal((await attempts.consume('a', RULE)).allowed, false);
  }
});

onBothEngines('old counts are removed', async (_t, { storage }) => {
  const clock = withClock(10 * DAY_MS);
  const attempts = new SignInAttempts(storage, clock);
  await attempts.consume('a', RULE);
  clock.atMs += 2 * DAY_MS;
  await attempts.consume('b', RULE);
  const rows = await storage.write.selectFrom('sign_in_attempts').select('key').execute();
  assert.deepEqual(rows, [{ key: 'b' }]);
});
