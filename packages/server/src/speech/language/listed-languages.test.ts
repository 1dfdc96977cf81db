import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognitionOf, windowOf } from '../testing/recogniser-fixtures.ts';
import { nearestListed, withinLanguages } from './listed-languages.ts';

const heard = recognitionOf({
  text: 'Vi ses i morgen foran stasjonen',
  languages: [
    { language: 'no', probability: 0.7 },
    { language: 'sv', probability: 0.2 },
  ],
});

test('unlisted guesses are dropped; a single listed language is always the answer', () => {
  const languagesOf = (languages?: readonly string[]) =>
    withinLanguages(heard, windowOf(languages ? { languages } : {})).languages.map(({ language }) => language);
  assert.deepEqual(languagesOf(), ['no', 'sv']);
  assert.deepEqual(languagesOf(['sv', 'de']), ['sv']);
  assert.deepEqual(languagesOf(['fr', 'de']), []);
  assert.deepEqual(languagesOf(['de']), ['de']);
});

test('an answer in an unlisted language is matched to the most similar listed one', async () => {
  assert.equal(await nearestListed(heard, windowOf({ languages: ['zh', 'da'] })), 'da');
  assert.equal(await nearestListed(heard, windowOf({ languages: ['zh', 'ja'], languageHint: 'ja' })), 'ja');
  assert.equal(await nearestListed(heard, windowOf({ languages: ['de', 'no'] })), null);
  assert.equal(await nearestListed(heard, windowOf()), null);
});
