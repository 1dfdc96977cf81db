import assert from 'node:assert/strict';
import test from 'node:test';
import { type Deferred, deferred } from '../lib/time/deferred.ts';
import { WorkLoop, type WorkLoopOptions } from './work-loop.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

const loopOf = (queue: string[], options: Partial<WorkLoopOptions<string>> = {}) => {
  const ends = new Map<string, Deferred<void>>();
  const failures: string[] = [];
  const loop = new WorkLoop<string>({
    concurrency: 2,
    claim: async () => queue.shift() ?? null,
    run: (item) => {
      const end = deferred<void>();
      ends.set(item, end);
      return end.promise;
    },
    onPollFailure: (cause) => failures.push((cause as Error).message),
    onRunFailure: (cause, item) => failures.push(`${item}: ${(cause as Error).message}`),
    ...options,
  });
  return { loop, ends, failures };
};

test('at most `concurrency` items run, and the next is claimed when one ends', async () => {
  const queue = ['a', 'b', 'c'];
  const { loop, ends, failures } = loopOf(queue);
  loop.start();
  await turn();
  assert.deepEqual([[...ends.keys()], loop.running, queue], [['a', 'b'], 2, ['c']]);
  ends.get('a')!.resolve();
  await turn();
  assert.deepEqual([...ends.keys()], ['a', 'b', 'c']);
  ends.get('b')!.reject(new Error('broken'));
  await turn();
  assert.deepEqual([failures, loop.running], [['b: broken'], 1]);
  await loop.stop();
  ends.get('c')!.resolve();
  await loop.idle();
  assert.equal(loop.running, 0);
});

test('a wake-up during a poll polls again; a stopped loop claims nothing', async () => {
  const queue: string[] = [];
  const gate = deferred<void>();
  const { loop, ends } = loopOf(queue, { prepare: () => gate.promise });
  loop.start();
  await turn();
  loop.wake();
  gate.resolve();
  await turn();
  queue.push('a');
  loop.wake();
  await turn();
  assert.deepEqual([...ends.keys()], ['a']);
  await loop.stop();
  queue.push('b');
  loop.wake();
  ends.get('a')!.resolve();
  await turn();
  assert.deepEqual([...ends.keys()], ['a']);
});

test('a failed poll is reported and tried again after the interval', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let isAway = true;
  const { loop, ends, failures } = loopOf(['a'], {
    prepare: async () => {
      if (isAway) throw new Error('away');
    },
  });
  loop.start();
  await turn();
  assert.deepEqual([failures, ends.size], [['away'], 0]);
  isAway = false;
  t.mock.timers.tick(1_000);
  await turn();
  assert.deepEqual([...ends.keys()], ['a']);
  await loop.stop();
});
