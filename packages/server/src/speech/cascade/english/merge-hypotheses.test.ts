import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeHypotheses } from './merge-hypotheses.ts';

/** `word:90` is a word with a confidence of 0.9, `*word` a term; words last 100 ms. */
const hypothesis = (text: string, startMs = 0) =>
  text.split(' ').map((part, i) => {
    const [, star, word = '', percent = '90'] = /^(\*?)([^:]*):?(.*)$/u.exec(part)!.map((each) => each || undefined);
    return {
      text: word,
      ...(star && { term: { text: word, instead: 'something' } }),
      startMs: startMs + i * 100,
      endMs: startMs + i * 100 + 100,
      confidence: Number(percent) / 100,
    };
  });
const merged = (english: string, multilingual: string) =>
  mergeHypotheses(hypothesis(english), hypothesis(multilingual))
    .map(({ text }) => text)
    .join(' ');

test('where both agree, the spelling of the multilingual model is kept', () => {
  assert.equal(merged('we met at noon', 'We met at noon.'), 'We met at noon.');
});

test('where they differ, the clearly more confident one is kept', () => {
  assert.equal(merged('the art:95 man spoke', 'the old:60 man spoke'), 'the art man spoke');
  assert.equal(merged('the art:75 man spoke', 'the old:60 man spoke'), 'the old man spoke');
});

test('a term that only one has is kept, unless the other is far more confident', () => {
  assert.equal(merged('ten *minims:60 a day', 'ten minutes:80 a day'), 'ten minims a day');
  assert.equal(merged('ten *minims:40 a day', 'ten minutes:80 a day'), 'ten minutes a day');
  assert.equal(merged('ask lady:90 first', 'ask *Liddy:65 first'), 'ask Liddy first');
  assert.equal(merged('ask lady:99 first', 'ask *Liddy:60 first'), 'ask lady first');
});

test('where both have a term, the more confident one is kept', () => {
  assert.equal(merged('ask *lady:75 first', 'ask *Liddy:60 first'), 'ask lady first');
  assert.equal(merged('ask *lady:60 first', 'ask *Liddy:75 first'), 'ask Liddy first');
});

test('a word that only one has is kept if it is confident', () => {
  assert.equal(merged('we had a we:80 had:80 a:80 plan', 'we had a plan'), 'we had a we had a plan');
  assert.equal(merged('we had um:30 a plan', 'we had a plan'), 'we had a plan');
  assert.equal(merged('we had plan', 'we had a:60 plan'), 'we had a plan');
  assert.equal(merged('we had plan', 'we had thank:20 plan'), 'we had plan');
});

test('times are in order, even when the models disagree', () => {
  const words = mergeHypotheses(hypothesis('one two:99 three'), hypothesis('one too:10 three', 30));
  const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(words[1]?.text, 'two');
});

test('if one hypothesis is empty, the other is kept', () => {
  assert.deepEqual(mergeHypotheses([], hypothesis('hello there')).length, 2);
  assert.deepEqual(mergeHypotheses([], []), []);
});
