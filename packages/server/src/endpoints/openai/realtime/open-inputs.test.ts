import assert from 'node:assert/strict';
import test from 'node:test';
import { OpenInputs } from './open-inputs.ts';

const open = () => {
  const events: string[] = [];
  const cancelled: number[] = [];
  const inputs = new OpenInputs({ dispatch: ({ type }: { type: string }) => events.push(type) } as never);
  const inputOf = (nth: number) => ({ cancel: () => cancelled.push(nth), clear: () => undefined, detectsTurns: true });
  return { inputs, events, cancelled, inputOf };
};

test('reading pauses while more than four inputs are open, and a seventeenth is refused', () => {
  const { inputs, events, cancelled, inputOf } = open();
  const all = Array.from({ length: 16 }, (_, nth) => inputOf(nth));
  for (const input of all) {
    assert.ok(inputs.mayOpen());
    inputs.add(input);
  }
  assert.deepEqual(events, ['queue_full']);
  assert.equal(inputs.mayOpen(), false);
  assert.deepEqual(events, ['queue_full', 'failed']);
  for (const input of all.slice(0, 11)) inputs.close(input);
  assert.equal(events.length, 2);
  inputs.close(all[11]!);
  assert.deepEqual(events, ['queue_full', 'failed', 'queue_ready']);
  inputs.cancelAll();
  assert.deepEqual(
    cancelled,
    all.map((_, nth) => nth),
  );
});

test('reading pauses while an input has too much audio, and resumes when it is closed', () => {
  const { inputs, events, inputOf } = open();
  const [early, late] = [inputOf(0), inputOf(1)];
  for (const input of [early, late]) inputs.add(input);
  inputs.listenerOf(() => early).full();
  inputs.listenerOf(() => late).full();
  inputs.listenerOf(() => late).room();
  assert.deepEqual(events, ['queue_full']);
  inputs.close(early);
  assert.deepEqual(events, ['queue_full', 'queue_ready']);
});
