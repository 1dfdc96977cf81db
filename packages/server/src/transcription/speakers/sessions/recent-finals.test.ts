import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Final } from '../../transcriber.ts';
import { EMPTY_TEXT } from '../../transcript-collector.ts';
import type { LiveUpdate } from '../live-speakers.ts';
import { RecentFinals } from './recent-finals.ts';

const finalAt = (startMs: number, endMs: number): Final => ({
  startMs,
  endMs,
  endedBy: 'endpoint',
  transcript: {
    ...EMPTY_TEXT,
    text: 'yes no',
    words: [
      { text: 'yes', startMs, endMs: startMs + 400, confidence: 1 },
      { text: 'no', startMs: startMs + 500, endMs: startMs + 900, confidence: 1 },
    ],
  },
});

const saidBy = (utterance: number, startMs: number, speaker: number) => {
  const span = { startSeconds: startMs / 1000, endSeconds: startMs / 1000 + 1, speaker, confidence: 0.8 };
  return { utterance, turns: [span], spans: [span] };
};

const updateOf = (utterance: number, startMs: number, changed: LiveUpdate['changed'] = []): LiveUpdate => ({
  ...saidBy(utterance, startMs, 0),
  changed,
  speakers: [{ speaker: 0, embedding: Float32Array.of(1), seconds: 1 }],
  isNarrowBand: false,
});

const labelsIn = ({ transcript }: Pick<Final, 'transcript'>) =>
  transcript.words.map(({ speaker }) => [speaker?.speaker, speaker?.confidence]);

test('a change of speakers is reported once, with the words of its final, and never after ten seconds', () => {
  const recent = new RecentFinals();
  assert.deepEqual(labelsIn(recent.add(finalAt(0, 1_000), updateOf(0, 0))), [
    [0, 0.8],
    [0, 0.8],
  ]);
  const second = updateOf(1, 5_000, [saidBy(0, 0, 1)]);
  recent.add(finalAt(5_000, 6_000), second);
  const changes = recent.changes(second);
  assert.deepEqual(
    changes.map((changed) => [changed.startMs, changed.endMs, labelsIn(changed)[0]]),
    [[0, 1_000, [1, 0.8]]],
  );
  assert.deepEqual(recent.changes(second), []);
  const late = updateOf(2, 15_000, [saidBy(0, 0, 0), saidBy(1, 5_000, 1)]);
  recent.add(finalAt(15_000, 16_000), late);
  assert.deepEqual(
    recent.changes(late).map(({ startMs }) => startMs),
    [5_000],
  );
});

test('a final without known speakers stays unchanged, and unchanged words are not reported', () => {
  const recent = new RecentFinals();
  const final = finalAt(0, 1_000);
  assert.equal(recent.add(final, null), final);
  assert.deepEqual(recent.changes(null), []);
  recent.add(final, updateOf(0, 0));
  const same = updateOf(1, 2_000, [saidBy(0, 0, 0)]);
  recent.add(finalAt(2_000, 3_000), same);
  assert.deepEqual(recent.changes(same), []);
});
