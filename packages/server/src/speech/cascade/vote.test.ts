import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anchorsOf, wordDistance } from './common-words.ts';
import { type Reading, vote } from './vote.ts';

/** `word:90` is a word with a confidence of 0.9; words last 100 ms. */
const words = (text: string) =>
  text
    .split(' ')
    .filter((part) => part !== '')
    .map((part, i) => {
      const [word = '', percent = '90'] = part.split(':');
      return { text: word, startMs: i * 100, endMs: i * 100 + 100, confidence: Number(percent) / 100 };
    });
const reading = (text: string, weight = 1, others: Record<string, number> = {}): Reading => {
  const alternatives = Object.entries(others).map(([other, share]) => ({ words: words(other), share }));
  const left = 1 - alternatives.reduce((sum, { share }) => sum + share, 0);
  return { words: words(text), weight, alternatives: [{ words: words(text), share: left }, ...alternatives] };
};
const voted = (...readings: Reading[]) =>
  vote(readings)
    .map(({ text }) => text)
    .join(' ');

test('where all agree, the spelling of the first is kept', () => {
  assert.equal(
    voted(reading('We met, at noon.'), reading('we met at noon'), reading('We met at Noon')),
    'We met, at noon.',
  );
});

test('two agreeing readings outvote a third that weighs as much', () => {
  assert.equal(voted(reading('the old man'), reading('the cold man'), reading('the cold man')), 'the cold man');
  assert.equal(voted(reading('the old man', 3), reading('the cold man'), reading('the cold man')), 'the old man');
});

test('words of two readings never stand side by side for the same sounds', () => {
  const made = voted(
    reading('neither did I we saw it'),
    reading('needed to die we saw it'),
    reading('neither did we saw it'),
  );
  assert.equal(made, 'neither did I we saw it');
  // Where nothing is in common, the whole text of one reading stands.
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const texts = [
        one.join(' '),
        other
          .join(' ')
          .toUpperCase()
          .replaceAll(/[A-C]/g, (letter) => `x${letter}`),
      ];
      assert.ok(texts.includes(voted(...texts.map((text) => reading(text)))));
    }),
  );
});

test('of three different texts the one nearest to the others is kept', () => {
  assert.equal(voted(reading('so x b it is'), reading('so a b it is'), reading('so a y it is')), 'so a b it is');
});

test('what a model thought of beside its best text counts too', () => {
  const unsure = reading('he was married', 1, { 'she was married': 0.45 });
  assert.equal(voted(unsure, reading('she was married', 0.5)), 'she was married');
  const sure = reading('he was married', 1, { 'she was married': 0.05 });
  assert.equal(voted(sure, reading('she was married', 0.5)), 'he was married');
});

test('a text that nobody put first can win', () => {
  const beams = { 'how much shocked I was': 0.4 };
  assert.equal(
    voted(reading('how much Shockdar was', 1, beams), reading('how much shock I was', 1, beams)),
    'how much shocked I was',
  );
});

test('the less sure model gives way', () => {
  const alone = (text: string): Reading => ({ words: words(text), weight: 1, alternatives: [] });
  assert.equal(voted(alone('the old:30 man'), alone('the cold:80 man')), 'the cold man');
  assert.equal(voted(alone('we had plan'), alone('we had um:30 plan')), 'we had plan');
  assert.equal(voted(alone('we:40 plan:40'), alone('we had:95 plan')), 'we had plan');
});

test('times run forwards, and words of other texts share the time of those they stand for', () => {
  const made = vote([reading('one two three', 0.3), reading('one x three', 1, { 'one too many three': 0.8 })]);
  assert.deepEqual(
    made.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ['one', 0, 100],
      ['too', 100, 150],
      ['many', 150, 200],
      ['three', 200, 300],
    ],
  );
});

test('one reading is itself, and nothing stays nothing', () => {
  assert.equal(voted(reading('hello there')), 'hello there');
  assert.deepEqual(vote([reading(''), reading('')]), []);
});

test('anchors are the longest run of common words, in rising order in every reading', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, letters, (a, b, c) => {
      const anchors = anchorsOf([a, b, c]);
      for (const [nth, anchor] of anchors.entries()) {
        assert.equal(new Set([a[anchor[0]!], b[anchor[1]!], c[anchor[2]!]]).size, 1);
        if (nth > 0) assert.ok(anchor.every((at, which) => at > anchors[nth - 1]![which]!));
      }
      assert.ok(anchors.length <= anchorsOf([a, b]).length);
      assert.equal(anchorsOf([a, a, a]).length, a.length);
      assert.equal(wordDistance(a, b), wordDistance(b, a));
    }),
  );
  // Too long for all three at once: two at a time give the same here.
  const long = Array.from({ length: 200 }, (_, nth) => `w${nth}`);
  assert.equal(anchorsOf([long, long.toSpliced(5, 1), long]).length, 199);
});
