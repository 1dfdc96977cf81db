import assert from 'node:assert/strict';
import test from 'node:test';
import { LongestStep } from './longest-step.ts';

const MINUTE_MS = 60_000;

test('many short runs do not hide a long one, but it fades with time', () => {
  let nowMs = 5_000;
  const longest = new LongestStep({ now: () => 0, monotonicMs: () => nowMs });
  longest.record(4_000);
  for (let call = 0; call < 1_000; call++) longest.record(20);
  assert.equal(longest.ms, 4_000);
  nowMs += 30 * MINUTE_MS;
  longest.record(20);
  assert.equal(longest.ms, 2_000);
  nowMs += 24 * 60 * MINUTE_MS;
  longest.record(20);
  assert.equal(longest.ms, 20);
});

test('a longer run counts at once', () => {
  const longest = new LongestStep({ now: () => 0, monotonicMs: () => 0 });
  assert.equal(longest.ms, 0);
  longest.record(100);
  longest.record(300);
  assert.equal(longest.ms, 300);
});
