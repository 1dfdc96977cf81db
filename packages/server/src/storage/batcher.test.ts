import assert from 'node:assert/strict';
import test from 'node:test';
import { Batcher } from './batcher.ts';

/** A batcher whose batches wait until the test releases them. */
const held = (options: { batchItemsMax?: number; queueItemsMax?: number } = {}) => {
  const batches: { items: readonly number[]; answer(): void; fail(): void }[] = [];
  const batcher = new Batcher<number, number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(items.map((item) => item * 10));
        batches.push({ items, answer, fail: () => reject(new Error('batch failed')) });
      }),
    batchItemsMax: options.batchItemsMax ?? 100,
    queueItemsMax: options.queueItemsMax ?? 100,
    queueFullError: () => new Error('full'),
  });
  return { batcher, batches };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('items submitted while a batch runs share the next one, and each gets its own result', async () => {
  const { batcher, batches } = held();
  const first = [batcher.submit(1), batcher.submit(2)];
  await turn();
  const second = [3, 4, 5].map((item) => batcher.submit(item));
  await turn();
  assert.deepEqual(
    batches.map(({ items }) => items),
    [[1, 2]],
  );
  batches[0]?.answer();
  assert.deepEqual(await Promise.all(first), [10, 20]);
  await turn();
  assert.deepEqual(batches[1]?.items, [3, 4, 5]);
  batches[1]?.answer();
  assert.deepEqual(await Promise.all(second), [30, 40, 50]);
  await batcher.idle();
});

test('a failed batch rejects only its own items', async () => {
  const { batcher, batches } = held();
  const failing = batcher.submit(1);
  await turn();
  const following = batcher.submit(2);
  batches[0]?.fail();
  await assert.rejects(failing, /batch failed/);
  await turn();
  batches[1]?.answer();
  assert.equal(await following, 20);
});

test('batches are bounded, and a full queue rejects at once', async () => {
  const { batcher, batches } = held({ batchItemsMax: 2, queueItemsMax: 3 });
  const answers = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
  await assert.rejects(batcher.submit(4), /full/);
  await turn();
  assert.deepEqual(batches[0]?.items, [1, 2]);
  batches[0]?.answer();
  await turn();
  assert.deepEqual(batches[1]?.items, [3]);
  batches[1]?.answer();
  assert.deepEqual(await answers, [10, 20, 30]);
});
