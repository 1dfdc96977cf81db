import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addScore, termsIn } from './eval-synthesised.ts';
import { SENTENCES, TERMS } from './synthesised.ts';

test('200 sentences: each term is said once, and half of the sentences contain none', () => {
  assert.equal(SENTENCES.length, 200);
  assert.deepEqual(SENTENCES.flatMap(({ term }) => term ?? []).sort(), [...TERMS].sort());
  for (const { text, term } of SENTENCES) assert.deepEqual(termsIn(text), term === null ? [] : [term]);
});

test('a written term counts for the list if it was said, and against it if it was not', () => {
  const score = { said: 0, written: 0, falselyWritten: 0 };
  addScore(score, { text: '', term: 'Grafana', voice: '' }, 'We moved to Grafana.');
  addScore(score, { text: '', term: 'Splunk', voice: '' }, 'We moved to Spunk.');
  addScore(score, { text: '', term: null, voice: '' }, "We moved to Heroku's.");
  assert.deepEqual(score, { said: 2, written: 1, falselyWritten: 1 });
});
