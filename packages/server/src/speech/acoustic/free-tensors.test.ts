import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { freeTensors } from './free-tensors.ts';

const MEGABYTE = 2 ** 20;

test('memory is free at once, without a collection', async () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 50; round++) {
    const tensors = [new Float32Array(MEGABYTE), new Float32Array(MEGABYTE)].map((data) => ({ data }));
    freeTensors(tensors);
    assert.deepEqual(
      tensors.map(({ data }) => data.length),
      [0, 0],
    );
    await setImmediate();
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * MEGABYTE);
});

test('tensors may share memory, be empty, and be freed twice', () => {
  const shared = new Float32Array(8);
  const tensors = [{ data: shared.subarray(0, 4) }, { data: shared.subarray(4) }, { data: new Float32Array(0) }];
  freeTensors(tensors);
  freeTensors(tensors);
  assert.equal(shared.length, 0);
});
