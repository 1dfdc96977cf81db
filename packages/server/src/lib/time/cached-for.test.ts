import assert from 'node:assert/strict';
import test from 'node:test';
import { cachedFor } from './cached-for.ts';

test('one reading serves all callers while it is fresh', async () => {
  let readings = 0;
  const read = cachedFor(60_000, async () => ++readings);
  assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1]);
  assert.equal(await read(), 1);
});

test('an expired reading is taken again', async () => {
  let readings = 0;
  const read = cachedFor(0, async () => ++readings);
  assert.equal(await read(), 1);
  assert.equal(await read(), 2);
});

test('a failure reaches all waiting callers and is not cached', async () => {
  let readings = 0;
  const read = cachedFor(60_000, async () => {
    readings += 1;
    if (readings === 1) throw new Error('not now');
    return readings;
  });
  const [first, second] = await Promise.allSettled([read(), read()]);
  assert.deepEqual([first.status, second.status], ['rejected', 'rejected']);
  assert.equal(await read(), 2);
});
