import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../lib/fault.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { Cancelled, type Task, type Ticket, type Urgency } from './task.ts';
import { scriptedScheduler, task } from './testing/scripted-scheduler.ts';

const namesOf = (engine: ScriptedEngine): (string | undefined)[] =>
  engine.asked.map(({ window }) => window.vocabulary[0]?.text);
const isCancelled = (thrown: unknown): boolean => thrown instanceof Cancelled;
const turn = (): Promise<void> => new Promise(setImmediate);

test('all slots work and no more', async () => {
  const { engine, scheduler, level } = scriptedScheduler(3);
  engine.hold();
  const tickets = Array.from({ length: 8 }, () => scheduler.submit(task()));
  assert.deepEqual([engine.running, level().queuedWindows, level().busySlots], [3, 5, 3]);
  assert.deepEqual([...level().queuedAudioSecondsByTier], [['svc-1.0-pro', 50]]);
  engine.release();
  await Promise.all(tickets.map(({ result }) => result));
  assert.deepEqual([engine.runningMax, level().queuedWindows, level().busySlots], [3, 0, 0]);
  assert.equal(level().queuedAudioSeconds, 0);
});

test('max goes before pro before lite, and final work before steady work', async () => {
  const { engine, scheduler } = scriptedScheduler();
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
  const { engine, scheduler } = scriptedScheduler();
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

test('background work uses slots that other work leaves free, yields first and delays nobody', async () => {
  const { engine, scheduler } = scriptedScheduler(2);
  engine.hold();
  const background = scheduler.submit(task({ name: 'background', urgency: 'background' }));
  const speculative = scheduler.submit(task({ name: 'speculative', urgency: 'speculative' }));
  assert.deepEqual(namesOf(engine), ['background', 'speculative']);
  assert.equal(scheduler.waitSeconds(), 0, 'nobody waits for background work');
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

test('speculative work that becomes final is firm and no longer yields', async () => {
  const { engine, scheduler } = scriptedScheduler();
  engine.hold();
  const speculative = scheduler.submit(task({ urgency: 'speculative' }));
  speculative.setUrgency('final');
  const other = scheduler.submit(task());
  await turn();
  assert.equal(engine.asked[0]?.state, 'running');
  engine.release();
  await Promise.all([speculative.result, other.result]);
});

test('a cancelled window leaves the queue at once; a running one is stopped and frees its slot', async () => {
  const { engine, scheduler, level } = scriptedScheduler();
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
  const { engine, scheduler } = scriptedScheduler();
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

test('a failure affects only the failed window', async () => {
  const engine = new ScriptedEngine({
    before: (_, nth) => (nth === 0 ? Promise.reject(new Error('broken')) : undefined),
  });
  const { scheduler } = scriptedScheduler(1, { recogniser: engine.recogniser });
  const [bad, good] = [scheduler.submit(task()), scheduler.submit(task())];
  await assert.rejects(bad!.result, /broken/);
  await good!.result;
});

test('any order of submitting, expediting and cancelling settles everything and leaves nothing behind', async () => {
  const step = fc.record({
    action: fc.constantFrom('submit', 'submit', 'cancel', 'set-urgency', 'turn'),
    account: fc.constantFrom('a', 'b', 'c'),
    urgency: fc.constantFrom<Urgency>('background', 'speculative', 'steady', 'final'),
    pick: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, slots) => {
      const { engine, scheduler, level } = scriptedScheduler(slots);
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

test('with a long file in progress, a short clip waits for at most one window', async () => {
  for (const accountId of ['same', 'other']) {
    for (const slots of [1, 2, 3]) {
      const { engine, scheduler } = scriptedScheduler(slots);
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

test('audio beyond the queue limit is refused with a retry time', async () => {
  const { engine, scheduler } = scriptedScheduler(1, { queuedAudioSecondsMax: 25 });
  engine.hold();
  for (let count = 0; count < 3; count++) scheduler.submit(task());
  const refused = scheduler.submit(task());
  await assert.rejects(
    refused.result,
    (thrown: unknown) =>
      thrown instanceof Fault && thrown.code === 'SERVICE_UNAVAILABLE' && thrown.retryAfterSeconds! > 0,
  );
});

test('a busy server does no speculative work; a calm one does', async () => {
  const { engine, scheduler, pass } = scriptedScheduler();
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
