import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commonWords, passages, wordDistance } from './common-words.ts';
import { fitWords } from './fit-words.ts';
import { vote, type WeightedHypothesis } from './vote.ts';

/** `word:90` is a word with a confidence of 0.9; words last 100 ms. */
const words = (text: string) =>
  text
    .split(' ')
    .filter((part) => part !== '')
    .map((part, i) => {
      const [word = '', percent = '90'] = part.split(':');
      return { text: word, startMs: i * 100, endMs: i * 100 + 100, confidence: Number(percent) / 100 };
    });
const hypothesis = (text: string, weight = 1): WeightedHypothesis => ({ words: words(text), weight });
const voted = (...hypotheses: WeightedHypothesis[]) =>
  vote(hypotheses)
    .map(({ text }) => text)
    .join(' ');

test('where all agree, the spelling of the first is kept', () => {
  assert.equal(
    voted(hypothesis('We met, at noon.'), hypothesis('we met at noon'), hypothesis('We met at Noon')),
    'We met, at noon.',
  );
});

test('two agreeing hypotheses outvote a third of the same weight', () => {
  assert.equal(
    voted(hypothesis('the old man'), hypothesis('the cold man'), hypothesis('the cold man')),
    'the cold man',
  );
  assert.equal(
    voted(hypothesis('the old man', 3), hypothesis('the cold man'), hypothesis('the cold man')),
    'the old man',
  );
});

test('words of two hypotheses are never combined for the same sounds', () => {
  const made = voted(
    hypothesis('neither did I we saw it'),
    hypothesis('needed to die we saw it'),
    hypothesis('neither did we saw it'),
  );
  assert.equal(made, 'neither did I we saw it');
  // Without common words, the whole text of one hypothesis wins.
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const texts = [one.join(' '), other.map((letter) => `x${letter}`).join(' ')];
      assert.ok(texts.includes(voted(...texts.map((text) => hypothesis(text))).toLowerCase()));
    }),
  );
});

test('of three different texts, the one nearest to the others wins', () => {
  assert.equal(
    voted(hypothesis('so x b it is'), hypothesis('so a b it is'), hypothesis('so a y it is')),
    'so a b it is',
  );
});

test('the more confident model wins', () => {
  assert.equal(voted(hypothesis('the old:30 man'), hypothesis('the cold:80 man')), 'the cold man');
  assert.equal(voted(hypothesis('we had plan'), hypothesis('we had um:30 plan')), 'we had plan');
  assert.equal(voted(hypothesis('we:40 plan:40'), hypothesis('we had:95 plan')), 'we had plan');
});

test('times are in order, even when the models disagree', () => {
  const late = words('one two:99 three').map((word) => ({
    ...word,
    startMs: word.startMs + 130,
    endMs: word.endMs + 130,
  }));
  const times = vote([hypothesis('one too:10 three'), { words: late, weight: 1 }]).flatMap((word) => [
    word.startMs,
    word.endMs,
  ]);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('words take over the capitals and punctuation of their new position', () => {
  const fit = (theirs: string, place: [number, number], ours: string, into: [number, number]) =>
    fitWords(theirs.split(' '), place, ours.split(' '), into).join(' ');
  assert.equal(fit('Hi, my name', [0, 1], 'so am I my name', [1, 3]), 'hi');
  assert.equal(fit('it was. hi my name', [2, 3], 'It was. Am my name', [2, 3]), 'Hi');
  assert.equal(fit('I am', [0, 1], 'so eye am', [1, 2]), 'I');
  assert.equal(fit('in Egypt', [1, 2], 'in a jet.', [1, 3]), 'Egypt.');
  assert.equal(fit('a b c', [3, 3], 'a b c d.', [3, 4]), '');
  assert.equal(
    voted(hypothesis('Then he said, massed:20 men.'), hypothesis('Then he said. Masked men')),
    'Then he said, masked men.',
  );
});

test('a single hypothesis is returned unchanged, even when empty', () => {
  assert.equal(voted(hypothesis('hello there')), 'hello there');
  assert.deepEqual(vote([hypothesis(''), hypothesis('')]), []);
});

test('common words are a longest common subsequence, in increasing order in every hypothesis', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  const commonOf = (...all: readonly string[][]) => commonWords(all.map((each) => words(each.join(' '))));
  fc.assert(
    fc.property(letters, letters, letters, (a, b, c) => {
      const common = commonOf(a, b, c);
      for (const [nth, places] of common.entries()) {
        assert.equal(new Set([a[places[0]!], b[places[1]!], c[places[2]!]]).size, 1);
        if (nth > 0) assert.ok(places.every((at, which) => at > common[nth - 1]![which]!));
      }
      assert.ok(common.length <= commonOf(a, b).length);
      assert.equal(commonOf(a, a, a).length, a.length);
      assert.equal(wordDistance(a, b), wordDistance(b, a));
    }),
  );
  // Too long for all three at once: comparing two at a time gives the same result here.
  const long = Array.from({ length: 200 }, (_, nth) => `w${nth}`);
  assert.equal(commonOf(long, long.toSpliced(5, 1), long).length, 199);
});

test('passages and the common words after them cover each hypothesis', () => {
  const heard = ['so we met Anna', 'we then met Hannah today', 'we met'].map(words);
  const [first, , last, ...more] = passages(heard);
  assert.deepEqual(first, { from: [0, 0, 0], to: [1, 0, 0] });
  assert.deepEqual(last, { from: [3, 3, 2], to: [4, 5, 2] });
  assert.deepEqual(more, []);
});
