import assert from 'node:assert/strict';
import test from 'node:test';
import { deferred } from '../../lib/time/deferred.ts';
import { FrameQueue } from './frame-queue.ts';

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads a queue to its end and records the frames as text. */
const read = (queue: FrameQueue) => {
  const taken: string[] = [];
  const done = (async () => {
    for await (const frames of queue) taken.push(Buffer.from(frames).toString());
  })();
  return { taken, done };
};

test('a mark is reached after earlier frames, and later ones wait until it is passed', async () => {
  const queue = new FrameQueue(() => undefined);
  const passed = deferred<void>();
  queue.push(Buffer.from('a'));
  queue.push(Buffer.from('b'));
  const reached = queue.mark(passed.promise);
  queue.push(Buffer.from('c'));
  queue.end();
  const { taken, done } = read(queue);
  await reached;
  await turnOfLoop();
  assert.deepEqual(taken, ['ab']);
  passed.resolve();
  await done;
  assert.deepEqual(taken, ['ab', 'c']);
});

test('marks of a closed queue are reached, and its frames are dropped', async () => {
  const queue = new FrameQueue(() => undefined);
  queue.push(Buffer.from('a'));
  const marks = [queue.mark(Promise.resolve()), queue.mark(Promise.resolve())];
  queue.close();
  const { taken, done } = read(queue);
  await Promise.all([...marks, done]);
  await queue.mark(Promise.resolve());
  assert.deepEqual(taken, []);
});

test('a full queue has room again only when little is left behind a mark', async () => {
  const levels: string[] = [];
  const queue = new FrameQueue((level) => levels.push(level));
  const passed = deferred<void>();
  queue.push(Buffer.from('a'));
  const reached = queue.mark(passed.promise);
  queue.push(Buffer.alloc(300 * 1024));
  const { done } = read(queue);
  await reached;
  await turnOfLoop();
  assert.deepEqual(levels, ['full']);
  passed.resolve();
  await turnOfLoop();
  assert.deepEqual(levels, ['full', 'room']);
  queue.end();
  await done;
});
