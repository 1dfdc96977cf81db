import assert from 'node:assert/strict';
import test from 'node:test';
import { workerStateOf } from '../testing/states.ts';
import { WorkerLog } from './worker-log.ts';

test('a worker that keeps joining and leaving does not flood the log', () => {
  let nowMs = 0;
  const lines: Readonly<Record<string, unknown>>[] = [];
  const note = (facts: Readonly<Record<string, unknown>>) => void lines.push(facts);
  const log = new WorkerLog({ info: note, warn: note }, () => nowMs);
  const state = workerStateOf();
  for (let nth = 0; nth < 1_000; nth++) log.note(state, nth % 2 === 0 ? 'joined' : 'lost');
  assert.equal(lines.length, 50);
  nowMs = 60_000;
  log.note(state, 'joined');
  assert.equal(lines.at(-1)?.omitted, 950);
});
