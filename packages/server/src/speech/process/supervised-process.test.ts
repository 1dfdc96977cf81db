import assert from 'node:assert/strict';
import test from 'node:test';
import type { SpeechEvent } from '../engine-events.ts';
import { ProcessUnavailable, SupervisedProcess } from './supervised-process.ts';

test('a process that cannot be created counts as a failed load and is tried again', async (t) => {
  const events: SpeechEvent[] = [];
  // Node refuses the path at once, as it refuses every process without memory.
  const entry = 'no\0path';
  const made = new SupervisedProcess({
    name: 'recogniser 1',
    entry,
    init: {},
    loadMsMax: 1_000,
    onEvent: (event) => events.push(event),
  });
  t.after(() => made.close());
  made.start();
  assert.equal(made.state, 'restarting');
  await assert.rejects(made.ready(), ProcessUnavailable);
  assert.ok(made.isBroken);
  assert.ok(events.length >= 3 && events.every(({ type }) => type === 'process_ended'));
});
