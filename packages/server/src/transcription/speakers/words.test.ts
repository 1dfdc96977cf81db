import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VoicedSpans } from './analysis/voiced-spans.ts';
import { keepSpeakerNumbers, OverlapTable } from './speaker-numbers.ts';
import { speakersOfWords } from './words.ts';

const turn = (startSeconds: number, endSeconds: number, speaker: number) => ({ startSeconds, endSeconds, speaker });
const word = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

test('a word belongs to the speaker who covers most of it, else to the nearest turn', () => {
  const turns = [turn(0, 2, 0), turn(2, 3, 1), turn(1.9, 2.2, 2)];
  const words = [word(0.5, 1), word(1.5, 2.1), word(2.1, 2.6), word(3.4, 3.6), word(2.5, 2.5)];
  assert.deepEqual(speakersOfWords(words, turns), [0, 0, 1, 1, 1]);
  assert.deepEqual(speakersOfWords([word(0, 1)], []), [null]);
});

test('the order of the turns does not matter', () => {
  const turns = fc.array(
    fc.record({
      startSeconds: fc.integer({ min: 0, max: 50 }),
      length: fc.integer({ min: 1, max: 9 }),
      speaker: fc.nat(3),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const property = fc.property(turns, fc.integer({ min: 0, max: 60 }), (made, at) => {
    const all = made.map(({ startSeconds, length, speaker }) => turn(startSeconds, startSeconds + length, speaker));
    const [label] = speakersOfWords([word(at, at + 1)], all);
    const covered = new Map<number, number>();
    for (const { startSeconds, endSeconds, speaker } of all) {
      const seconds = Math.min(endSeconds, at + 1) - Math.max(startSeconds, at);
      if (seconds > 0) covered.set(speaker, (covered.get(speaker) ?? 0) + seconds);
    }
    if (covered.size > 0) assert.equal(covered.get(label!), Math.max(...covered.values()));
    else assert.notEqual(label, null);
  });
  fc.assert(property);
});

test('clusters keep the number they share most speech with, and no number is given twice', () => {
  const overlaps = [
    { cluster: 0, speaker: 1, seconds: 5 },
    { cluster: 1, speaker: 1, seconds: 9 },
    { cluster: 1, speaker: 0, seconds: 2 },
    { cluster: 0, speaker: 0, seconds: 1 },
  ];
  assert.deepEqual([...keepSpeakerNumbers(3, overlaps, 2)], [0, 1, 2]);
  assert.deepEqual([...keepSpeakerNumbers(2, [], 0)], [0, 1]);
  const table = new OverlapTable();
  table.add(0, 1, 2);
  table.add(0, 1, 3);
  assert.deepEqual(table.all, [{ cluster: 0, speaker: 1, seconds: 5 }]);
});

test('voiced spans join over short pauses and drop clicks', () => {
  const probabilities = [0, 1, 1, 1, 1, 0, 1, 1, 1, 1, ...new Array<number>(10).fill(0), 1, 0, 0, 0, 0, 0, 0, 0, 0];
  const spans = new VoicedSpans().push(probabilities);
  assert.equal(spans.length, 1);
  assert.ok(Math.abs(spans[0]!.startSeconds - 0.032) < 1e-9 && Math.abs(spans[0]!.endSeconds - 0.32) < 1e-9);
  assert.deepEqual(new VoicedSpans().push([]), []);
});
