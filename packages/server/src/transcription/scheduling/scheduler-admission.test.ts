// Tests admission by the scheduler: its queue, its estimates and its reservations together.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { AdmissionRequest } from '../transcriber.ts';
import { scriptedScheduler, task } from './testing/scripted-scheduler.ts';

const ASKING: AdmissionRequest = {
  ...({ step: 'begin', mode: 'file', models: ['svc-1.0-pro'] } as const),
  accountId: 'a',
  waitingSecondsMax: 1e9,
};

test('admission follows the queue and the measured throughput', async () => {
  const { engine, scheduler, pass } = scriptedScheduler(2);
  assert.deepEqual(scheduler.admit(ASKING), { admitted: true, retryAfterSeconds: 0 });
  engine.hold();
  // The recogniser takes five seconds of work for each second of audio: 10 s of audio take 55 s.
  for (let count = 0; count < 60; count++) {
    const ticket = scheduler.submit(task());
    pass(55_000);
    engine.release();
    await ticket.result;
    engine.hold();
  }
  assert.ok(Math.abs(scheduler.throughput.secondsPerAudioSecond('svc-1.0-pro') - 5) < 0.1);
  for (let count = 0; count < 10; count++) scheduler.submit(task());
  const { admitted, retryAfterSeconds } = scheduler.admit(ASKING);
  // Ten times 55 s on two slots are 275 s, of which 90 s are an acceptable wait.
  assert.equal(admitted, false);
  assert.ok(retryAfterSeconds > 175 && retryAfterSeconds <= 185, `${retryAfterSeconds} s`);
});

test('an account waits for its own work, and for at most as much of each other account', () => {
  const { engine, scheduler } = scriptedScheduler(2);
  engine.hold();
  // 200 windows of 10 s at 0.2 s of work per second of audio: 440 s of work, far more than the maximum wait.
  for (let count = 0; count < 200; count++) scheduler.submit(task({ accountId: 'flood' }));
  const flood = scheduler.admit({ ...ASKING, accountId: 'flood' });
  assert.equal(flood.admitted, false);
  assert.ok(flood.retryAfterSeconds > 100);
  assert.deepEqual(scheduler.admit({ ...ASKING, accountId: 'neighbour' }), { admitted: true, retryAfterSeconds: 0 });
});

test('an account beyond its limit of waiting audio is refused for its own limit, and others are not', () => {
  const { engine, scheduler } = scriptedScheduler(2);
  engine.hold();
  for (let count = 0; count < 12; count++) scheduler.submit(task());
  const asking = { ...ASKING, waitingSecondsMax: 60 };
  const { admitted, ownLimit, retryAfterSeconds } = scheduler.admit(asking);
  assert.deepEqual([admitted, ownLimit], [false, true]);
  assert.ok(retryAfterSeconds >= 1);
  assert.equal(scheduler.admit({ ...asking, accountId: 'b' }).admitted, true);
  // An admitted request counts before it is queued.
  const expected = { accountId: 'b', audioSeconds: 61, cost: 1 };
  assert.equal(scheduler.admit({ ...asking, accountId: 'b' }, [expected]).ownLimit, true);
});

/** A server with two slots, busy for a long time, and six accounts with about four seconds of work each. */
const crowded = () => {
  const set = scriptedScheduler(2);
  set.engine.hold();
  const accounts = ['b', 'c', 'd', 'e', 'f', 'g'];
  const tickets = accounts.flatMap((accountId) => [0, 1].map(() => set.scheduler.submit(task({ accountId }))));
  set.pass(30_000);
  /** Ends half of the work. */
  const workDone = () => {
    for (const ticket of tickets.slice(tickets.length / 2)) {
      ticket.result.catch(() => undefined);
      ticket.cancel();
    }
  };
  return { ...set, workDone };
};

test('a crowded server refuses a request with a reservation and admits it at that time', () => {
  const { scheduler, pass, workDone } = crowded();
  const first = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.equal(first.admitted, false);
  // A caller that asks again at once gets a later time.
  const second = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.ok(second.retryAfterSeconds > first.retryAfterSeconds);
  pass(first.retryAfterSeconds * 1000);
  // When work took longer than expected, the reservation is not honoured yet.
  assert.equal(scheduler.admit({ ...ASKING, step: 'ask' }).admitted, false);
  workDone();
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, true);
  // The reservation is used up; the admitted upload may begin.
  assert.equal(scheduler.admit({ ...ASKING, step: 'begin' }).admitted, true);
  for (const accountId of ['h', 'i', 'j', 'k']) scheduler.submit(task({ accountId }));
  assert.equal(scheduler.admit({ ...ASKING, step: 'begin' }).admitted, false);
});

test('a postponed request is admitted at its next time, however much work there is', () => {
  const { scheduler, pass } = crowded();
  const first = scheduler.admit({ ...ASKING, step: 'enter' });
  pass(first.retryAfterSeconds * 1000);
  const second = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.equal(second.admitted, false);
  pass(second.retryAfterSeconds * 1000);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, true);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, false);
});

test('asking alone makes no reservation', () => {
  const { scheduler } = crowded();
  const once = scheduler.admit({ ...ASKING, step: 'ask' });
  assert.deepEqual(scheduler.admit({ ...ASKING, step: 'ask' }), once);
  assert.equal(once.admitted, false);
});

test('an account that others hardly delay may have a long queue of its own', () => {
  const { engine, scheduler } = scriptedScheduler(2);
  engine.hold();
  for (let count = 0; count < 30; count++) scheduler.submit(task());
  scheduler.submit(task({ accountId: 'b', audioSamples: 16_000 }));
  assert.equal(scheduler.admit(ASKING).admitted, true);
});

test('a burst is bounded before any of its sessions has opened', () => {
  const { scheduler } = crowded();
  const { scheduler: empty } = scriptedScheduler(2);
  const admitted = Array.from({ length: 50 }, (_, nth) =>
    empty.admit({ ...ASKING, step: 'enter', accountId: `account ${nth}` }),
  ).filter((answer) => answer.admitted).length;
  assert.ok(admitted >= 2 && admitted < 10, `${admitted} of 50 were admitted`);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, false);
});

test('an account below its share of stream capacity is admitted, however many streams others have', () => {
  const { scheduler } = scriptedScheduler(2);
  const stream = { ...ASKING, mode: 'stream' } as const;
  const loadOf = (accountId: string, streams: number) =>
    Array.from({ length: streams }, () => ({ accountId, audioSeconds: 0, cost: 0, liveLoad: 0.5 }));
  const greedy = loadOf('greedy', 20);
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'greedy' }, greedy).admitted, false);
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'modest' }, greedy).admitted, true);
  const everybody = Array.from({ length: 30 }, (_, nth) => loadOf(`account ${nth}`, 1)).flat();
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'one more' }, everybody).admitted, false);
});

test('slots of live streams are deducted only once: a file is admitted while others are free', () => {
  const asking = { ...ASKING, accountId: 'file' };
  const live = Array.from({ length: 6 }, (_, nth) => ({ accountId: `${nth}`, audioSeconds: 0, cost: 0, liveLoad: 1 }));
  const submitted = (isLive: boolean, windowsPerAccount: number) => {
    const { engine, scheduler, pass } = scriptedScheduler(8, { crowdedWaitSecondsMax: 1 });
    engine.hold();
    for (const { accountId } of live)
      for (let nth = 0; nth < windowsPerAccount; nth++) scheduler.submit(task({ accountId, isLive }));
    pass(1_000);
    return scheduler;
  };
  assert.equal(submitted(true, 1).admit(asking, live).admitted, true);
  // Not marked as live, six windows with 1.2 s left each would delay it by 3.6 s on two slots.
  assert.equal(submitted(false, 1).admit(asking, live).admitted, false);
  assert.equal(submitted(true, 5).admit(asking, live).admitted, false, 'their windows wait');
});

test('live streams leave room for files', () => {
  const { scheduler } = scriptedScheduler(2);
  const live = Array.from({ length: 9 }, (_, nth) => ({
    accountId: `account ${nth}`,
    audioSeconds: 0,
    cost: 0,
    liveLoad: 0.2,
  }));
  assert.equal(scheduler.admit({ ...ASKING, mode: 'stream' }, live).admitted, false);
  assert.equal(scheduler.admit({ ...ASKING, mode: 'stream' }, live.slice(0, 4)).admitted, true);
  assert.equal(scheduler.admit(ASKING, live).admitted, true);
});
