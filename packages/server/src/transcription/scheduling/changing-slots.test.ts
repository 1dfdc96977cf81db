import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { systemClock } from '../../lib/time/clock.ts';
import { RecogniserUnavailable, WindowLost } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { silentObserver } from '../observer.ts';
import type { Task } from './task.ts';
import { LentSlots } from './testing/lent-slots.ts';
import { scriptedScheduler, task } from './testing/scripted-scheduler.ts';

const setUp = () => {
  const recogniser = new LentSlots();
  const { scheduler } = scriptedScheduler(1, { recogniser, clock: systemClock });
  return { recogniser, scheduler };
};

const LITE = 'svc-1.0-lite';
const MAX = 'svc-1.0-max';
const liteTask = (name: string, of: Partial<Task> = {}): Task =>
  task({ name, tier: LITE, audioSamples: 16_000, ...of });
const lost = (wasBegun = true) => new WindowLost('it is gone', { wasBegun });
const turn = (): Promise<void> => new Promise(setImmediate);

test('a window starts when a slot of its tier is lent, whatever is queued before it', () => {
  const { recogniser, scheduler } = setUp();
  scheduler.submit(liteTask('max', { tier: MAX }));
  scheduler.submit(liteTask('lite', { requestId: 's' }));
  assert.deepEqual(recogniser.names(), []);
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), ['lite']);
  recogniser.lend(MAX);
  assert.deepEqual(recogniser.names(), ['lite', 'max']);
});

test('waiting work is reported by tier', () => {
  const { recogniser, scheduler } = setUp();
  const ticket = scheduler.submit(liteTask('one'));
  scheduler.submit(liteTask('two', { tier: MAX }));
  scheduler.submit(liteTask('guess', { urgency: 'speculative' }));
  scheduler.submit(liteTask('job', { urgency: 'background' }));
  assert.deepEqual(recogniser.waiting, { [LITE]: 1, [MAX]: 1 });
  assert.deepEqual(recogniser.background, { [LITE]: 1 });
  ticket.cancel();
  assert.deepEqual(recogniser.waiting, { [LITE]: 0, [MAX]: 1 });
});

test('a lost window goes back to the head of its request and is not charged twice', async () => {
  const { recogniser, scheduler } = setUp();
  recogniser.lend(LITE);
  const first = scheduler.submit(liteTask('first', { position: 5 }));
  scheduler.submit(liteTask('second', { position: 1 }));
  scheduler.submit(liteTask('other', { accountId: 'b', requestId: 's' }));
  recogniser.running[0]!.reject(lost());
  await turn();
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), ['first', 'first']);
  recogniser.running[1]!.resolve(recognitionOf({ text: 'in the end' }));
  assert.equal((await first.result).text, 'in the end');
});

test('a window that is lost repeatedly fails as unavailable; refusals before it began are not losses', async () => {
  const { recogniser, scheduler } = setUp();
  const ticket = scheduler.submit(liteTask('unlucky'));
  for (const wasBegun of [true, false, false, false, true, true]) {
    recogniser.lend(LITE);
    recogniser.running.at(-1)!.reject(lost(wasBegun));
    await turn();
  }
  await assert.rejects(ticket.result, RecogniserUnavailable);
  assert.equal(recogniser.running.length, 6);
});

test('a window cancelled while it is lost stays cancelled', async () => {
  const { recogniser, scheduler } = setUp();
  recogniser.lend(LITE);
  const ticket = scheduler.submit(liteTask('gone'));
  ticket.cancel();
  recogniser.running[0]!.reject(lost());
  await assert.rejects(ticket.result);
  recogniser.lend(LITE);
  assert.equal(recogniser.running.length, 1);
});

test('speculative work gets no slots while other servers wait for them', () => {
  const { recogniser, scheduler } = setUp();
  recogniser.isContended = true;
  scheduler.submit(liteTask('guess', { urgency: 'speculative' }));
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), []);
  recogniser.isContended = false;
  recogniser.changed();
  assert.deepEqual(recogniser.names(), ['guess']);
});

test('background windows without a recogniser wait longer, and fail in the end', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { recogniser, scheduler } = setUp();
  recogniser.served.add(LITE);
  const stranded = scheduler.submit(liteTask('max', { tier: MAX, urgency: 'background' }));
  let failure: unknown;
  stranded.result.catch((reason) => {
    failure = reason;
  });
  t.mock.timers.tick(30 * 60_000 - 1);
  await Promise.resolve();
  assert.equal(failure, undefined);
  t.mock.timers.tick(1);
  await assert.rejects(stranded.result, RecogniserUnavailable);
});

test('the wait of one tier does not count for another', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { recogniser, scheduler } = setUp();
  const max = scheduler.submit(liteTask('max', { tier: MAX, urgency: 'background' }));
  recogniser.served.add(LITE);
  const lite = scheduler.submit(liteTask('lite', { urgency: 'background' }));
  t.mock.timers.tick(30 * 60_000 - 1_000);
  recogniser.served.delete(LITE);
  recogniser.changed();
  t.mock.timers.tick(1_000);
  await assert.rejects(max.result, RecogniserUnavailable);
  recogniser.lend(LITE);
  recogniser.running[0]!.resolve(recognitionOf());
  await lite.result;
});

test('a tier that loses its last recogniser waits its full time, however long another tier has waited', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { recogniser, scheduler } = setUp();
  recogniser.served.add(MAX);
  const lite = scheduler.submit(liteTask('lite'));
  t.mock.timers.tick(7_000);
  const max = scheduler.submit(liteTask('max', { tier: MAX }));
  recogniser.served.delete(MAX);
  recogniser.changed();
  t.mock.timers.tick(1_000);
  await assert.rejects(lite.result, RecogniserUnavailable);
  recogniser.lend(MAX);
  recogniser.running[0]!.resolve(recognitionOf());
  await max.result;
});

test('the reported wait of a window that was lost is that of its last attempt', async () => {
  const recogniser = new LentSlots();
  const waits: number[] = [];
  const observer = { ...silentObserver, windowEnded: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) };
  const { scheduler, pass } = scriptedScheduler(1, { recogniser, observer });
  const ticket = scheduler.submit(liteTask('lite'));
  pass(100);
  recogniser.lend(LITE);
  pass(5_000);
  recogniser.running[0]!.reject(lost());
  await turn();
  pass(300);
  recogniser.lend(LITE);
  recogniser.running[1]!.resolve(recognitionOf());
  await ticket.result;
  await turn();
  assert.deepEqual(waits, [100, 300]);
});

test('windows without a recogniser wait for a machine, and fail when none appears', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { recogniser, scheduler } = setUp();
  recogniser.served.add(LITE);
  const stranded = scheduler.submit(liteTask('max', { tier: MAX }));
  const waiting = scheduler.submit(liteTask('lite'));
  t.mock.timers.tick(7_000);
  recogniser.lend(MAX, 0);
  recogniser.served.delete(MAX);
  recogniser.changed();
  t.mock.timers.tick(7_999);
  recogniser.changed();
  t.mock.timers.tick(1);
  await assert.rejects(stranded.result, RecogniserUnavailable);
  recogniser.lend(LITE);
  recogniser.running[0]!.resolve(recognitionOf());
  await waiting.result;
});
