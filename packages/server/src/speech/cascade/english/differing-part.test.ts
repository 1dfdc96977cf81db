import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord } from './common-words.ts';
import { differingPart } from './differing-part.ts';

/** One word every half second, each 400 ms long. */
const spoken = (text: string): RecognisedWord[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, i) => ({ text: word, startMs: i * 500, endMs: i * 500 + 400, confidence: 0.9 }));

const part = (first: string, second: string, pausesMs: readonly number[]) =>
  differingPart(spoken(first), spoken(second), pausesMs, second.split(' ').length * 500);

test('readings with the same words do not differ, whatever their spelling', () => {
  assert.equal(part('we met at noon', 'We met, at noon.', [950]), null);
  assert.equal(part('', '', []), null);
});

test('a part reaches from the last pause before the difference to the first after it', () => {
  const found = part('a b c d E f g h', 'a b c d X f g h', [450, 1450, 2950, 3450]);
  assert.deepEqual(found, { fromMs: 1450, toMs: 2950, first: [3, 6], second: [3, 6] });
});

test('a pause right beside the difference does not count: its words may lie on either side', () => {
  const found = part('a b c d E f g h', 'a b c d X f g h', [450, 1950, 2450, 3450]);
  assert.deepEqual(found, { fromMs: 450, toMs: 3450, first: [1, 7], second: [1, 7] });
});

test('without pauses around it, the part is the window', () => {
  assert.deepEqual(part('a b', 'a c', []), { fromMs: 0, toMs: 1000, first: [0, 2], second: [0, 2] });
});

test('an added or a missing word belongs to the part', () => {
  const added = part('a b c x d e f', 'a b c d e f', [950, 2450]);
  assert.deepEqual(added, { fromMs: 950, toMs: 2450, first: [2, 6], second: [2, 5] });
  const missing = part('a b c e f g', 'a b c d e f g', [950, 2950]);
  assert.deepEqual(missing, { fromMs: 950, toMs: 2950, first: [2, 5], second: [2, 6] });
});

test('outside the part, both readings have the same words', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((words) => words.join(' '));
  const pauses = fc.array(fc.integer({ min: 0, max: 6_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, pauses, (one, other, pausesMs) => {
      const [first, second] = [spoken(one), spoken(other)];
      const found = differingPart(first, second, pausesMs, 6_000);
      const bare = (words: readonly RecognisedWord[]) => words.map(({ text: word }) => bareWord(word));
      if (found === null) return assert.deepEqual(bare(first), bare(second));
      assert.deepEqual(bare(first.slice(0, found.first[0])), bare(second.slice(0, found.second[0])));
      assert.deepEqual(bare(first.slice(found.first[1])), bare(second.slice(found.second[1])));
      assert.ok(found.fromMs < found.toMs);
    }),
  );
});
