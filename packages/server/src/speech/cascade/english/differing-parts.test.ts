import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord } from './common-words.ts';
import { differingParts } from './differing-parts.ts';

/** One word every half second, each 400 ms long. */
const spoken = (text: string): RecognisedWord[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, i) => ({ text: word, startMs: i * 500, endMs: i * 500 + 400, confidence: 0.9 }));

const byLength = (ms: number) => ms;

const partsOf = (first: string, second: string, pausesMs: readonly number[], costOf = byLength) =>
  differingParts(spoken(first), spoken(second), pausesMs, second.split(' ').length * 500, costOf);

test('readings with the same words do not differ, whatever their spelling', () => {
  assert.deepEqual(partsOf('we met at noon', 'We met, at noon.', [950]), []);
  assert.deepEqual(partsOf('', '', []), []);
});

test('a part reaches from the last pause before the difference to the first after it', () => {
  const found = partsOf('a b c d E f g h', 'a b c d X f g h', [450, 2950, 1450, 3450]);
  assert.deepEqual(found, [{ fromMs: 1450, toMs: 2950, first: [3, 6], second: [3, 6] }]);
});

test('a pause right beside the difference does not count: its words may lie on either side', () => {
  const found = partsOf('a b c d E f g h', 'a b c d X f g h', [450, 1950, 2450, 3450]);
  assert.deepEqual(found, [{ fromMs: 450, toMs: 3450, first: [1, 7], second: [1, 7] }]);
});

test('without pauses around it, the part is the window', () => {
  assert.deepEqual(partsOf('a b', 'a c', []), [{ fromMs: 0, toMs: 1000, first: [0, 2], second: [0, 2] }]);
});

test('an added or a missing word belongs to the part', () => {
  const added = partsOf('a b c x d e f', 'a b c d e f', [950, 2450]);
  assert.deepEqual(added, [{ fromMs: 950, toMs: 2450, first: [2, 6], second: [2, 5] }]);
  const missing = partsOf('a b c e f g', 'a b c d e f g', [950, 2950]);
  assert.deepEqual(missing, [{ fromMs: 950, toMs: 2950, first: [2, 5], second: [2, 6] }]);
});

const [ONE, OTHER] = ['a y c d e f g h x i j', 'a b c d e f g h i j'];
const PAUSES = [950, 1450, 2950, 4450];

test('two differences with pauses between them are two parts', () => {
  const [front, back] = partsOf(ONE, OTHER, PAUSES);
  assert.deepEqual(front, { fromMs: 0, toMs: 1450, first: [0, 3], second: [0, 3] });
  assert.deepEqual(back, { fromMs: 2950, toMs: 4450, first: [6, 10], second: [6, 9] });
});

test('parts that cost no more together are joined', () => {
  const withOverhead = (ms: number) => ms + 1500;
  const found = partsOf(ONE, OTHER, PAUSES, withOverhead);
  assert.deepEqual(found, [{ fromMs: 0, toMs: 4450, first: [0, 10], second: [0, 9] }]);
});

test('outside the parts, both readings have the same words', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((words) => words.join(' '));
  const pauses = fc.array(fc.integer({ min: 0, max: 6_000 }), { maxLength: 6 });
  const overhead = fc.constantFrom(0, 500, 2_000);
  const bare = (words: readonly RecognisedWord[]) => words.map(({ text: word }) => bareWord(word));
  fc.assert(
    fc.property(text, text, pauses, overhead, (one, other, pausesMs, extra) => {
      const [first, second] = [spoken(one), spoken(other)];
      const found = differingParts(first, second, pausesMs, 6_000, (ms) => ms + extra);
      let [atMs, a, b] = [0, 0, 0];
      for (const part of found) {
        assert.ok(atMs <= part.fromMs && part.fromMs < part.toMs);
        assert.deepEqual(bare(first.slice(a, part.first[0])), bare(second.slice(b, part.second[0])));
        [atMs, a, b] = [part.toMs, part.first[1], part.second[1]];
      }
      assert.deepEqual(bare(first.slice(a)), bare(second.slice(b)));
    }),
    { numRuns: 1_000 },
  );
});
