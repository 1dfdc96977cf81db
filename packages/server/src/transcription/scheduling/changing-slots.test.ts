import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { ModelId } from '@faircopy/contract';
import { systemClock } from '../../lib/time/clock.ts';
import {
  type Capacity,
  type Recogniser,
  RecogniserUnavailable,
  type Recognition,
  type SpeechWindow,
  WindowLost,
} from '../../speech/recogniser.ts';
import { recognitionOf, windowOf } from '../../speech/testing/recogniser-fixtures.ts';
import { silentObserver } from '../observer.ts';
import { Scheduler } from './scheduler.ts';
import type { Task } from './task.ts';

/** A recogniser whose slots the test gives and takes, and whose answers it gives. */
class LentSlots implements Recogniser, Capacity {
  readonly free = new Map<ModelId, number>();
  readonly served = new Set<ModelId>();
  readonly running: { job: SpeechWindow; resolve(answer: Recognition): void; reject(cause: Error): void }[] = [];
  slots = 1;
  isContended = false;
  waiting: Record<string, number> = {};
  #listener: () => void = () => {};

  get capacity(): Capacity {
    return this;
  }
  freeSlots(tier: ModelId): number {
    return this.free.get(tier) ?? 0;
  }
  serves(tier: ModelId): boolean {
    return this.served.has(tier);
  }
  setWaiting(waiting: ReadonlyMap<ModelId, number>): void {
    this.waiting = Object.fromEntries(waiting);
  }
  onChange(listener: () => void): void {
    this.#listener = listener;
  }
  lend(tier: ModelId, count = 1): void {
    this.served.add(tier);
    this.free.set(tier, this.freeSlots(tier) + count);
    this.#listener();
  }
  recognise(job: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    this.free.set(job.tier, this.freeSlots(job.tier) - 1);
    return new Promise((resolve, reject) => {
      this.running.push({ job, resolve, reject });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  }
  names(): (string | undefined)[] {
    return this.running.map(({ job }) => job.vocabulary[0]?.text);
  }
  changed(): void {
    this.#listener();
  }
  async close(): Promise<void> {}
}

const setUp = () => {
  const recogniser = new LentSlots();
  const scheduler = new Scheduler({
    recogniser,
    clock: systemClock,
    observer: silentObserver,
    queuedAudioSecondsMax: 10_000,
    waitSecondsMax: 90,
    crowdedWaitSecondsMax: 3,
  });
  return { recogniser, scheduler };
};

const LITE = 'svc-1.0-lite';
const MAX = 'svc-1.0-max';
const task = (name: string, of: Partial<Task> = {}): Task => ({
  accountId: 'a',
  requestId: 'r',
  urgency: 'steady',
  tier: LITE,
  audioSamples: 16_000,
  window: () => windowOf({ tier: of.tier ?? LITE, vocabulary: [{ text: name }] }),
  ...of,
});
const lost = (wasBegun = true) => new WindowLost('it is gone', { wasBegun });
const turn = (): Promise<void> => new Promise(setImmediate);

test('a window begins when a slot of its tier is lent, whatever waits before it', () => {
  const { recogniser, scheduler } = setUp();
  scheduler.submit(task('max', { tier: MAX }));
  scheduler.submit(task('lite', { requestId: 's' }));
  assert.deepEqual(recogniser.names(), []);
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), ['lite']);
  recogniser.lend(MAX);
  assert.deepEqual(recogniser.names(), ['lite', 'max']);
});

test('waiting work is reported by tier', () => {
  const { recogniser, scheduler } = setUp();
  const ticket = scheduler.submit(task('one'));
  scheduler.submit(task('two', { tier: MAX }));
  scheduler.submit(task('guess', { urgency: 'speculative' }));
  assert.deepEqual(recogniser.waiting, { [LITE]: 1, [MAX]: 1 });
  ticket.cancel();
  assert.deepEqual(recogniser.waiting, { [LITE]: 0, [MAX]: 1 });
});

test('a lost window goes back to the head of its request and is not charged twice', async () => {
  const { recogniser, scheduler } = setUp();
  recogniser.lend(LITE);
  const first = scheduler.submit(task('first', { position: 5 }));
  scheduler.submit(task('second', { position: 1 }));
  scheduler.submit(task('other', { accountId: 'b', requestId: 's' }));
  recogniser.running[0]!.reject(lost());
  await turn();
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), ['first', 'first']);
  recogniser.running[1]!.resolve(recognitionOf({ text: 'in the end' }));
  assert.equal((await first.result).text, 'in the end');
});

test('a window that is lost again and again fails as unavailable; refusals before work cost nothing', async () => {
  const { recogniser, scheduler } = setUp();
  const ticket = scheduler.submit(task('unlucky'));
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
  const ticket = scheduler.submit(task('gone'));
  ticket.cancel();
  recogniser.running[0]!.reject(lost());
  await assert.rejects(ticket.result);
  recogniser.lend(LITE);
  assert.equal(recogniser.running.length, 1);
});

test('while other servers wait, slots are not for speculative work', () => {
  const { recogniser, scheduler } = setUp();
  recogniser.isContended = true;
  scheduler.submit(task('guess', { urgency: 'speculative' }));
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), []);
  recogniser.isContended = false;
  recogniser.changed();
  assert.deepEqual(recogniser.names(), ['guess']);
});

test('windows that nobody can recognise wait for a machine, and fail when none comes', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { recogniser, scheduler } = setUp();
  recogniser.served.add(LITE);
  const stranded = scheduler.submit(task('max', { tier: MAX }));
  const waiting = scheduler.submit(task('lite'));
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
