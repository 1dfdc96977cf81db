import assert from 'node:assert/strict';
import test from 'node:test';
import { lineOf } from '@faircopy/transcript';
import { searchResults } from './alternatives.ts';
import type { TextForm } from './parameters.ts';
import { bareWord, type Recognised, searchWords, shownWords } from './word-filters.ts';

const PLAIN: TextForm = { base: 'raw', fillers: false, numerals: false, punctuation: true };

/** One word per second; `edits` are pairs of what was said and what is written. */
const said = (
  rawText: string,
  edits: readonly (readonly [string, string])[] = [],
  detectedLanguage = 'en',
): Recognised => ({
  rawText,
  detectedLanguage,
  words: rawText.split(' ').map((text, at) => ({ text, startMs: at * 1000, endMs: at * 1000 + 900, confidence: 0.9 })),
  segments: [],
  edits: edits.map(([raw, after]) => ({
    kind: 'test',
    before: raw,
    after,
    start: 0,
    end: 0,
    rawStart: rawText.indexOf(raw),
    rawEnd: rawText.indexOf(raw) + raw.length,
  })) as unknown as Recognised['edits'],
});

const shown = (recognised: Recognised, form: Partial<TextForm> = {}) =>
  lineOf(shownWords(recognised, { text: { ...PLAIN, ...form }, replacements: [] }));

test('fillers are left out unless they are requested, even from refined text', () => {
  const text = said('Um, we met, uh, twice.', [
    ['Um, we', 'We'],
    [' uh,', ''],
  ]);
  assert.equal(shown(text), 'we met, twice.');
  assert.equal(shown(text, { fillers: true }), 'Um, we met, uh, twice.');
  assert.equal(shown(text, { base: 'refined' }), 'We met, twice.');
  assert.equal(shown(text, { base: 'refined', fillers: true }), 'We met, uh, twice.');
  assert.equal(shown(said('Er kommt um drei.', [], 'de')), 'Er kommt um drei.', 'words of other languages stay');
});

test('numerals writes numbers in digits and changes nothing else', () => {
  const text = said('it costs twenty one dollars', [
    ['it', 'It'],
    ['twenty one', '21'],
  ]);
  assert.equal(shown(text, { numerals: true }), 'it costs 21 dollars');
});

test('without punctuation the text is in lower case and has no marks; those within words and numbers stay', () => {
  assert.equal(shown(said("Don't go, Ann: it's 3.5 %!"), { punctuation: false }), "don't go ann it's 3.5 %");
});

test('a mask of profanity stays without punctuation', () => {
  assert.equal(shown(said('What the ****, Ann!'), { punctuation: false }), 'what the **** ann');
});

test('a search finds every place, whatever the case and marks', () => {
  const words = shownWords(said('New York is big. I love new york!'), { text: PLAIN, replacements: [] });
  assert.deepEqual(
    searchWords(words, ['new york'])[0]!.map((said) => [said[0]!.startMs, said.at(-1)!.endMs]),
    [
      [0, 1900],
      [6000, 7900],
    ],
  );
  assert.deepEqual(searchWords(words, ['york city', '']), [[], []]);
});

test('a search stops at its first hundred places', () => {
  const words = shownWords(said('no '.repeat(300).trim()), { text: PLAIN, replacements: [] });
  assert.deepEqual(
    searchWords(words, ['no', 'no no']).map((places) => places.length),
    [100, 100],
  );
});

test('each replacement sees the words of the one before it', () => {
  const replacements = [
    { find: 'new york', replace: 'Boston' },
    { find: 'boston then', replace: 'Paris' },
  ];
  const shown = shownWords(said('He said New York, then nothing.'), { text: PLAIN, replacements });
  assert.equal(lineOf(shown), 'He said Paris nothing.');
});

test('a replacement keeps the marks around it, and the search finds what was said', () => {
  const text = said('He said "new york." Then, New York!');
  const replacements = [{ find: 'new york', replace: 'Boston' }];
  assert.equal(lineOf(shownWords(text, { text: PLAIN, replacements })), 'He said "Boston." Then, Boston!');
  const request = { text: PLAIN, searches: ['new york', 'boston'], replacements };
  const hits = searchResults(text, request).search!.map((result) => result.hits.map(({ snippet }) => snippet));
  assert.deepEqual(hits, [['"new york."', 'New York!'], []]);
});

test('vowel signs and tone marks belong to their words', () => {
  assert.deepEqual(['हिन्दी।', 'ที่', 'தமிழ்!', 'مُحَمَّدٌ'].map(bareWord), ['हिन्दी', 'ที่', 'தமிழ்', 'مُحَمَّدٌ']);
  const text = said('मैं घर में हूँ।', [], 'hi');
  assert.equal(shown(text, { punctuation: false }), 'मैं घर में हूँ');
  const replacements = [{ find: 'में', replace: 'X' }];
  assert.equal(lineOf(shownWords(text, { text: PLAIN, replacements })), 'मैं घर X हूँ।');
  assert.deepEqual(searchWords(shownWords(text, { text: PLAIN, replacements: [] }), ['मैं'])[0]!.length, 1);
});

test('long queries take time proportional to their length', () => {
  const run = `a${'-'.repeat(1_000_000)}a`;
  const text = said('New York is big.');
  assert.equal(
    lineOf(shownWords(text, { text: PLAIN, replacements: [{ find: run, replace: 'x' }] })),
    'New York is big.',
  );
  assert.deepEqual(searchWords(shownWords(text, { text: PLAIN, replacements: [] }), [run]), [[]]);
});
