import assert from 'node:assert/strict';
import test from 'node:test';
import { newId, type WorkerState } from '../messages.ts';
import { workerStateOf } from '../testing/states.ts';
import { KnownWorkers } from './known-workers.ts';

const LITE = 'svc-1.0-lite';
const SLOTS = 8;

const workerOf = (name: string, speeds: WorkerState['speeds'] = {}): WorkerState =>
  workerStateOf({ name, slots: SLOTS, speeds, credits: Array.from({ length: SLOTS }, newId) });

/** Names of the workers that get the next windows, in order. */
const spend = (states: readonly WorkerState[], windows: number): string[] => {
  const known = new KnownWorkers();
  for (const state of states) known.add(state, 0).update(state, 0);
  return Array.from({ length: windows }, () => {
    const worker = known.freest(LITE, 0)!;
    worker.spend();
    return worker.state.name;
  });
};
const countOf = (names: readonly string[], name: string): number => names.filter((each) => each === name).length;

test('windows go to idle workers in proportion to their speed', () => {
  const chosen = spend([workerOf('slow', { [LITE]: 10 }), workerOf('fast', { [LITE]: 30 })], SLOTS);
  assert.deepEqual([countOf(chosen, 'fast'), countOf(chosen, 'slow')], [6, 2]);
  assert.equal(chosen[0], 'fast');
  // The remaining credits are spent too.
  assert.equal(countOf(spend([workerOf('slow', { [LITE]: 10 }), workerOf('fast', { [LITE]: 30 })], 16), 'slow'), SLOTS);
});

test('a worker of unknown speed counts as the fastest; without any known speed, all are equal', () => {
  const slow = { [LITE]: 1 };
  const chosen = spend([workerOf('slow', slow), workerOf('fast', { [LITE]: 4 }), workerOf('new', {})], 8);
  assert.equal(countOf(chosen, 'new'), countOf(chosen, 'fast'));
  const alike = spend([workerOf('one'), workerOf('other')], SLOTS);
  assert.equal(countOf(alike, 'one'), SLOTS / 2);
});
