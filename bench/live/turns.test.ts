import assert from 'node:assert/strict';
import test from 'node:test';
import { sideOf } from './call-sides.ts';
import { addTurns, newTurnScore, turnRow } from './turns.ts';

const turn = (speaker: string, start: number, end: number) => ({ speaker, start, end });
const call = {
  name: 'call',
  part: 'call',
  samples: new Float32Array(16_000 * 10).fill(0.5),
  turns: [turn('a', 1, 2), turn('a', 2.5, 3), turn('b', 3.5, 4), turn('a', 5, 6)],
  words: [],
};

test('a side of a call has only its own audio, and knows after which pauses the other person answers', () => {
  const side = sideOf(call, 10)!;
  assert.equal(side.samples[16_000 * 1.5], 0.5);
  assert.equal(side.samples[16_000 * 3.7], 0);
  assert.deepEqual(
    side.pauses.map(({ atMs, isEnd }) => [atMs, isEnd]),
    [
      [2_000, false],
      [3_000, true],
    ],
  );
});

test('noise is neither a turn nor an answer', () => {
  const word = ({ speaker, start, end }: ReturnType<typeof turn>, text = 'yes') => ({
    speaker,
    start,
    end,
    word: text,
  });
  const words = call.turns.map((each, at) => word(each, at === 1 || at === 2 ? '[noise]' : 'yes'));
  assert.deepEqual(sideOf({ ...call, words }, 10)!.pauses, [{ atMs: 2_000, untilMs: 5_000, isEnd: false }]);
});

test('an end inside a turn is false, and delays are measured from the end of the turn', () => {
  const score = newTurnScore();
  const side = sideOf(call, 10)!;
  const told = (toldMs: number, endMs: number) => ({ toldMs, endMs });
  addTurns(score, side, [told(2_300, 1_900), told(3_350, 3_000), told(4_000, 3_600)]);
  assert.deepEqual(score, { delaysMs: [350], ends: 1, inside: 1, falseEnds: 1 });
  const row = turnRow('x', score);
  assert.deepEqual([row['delay p50 ms'], row['false ends']], ['350', '100.0 %']);
});

test('a late end counts for the pause that it refers to', () => {
  const side = sideOf(call, 10)!;
  const score = newTurnScore();
  addTurns(score, side, [{ toldMs: 3_400, endMs: 2_000 }]);
  assert.deepEqual(score, { delaysMs: [], ends: 1, inside: 1, falseEnds: 1 });
  const late = newTurnScore();
  addTurns(late, side, [{ toldMs: 5_400, endMs: 3_000 }]);
  assert.deepEqual(late, { delaysMs: [], ends: 1, inside: 1, falseEnds: 0 });
});
