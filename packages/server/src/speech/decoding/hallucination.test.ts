import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHallucination } from './hallucination.ts';

const evidence = (text: string, averageLogProbability: number, noSpeechProbability: number) => ({
  text,
  averageLogProbability,
  noSpeechProbability,
});

test('stock phrases are dropped only with little evidence', () => {
  assert.equal(isHallucination(evidence('Thank you.', -0.2, 0.01)), false);
  assert.equal(isHallucination(evidence('Thank you.', -0.2, 0.5)), true);
  assert.equal(isHallucination(evidence('Thank you.', -0.6, 0.01)), true);
  assert.equal(isHallucination(evidence('Merci.', -0.5, 0)), true);
  assert.equal(isHallucination(evidence('We thank the chairman.', -0.6, 0.3)), false);
  // Diacritics make no difference.
  assert.equal(isHallucination(evidence('СПОКОЙНАЯ МУЗЫКА', -0.7, 0.1)), true);
  assert.equal(isHallucination(evidence('ご視聴ありがとうございました。', -0.5, 0.1)), true);
  assert.equal(isHallucination(evidence('Música.', -0.1, 0.1)), false);
});

test('improbable text without apparent speech is dropped', () => {
  assert.equal(isHallucination(evidence('a long line of something', -1.1, 0.8)), true);
  assert.equal(isHallucination(evidence('a long line of something', -0.3, 0.8)), false);
});

test('sound descriptions, and punctuation alone, are not speech', () => {
  assert.equal(isHallucination(evidence('[Music]', -0.1, 0)), true);
  assert.equal(isHallucination(evidence('♪ la la ♪', -0.1, 0)), true);
  assert.equal(isHallucination(evidence('...', -0.1, 0)), true);
});
