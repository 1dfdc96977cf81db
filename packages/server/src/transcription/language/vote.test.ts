import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { voteLanguage } from './vote.ts';

const heard = (voicedMs: number, ...guesses: [string, number][]) => ({
  recognition: recognitionOf({
    text: 'x',
    languages: guesses.map(([language, probability]) => ({ language, probability })),
  }),
  voicedMs,
});

test('all speech of a recording is pooled: a clear window outweighs one that is nearly even', () => {
  const even = heard(6_000, ['fi', 0.52], ['et', 0.45]);
  assert.equal(voteLanguage([even]), 'fi');
  assert.equal(voteLanguage([even, heard(4_000, ['et', 0.9], ['fi', 0.05])]), 'et');
});

test('the language of most of the speech is that of the recording', () => {
  const windows = [heard(9_000, ['de', 0.97]), heard(5_000, ['en', 0.98]), heard(4_000, ['de', 0.9])];
  assert.equal(voteLanguage(windows), 'de');
});

test('unclear speech has no language, and silence has no vote', () => {
  assert.equal(voteLanguage([]), null);
  assert.equal(voteLanguage([heard(3_000, ['lv', 0.3], ['lt', 0.2], ['ru', 0.2])]), null);
  assert.equal(voteLanguage([heard(3_000, ['lv', 0.4], ['lt', 0.2], ['ru', 0.2])]), 'lv');
  const silent = { recognition: recognitionOf({ languages: [{ language: 'en', probability: 1 }] }), voicedMs: 9_000 };
  assert.equal(voteLanguage([silent, heard(0, ['de', 0.9])]), 'de');
});
