import assert from 'node:assert/strict';
import test from 'node:test';
import { RefusalPace } from './refusal-pace.ts';

const FLOOD = 600;

/** Returns which of `times` refusals were answered at once. Delayed ones are released at the end. */
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

test('refusals are answered at once, even many of them', async () => {
  assert.ok((await refuse(new RefusalPace(), 'a', FLOOD)).every(Boolean));
});

test('in a flood, only refusals of accounts that retry too fast are delayed, and the delay wears off', async () => {
  const pace = new RefusalPace();
  const atOnce = await refuse(pace, 'a', 2 * FLOOD);
  assert.ok(atOnce.slice(FLOOD + 400).every((was) => !was));
  assert.deepEqual(await refuse(pace, 'b', 3), [true, true, true]);
  assert.deepEqual(await refuse(pace, 'a', 1, 5_000), [false]);
  assert.deepEqual(await refuse(pace, 'a', 1, 60_000), [true]);
});

test('a delayed refusal is answered when its delay is over', async (t) => {
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

test('a flood is reported when it begins and when its last refusal has been answered', async () => {
  const told: boolean[] = [];
  const pace = new RefusalPace((isFlood) => told.push(isFlood));
  await refuse(pace, 'a', FLOOD);
  assert.deepEqual(told, []);
  await refuse(pace, 'a', FLOOD);
  assert.deepEqual(told, [true, false]);
});

test('a refusal whose caller has disconnected is not delayed', async () => {
  const pace = new RefusalPace();
  await refuse(pace, 'a', 2 * FLOOD);
  await pace.wait('a', 0, AbortSignal.abort());
});

test('when the service stops, delayed refusals are answered and no more are delayed', async () => {
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
