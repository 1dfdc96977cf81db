// Tests that a closed gate waits for the running call and lets no further call start.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RunGate } from './run-gate.ts';

it('closes between two calls, and no call starts afterwards', async () => {
  const thread = new RunGate();
  const owner = new RunGate(thread.memory);
  assert.equal(thread.enter(), true);
  let closed = false;
  const closing = owner.close().then(() => {
    closed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(closed, false);
  thread.leave();
  await closing;
  assert.equal(thread.enter(), false);
});
