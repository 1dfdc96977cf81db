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

/** What is combined is the first hypothesis, as it was heard. */
const first = (...hypotheses: string[]) => {
  let heard: string[] = [];
  const combined = combineAroundTerms(hypotheses.map(wordsOf), (all) => {
    heard = all.map(textOf);
    return [...all[0]!];
  });
  return { heard, text: textOf(combined), terms: combined.flatMap(({ term }) => term?.text ?? []) };
};

test('hypotheses are combined as heard without terms, and the terms of the elected one come back', () => {
  const { heard, text, terms } = first('we met [Anna Liddy|a lady], then', 'we met a lady then');
  assert.deepEqual(heard, ['we met a lady, then', 'we met a lady then']);
  assert.equal(text, 'we met Anna Liddy, then');
  assert.deepEqual(terms, ['Anna Liddy']);
});

test('a term of another hypothesis replaces the words in its place only', () => {
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

test('a term whose words are partly there is put in as a whole', () => {
  const { text, terms } = first('we met Anna lady:60 then', 'we met [Anna Liddy|Anna lady]:60 then');
  assert.equal(text, 'we met Anna Liddy then');
  assert.deepEqual(terms, ['Anna Liddy']);
});

test('a term that another hypothesis heard by itself loses no words around it', () => {
  const { text } = first(
    'the Californian will as strenuously insist',
    'the Californian will [strenuously|extraneously] insist',
  );
  assert.equal(text, 'the Californian will as strenuously insist');
});

test('a term without words in its place is left out', () => {
  assert.equal(first('one two', 'one [three|tree] two').text, 'one two');
});
