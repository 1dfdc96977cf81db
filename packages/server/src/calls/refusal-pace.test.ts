import assert from 'node:assert/strict';
import test from 'node:test';
import { RefusalPace } from './refusal-pace.ts';

const FLOOD = 600;

/** Whether each of `count` refusals left at once. Those that wait are released at the end. */
const refuse = async (pace: RefusalPace, accountId: string, times: number, nowMs = 0): Promise<boolean[]> => {
  const left = new AbortController();
  const atOnce: boolean[] = [];
  const waits: Promise<void>[] = [];
  for (let nth = 0; nth < times; nth++) {
    atOnce.push(false);
    waits.push(
      pace.wait(accountId, nowMs, left.signal).then(() => {
        if (!left.signal.aborted) atOnce[nth] = true;
      }),
    );
  }
  await new Promise(setImmediate);
  left.abort();
  await Promise.all(waits);
  return atOnce;
};

test('refusals leave at once, also many of them', async () => {
  assert.ok((await refuse(new RefusalPace(), 'a', FLOOD)).every(Boolean));
});

test('in a flood those of an account in haste wait, those of others do not, and it is forgiven', async () => {
  const pace = new RefusalPace();
  const atOnce = await refuse(pace, 'a', 2 * FLOOD);
  assert.ok(atOnce.slice(FLOOD + 400).every((was) => !was));
  assert.deepEqual(await refuse(pace, 'b', 3), [true, true, true]);
  assert.deepEqual(await refuse(pace, 'a', 1, 5_000), [false]);
  assert.deepEqual(await refuse(pace, 'a', 1, 60_000), [true]);
});

test('a refusal that waits leaves in its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pace = new RefusalPace();
  const { signal } = new AbortController();
  await refuse(pace, 'a', FLOOD + 199);
  let state = 'waiting';
  const wait = pace.wait('a', 0, signal).then(() => {
    state = 'answered';
  });
  t.mock.timers.tick(900);
  await new Promise(setImmediate);
  assert.equal(state, 'waiting');
  t.mock.timers.tick(200);
  await wait;
  assert.equal(state, 'answered');
});

test('a flood is reported when it begins and when its last refusal has left', async () => {
  const told: boolean[] = [];
  const pace = new RefusalPace((isFlood) => told.push(isFlood));
  await refuse(pace, 'a', FLOOD);
  assert.deepEqual(told, []);
  await refuse(pace, 'a', FLOOD);
  assert.deepEqual(told, [true, false]);
});

test('a caller who has left is not waited for', async () => {
  const pace = new RefusalPace();
  await refuse(pace, 'a', 2 * FLOOD);
  await pace.wait('a', 0, AbortSignal.abort());
});

test('when the service stops, what waits leaves, and nothing waits any more', async () => {
  const told: boolean[] = [];
  const pace = new RefusalPace((isFlood) => told.push(isFlood));
  await refuse(pace, 'a', 2 * FLOOD);
  const { signal } = new AbortController();
  const waits = Array.from({ length: 3 }, () => pace.wait('a', 0, signal));
  pace.close();
  await Promise.all(waits);
  await pace.wait('a', 0, signal);
  assert.deepEqual(told, [true, false, true, false]);
});
