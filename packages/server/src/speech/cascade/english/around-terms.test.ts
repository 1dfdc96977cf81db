import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecognisedWord } from '../../recogniser.ts';
import { combineAroundTerms } from './around-terms.ts';

/** `[Anna Liddy|a lady]` is a term that was written in place of "a lady"; `word:90` has a confidence of 0.9. */
const wordsOf = (text: string): RecognisedWord[] =>
  (text.match(/\[[^\]]*\]\S*|\S+/gu) ?? [])
    .flatMap((part): Pick<RecognisedWord, 'text' | 'confidence' | 'term'>[] => {
      const [, shown, instead, rest] = /^\[([^|]*)\|([^\]]*)\](\S*)$/u.exec(part) ?? [];
      const [mark, percent = '90'] = (rest ?? part).split(':');
      const confidence = Number(percent) / 100;
      if (shown === undefined || instead === undefined) return [{ text: mark!, confidence }];
      const texts = `${shown}${mark}`.split(' ');
      return texts.map((word, nth) => ({
        text: word,
        confidence,
        ...(nth === 0 && { term: { text: shown, instead } }),
      }));
    })
    .map((word, nth) => ({ ...word, startMs: nth * 100, endMs: nth * 100 + 100 }));

const textOf = (words: readonly RecognisedWord[]): string => words.map(({ text }) => text).join(' ');

/** Combines with a scripted result, the first hypothesis, and returns the hypotheses that were to be combined. */
const first = (...hypotheses: string[]) => {
  let heard: string[] = [];
  const combined = combineAroundTerms(hypotheses.map(wordsOf), (all) => {
    heard = all.map(textOf);
    return [...all[0]!];
  });
  return { heard, text: textOf(combined), terms: combined.flatMap(({ term }) => term?.text ?? []) };
};

test('hypotheses are combined without their terms, then the terms of the elected one are put back', () => {
  const { heard, text, terms } = first('we met [Anna Liddy|a lady], then', 'we met a lady then');
  assert.deepEqual(heard, ['we met a lady, then', 'we met a lady then']);
  assert.equal(text, 'we met Anna Liddy, then');
  assert.deepEqual(terms, ['Anna Liddy']);
});

test('a term of another hypothesis replaces only the words in its place', () => {
  const other = 'tribes with its ultimately [coalesced|correlates]:60 into';
  assert.equal(
    first('tribes which ultimately corvettes:70 into', other).text,
    'tribes which ultimately coalesced into',
  );
  assert.equal(first('tribes which corvettes:70 into', other).text, 'tribes which coalesced into');
  assert.equal(
    first('tribes which ultimately corvettes:95 into', other).text,
    'tribes which ultimately corvettes into',
  );
});

test('a term does not replace words that sound like something else', () => {
  const { text } = first("one o'clock p.m. okay", "one o'clock [Clark|clock], okay");
  assert.equal(text, "one o'clock p.m. okay");
});

test('a term of which some words are already there is inserted as a whole', () => {
  const { text, terms } = first('we met Anna lady:60 then', 'we met [Anna Liddy|Anna lady]:60 then');
  assert.equal(text, 'we met Anna Liddy then');
  assert.deepEqual(terms, ['Anna Liddy']);
});

test('a term that the elected words already contain removes no words around it', () => {
  const { text } = first(
    'the Californian will as strenuously insist',
    'the Californian will [strenuously|extraneously] insist',
  );
  assert.equal(text, 'the Californian will as strenuously insist');
});

test('a term without words in its place is left out', () => {
  assert.equal(first('one two', 'one [three|tree] two').text, 'one two');
});
