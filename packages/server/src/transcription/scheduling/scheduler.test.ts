import assert from 'node:assert/strict';
import test from 'node:test';
import type { ModelId } from '@faircopy/contract';
import fc from 'fast-check';
import { Fault } from '../../lib/fault.ts';
import { windowOf } from '../../speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { type QueueLevel, silentObserver } from '../observer.ts';
import type { AdmissionRequest } from '../transcriber.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';
import { Cancelled, type Task, type Ticket, type Urgency } from './task.ts';

const ASKING: AdmissionRequest = {
  ...({ step: 'begin', mode: 'file', models: ['svc-1.0-pro'] } as const),
  accountId: 'a',
  waitingSecondsMax: 1e9,
};

const setUp = (slots = 1, options: Partial<SchedulerOptions> = {}) => {
  const engine = new ScriptedEngine({ slots });
  let nowMs = 0;
  let level: QueueLevel = {
    queuedWindows: 0,
    queuedAudioSeconds: 0,
    queuedAudioSecondsByTier: new Map(),
    busySlots: 0,
    slots,
  };
  const scheduler = new Scheduler({
    recogniser: engine.recogniser,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    observer: { ...silentObserver, queueChanged: (now) => (level = now) },
    queuedAudioSecondsMax: 10_000,
    waitSecondsMax: 90,
    crowdedWaitSecondsMax: 3,
    ...options,
  });
  const pass = (ms: number) => (nowMs += ms);
  return { engine, scheduler, pass, level: () => level };
};

const task = (of: Partial<Task> & { readonly name?: string } = {}): Task => {
  const tier: ModelId = of.tier ?? 'svc-1.0-pro';
  const audioSamples = of.audioSamples ?? 160_000;
  return {
    accountId: 'a',
    requestId: 'r',
    urgency: 'steady',
    tier,
    audioSamples,
    window: () => windowOf({ tier, samples: new Float32Array(16), vocabulary: of.name ? [{ text: of.name }] : [] }),
    ...of,
  };
};
const namesOf = (engine: ScriptedEngine): (string | undefined)[] =>
  engine.asked.map(({ window }) => window.vocabulary[0]?.text);
const isCancelled = (thrown: unknown): boolean => thrown instanceof Cancelled;
const turn = (): Promise<void> => new Promise(setImmediate);

test('all slots work and no more', async () => {
  const { engine, scheduler, level } = setUp(3);
  engine.hold();
  const tickets = Array.from({ length: 8 }, () => scheduler.submit(task()));
  assert.deepEqual([engine.running, level().queuedWindows, level().busySlots], [3, 5, 3]);
  assert.deepEqual([...level().queuedAudioSecondsByTier], [['svc-1.0-pro', 50]]);
  engine.release();
  await Promise.all(tickets.map(({ result }) => result));
  assert.deepEqual([engine.runningMax, level().queuedWindows, level().busySlots], [3, 0, 0]);
  assert.equal(level().queuedAudioSeconds, 0);
});

test('max goes before pro before lite, what somebody waits for before what still arrives', async () => {
  const { engine, scheduler } = setUp();
  engine.hold();
  const submit = (name: string, of: Partial<Task>) => scheduler.submit(task({ name, accountId: name, ...of }));
  const tickets = [
    submit('first', {}),
    submit('lite', { tier: 'svc-1.0-lite', audioSamples: 480_000 }),
    submit('pro', { tier: 'svc-1.0-pro', audioSamples: 160_000 }),
    submit('max', { tier: 'svc-1.0-max', audioSamples: 32_000 }),
    submit('pro-final', { tier: 'svc-1.0-pro', audioSamples: 160_000, urgency: 'final' }),
  ];
  engine.release();
  await Promise.all(tickets.map(({ result }) => result));
  assert.deepEqual(namesOf(engine), ['first', 'pro-final', 'max', 'pro', 'lite']);
});

test('speculative work waits for an idle slot, yields its slot to firm work, and continues afterwards', async () => {
  const { engine, scheduler } = setUp();
  engine.hold();
  const speculative = scheduler.submit(task({ name: 'speculative', urgency: 'speculative' }));
  assert.equal(engine.running, 1);
  const firm = scheduler.submit(task({ name: 'firm' }));
  await engine.until(({ asked }) => asked[1]?.state === 'running');
  assert.equal(engine.asked[0]?.state, 'aborted');
  engine.release();
  await Promise.all([firm.result, speculative.result]);
  assert.deepEqual(namesOf(engine), ['speculative', 'firm', 'speculative']);
});

test("background work has what firm and speculative work leave, yields first, and is in nobody's way", async () => {
  const { engine, scheduler } = setUp(2);
  engine.hold();
  const background = scheduler.submit(task({ name: 'background', urgency: 'background' }));
  const speculative = scheduler.submit(task({ name: 'speculative', urgency: 'speculative' }));
  assert.deepEqual(namesOf(engine), ['background', 'speculative']);
  assert.equal(scheduler.waitSeconds(), 0, 'it is no work that anybody waits for');
  const firm = scheduler.submit(task({ name: 'firm', urgency: 'final' }));
  await turn();
  assert.deepEqual(
    engine.asked.map(({ state }) => state),
    ['aborted', 'running', 'running'],
  );
  const next = scheduler.submit(task({ name: 'next', urgency: 'steady' }));
  await turn();
  assert.equal(engine.asked[1]!.state, 'aborted');
  engine.release();
  await Promise.all([firm.result, next.result, speculative.result, background.result]);
  assert.deepEqual(namesOf(engine).slice(2, 4), ['firm', 'next']);
  assert.deepEqual(namesOf(engine).slice(4).sort(), ['background', 'speculative']);
});

test('speculative work that is settled becomes firm: it yields no more', async () => {
  const { engine, scheduler } = setUp();
  engine.hold();
  const speculative = scheduler.submit(task({ urgency: 'speculative' }));
  speculative.setUrgency('final');
  const other = scheduler.submit(task());
  await turn();
  assert.equal(engine.asked[0]?.state, 'running');
  engine.release();
  await Promise.all([speculative.result, other.result]);
});

test('a waiting window that is cancelled leaves at once; a running one is stopped and frees its slot', async () => {
  const { engine, scheduler, level } = setUp();
  engine.hold();
  const [running, waiting, last] = [scheduler.submit(task()), scheduler.submit(task()), scheduler.submit(task())];
  waiting!.cancel();
  assert.equal(level().queuedWindows, 1);
  running!.cancel();
  await assert.rejects(running!.result, isCancelled);
  await assert.rejects(waiting!.result, isCancelled);
  await engine.until(({ asked }) => asked[1]?.state === 'running');
  engine.release();
  await last!.result;
  assert.deepEqual(
    engine.asked.map(({ state }) => state),
    ['aborted', 'answered'],
  );
});

test('a result that cannot be handled fails its window, even after the recogniser was asked to stop', async () => {
  const { engine, scheduler } = setUp();
  const bug = new TypeError('a bug');
  const fail = () => {
    throw bug;
  };
  await assert.rejects(scheduler.submit(task({ onResult: fail })).result, bug);
  // The recogniser answers although it is asked to yield.
  const { recognise } = engine.recogniser;
  Object.assign(engine.recogniser, {
    recognise: (...[job]: Parameters<typeof recognise>) => recognise(job, new AbortController().signal),
  });
  engine.hold();
  const speculative = scheduler.submit(task({ urgency: 'speculative', onResult: fail }));
  const firm = scheduler.submit(task());
  engine.release();
  await assert.rejects(speculative.result, bug);
  await firm.result;
});

test('a failure is the failed window alone', async () => {
  const engine = new ScriptedEngine({
    before: (_, nth) => (nth === 0 ? Promise.reject(new Error('broken')) : undefined),
  });
  const { scheduler } = setUp(1, { recogniser: engine.recogniser });
  const [bad, good] = [scheduler.submit(task()), scheduler.submit(task())];
  await assert.rejects(bad!.result, /broken/);
  await good!.result;
});

test('whatever is submitted, expedited and cancelled in whatever order: everything settles, nothing is left', async () => {
  const step = fc.record({
    action: fc.constantFrom('submit', 'submit', 'cancel', 'set-urgency', 'turn'),
    account: fc.constantFrom('a', 'b', 'c'),
    urgency: fc.constantFrom<Urgency>('background', 'speculative', 'steady', 'final'),
    pick: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, slots) => {
      const { engine, scheduler, level } = setUp(slots);
      engine.hold();
      const tickets: Ticket[] = [];
      for (const { action, account, urgency, pick } of steps) {
        const some = tickets[pick % Math.max(1, tickets.length)];
        if (action === 'submit') tickets.push(scheduler.submit(task({ accountId: account, urgency })));
        else if (action === 'cancel') some?.cancel();
        else if (action === 'set-urgency') some?.setUrgency(urgency);
        else await turn();
        assert.ok(engine.running <= slots);
      }
      engine.release();
      const results = await Promise.allSettled(tickets.map(({ result }) => result));
      await engine.until(({ running }) => running === 0);
      await turn();
      assert.ok(results.every((each) => each.status === 'fulfilled' || isCancelled(each.reason)));
      const { queuedAudioSecondsByTier, ...sums } = level();
      assert.deepEqual(sums, { queuedWindows: 0, queuedAudioSeconds: 0, busySlots: 0, slots });
      assert.equal(queuedAudioSecondsByTier.size, 0);
      assert.equal(scheduler.waitSeconds(), 0);
    }),
    { numRuns: 100 },
  );
});

test('with a long file in progress a short clip waits for one window at most', async () => {
  for (const accountId of ['same', 'other']) {
    for (const slots of [1, 2, 3]) {
      const { engine, scheduler } = setUp(slots);
      engine.hold();
      for (let window = 0; window < 20; window++) {
        scheduler.submit(task({ accountId: 'same', requestId: 'file', audioSamples: 240_000 }));
      }
      const clip = task({ name: 'clip', accountId, requestId: 'clip', audioSamples: 48_000, urgency: 'final' });
      const { result } = scheduler.submit(clip);
      assert.equal(engine.asked.length, slots);
      engine.release();
      await result;
      assert.equal(namesOf(engine)[slots], 'clip');
    }
  }
});

test('more waiting audio than the bound is refused, and says when to come again', async () => {
  const { engine, scheduler } = setUp(1, { queuedAudioSecondsMax: 25 });
  engine.hold();
  for (let count = 0; count < 3; count++) scheduler.submit(task());
  const refused = scheduler.submit(task());
  await assert.rejects(
    refused.result,
    (thrown: unknown) =>
      thrown instanceof Fault && thrown.code === 'SERVICE_UNAVAILABLE' && thrown.retryAfterSeconds! > 0,
  );
});

test('admission follows the queue and the measured throughput', async () => {
  const { engine, scheduler, pass } = setUp(2);
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
  // Ten times 55 s on two slots are 275 s, of which 90 s may be waited for.
  assert.equal(admitted, false);
  assert.ok(retryAfterSeconds > 175 && retryAfterSeconds <= 185, `${retryAfterSeconds} s`);
});

test('a busy server does no speculative work; a calm one does', async () => {
  const { engine, scheduler, pass } = setUp();
  engine.hold();
  const firm = scheduler.submit(task({ name: 'firm' }));
  pass(20_000);
  engine.release();
  await firm.result;
  const speculative = scheduler.submit(task({ name: 'speculative', urgency: 'speculative' }));
  await turn();
  assert.deepEqual(namesOf(engine), ['firm']);
  pass(20_000);
  await scheduler.submit(task({ name: 'next' })).result;
  await speculative.result;
  assert.deepEqual(namesOf(engine), ['firm', 'next', 'speculative']);
});

test('an account waits for its own work, and for no more of the others than that', () => {
  const { engine, scheduler } = setUp(2);
  engine.hold();
  // 200 windows of 10 s at 0.2 s of work per second of audio: 440 s of work, far more than may be waited for.
  for (let count = 0; count < 200; count++) scheduler.submit(task({ accountId: 'flood' }));
  const flood = scheduler.admit({ ...ASKING, accountId: 'flood' });
  assert.equal(flood.admitted, false);
  assert.ok(flood.retryAfterSeconds > 100);
  assert.deepEqual(scheduler.admit({ ...ASKING, accountId: 'neighbour' }), { admitted: true, retryAfterSeconds: 0 });
});

test('an account with more waiting audio than it may have is refused for its own limit, and others are not', () => {
  const { engine, scheduler } = setUp(2);
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

/** A server on which six accounts have work, some four seconds each, for its two slots, which have long been busy. */
const crowded = () => {
  const set = setUp(2);
  set.engine.hold();
  const accounts = ['b', 'c', 'd', 'e', 'f', 'g'];
  const tickets = accounts.flatMap((accountId) => [0, 1].map(() => set.scheduler.submit(task({ accountId }))));
  set.pass(30_000);
  /** Half of it is done. */
  const workDone = () => {
    for (const ticket of tickets.slice(tickets.length / 2)) {
      ticket.result.catch(() => undefined);
      ticket.cancel();
    }
  };
  return { ...set, workDone };
};

test('on a crowded server a request is refused with a turn, and comes in at that time', () => {
  const { scheduler, pass, workDone } = crowded();
  const first = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.equal(first.admitted, false);
  // A caller who asks again at once gets a later time.
  const second = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.ok(second.retryAfterSeconds > first.retryAfterSeconds);
  pass(first.retryAfterSeconds * 1000);
  // Where work took longer than expected, the turn is put off.
  assert.equal(scheduler.admit({ ...ASKING, step: 'ask' }).admitted, false);
  workDone();
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, true);
  // The turn is used up; the upload that was let in may begin.
  assert.equal(scheduler.admit({ ...ASKING, step: 'begin' }).admitted, true);
  for (const accountId of ['h', 'i', 'j', 'k']) scheduler.submit(task({ accountId }));
  assert.equal(scheduler.admit({ ...ASKING, step: 'begin' }).admitted, false);
});

test('whose turn was put off comes in at the next time, however much work there is', () => {
  const { scheduler, pass } = crowded();
  const first = scheduler.admit({ ...ASKING, step: 'enter' });
  pass(first.retryAfterSeconds * 1000);
  const second = scheduler.admit({ ...ASKING, step: 'enter' });
  assert.equal(second.admitted, false);
  pass(second.retryAfterSeconds * 1000);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, true);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, false);
});

test('asking alone takes no turn', () => {
  const { scheduler } = crowded();
  const once = scheduler.admit({ ...ASKING, step: 'ask' });
  assert.deepEqual(scheduler.admit({ ...ASKING, step: 'ask' }), once);
  assert.equal(once.admitted, false);
});

test('an account that others hardly hold up may have a long queue of its own', () => {
  const { engine, scheduler } = setUp(2);
  engine.hold();
  for (let count = 0; count < 30; count++) scheduler.submit(task());
  scheduler.submit(task({ accountId: 'b', audioSamples: 16_000 }));
  assert.equal(scheduler.admit(ASKING).admitted, true);
});

test('a burst is bounded before any of its sessions has opened', () => {
  const { scheduler } = crowded();
  const { scheduler: empty } = setUp(2);
  const admitted = Array.from({ length: 50 }, (_, nth) =>
    empty.admit({ ...ASKING, step: 'enter', accountId: `account ${nth}` }),
  ).filter((answer) => answer.admitted).length;
  assert.ok(admitted >= 2 && admitted < 10, `${admitted} of 50 came in`);
  assert.equal(scheduler.admit({ ...ASKING, step: 'enter' }).admitted, false);
});

test('an account below its share of stream capacity gets in, however many streams others have', () => {
  const { scheduler } = setUp(2);
  const stream = { ...ASKING, mode: 'stream' } as const;
  const loadOf = (accountId: string, streams: number) =>
    Array.from({ length: streams }, () => ({ accountId, audioSeconds: 0, cost: 0, liveLoad: 0.5 }));
  const greedy = loadOf('greedy', 20);
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'greedy' }, greedy).admitted, false);
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'modest' }, greedy).admitted, true);
  const everybody = Array.from({ length: 30 }, (_, nth) => loadOf(`account ${nth}`, 1)).flat();
  assert.equal(scheduler.admit({ ...stream, step: 'ask', accountId: 'one more' }, everybody).admitted, false);
});

test('slots that live streams use are missing once: a file gets in while others are free', () => {
  const asking = { ...ASKING, accountId: 'file' };
  const live = Array.from({ length: 6 }, (_, nth) => ({ accountId: `${nth}`, audioSeconds: 0, cost: 0, liveLoad: 1 }));
  const submitted = (isLive: boolean, windowsPerAccount: number) => {
    const { engine, scheduler, pass } = setUp(8, { crowdedWaitSecondsMax: 1 });
    engine.hold();
    for (const { accountId } of live)
      for (let nth = 0; nth < windowsPerAccount; nth++) scheduler.submit(task({ accountId, isLive }));
    pass(1_000);
    return scheduler;
  };
  assert.equal(submitted(true, 1).admit(asking, live).admitted, true);
  // Without a word of what they are, six windows of which each has 1.2 s left would delay it by 3.6 s on two slots.
  assert.equal(submitted(false, 1).admit(asking, live).admitted, false);
  assert.equal(submitted(true, 5).admit(asking, live).admitted, false, 'their windows wait');
});

test('live streams leave room for what has an end', () => {
  const { scheduler } = setUp(2);
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
