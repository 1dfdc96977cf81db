import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said } from '../testing/english-fixtures.ts';
import { englishProbability, evidenceOfEnglish, isLikelyEnglish, mayBeEnglish } from './english-evidence.ts';

/** Too few words to be evidence. */
const brief = (averageLogProbability: number) => ({
  ...said(averageLogProbability, 'Two words.'),
  words: [{ confidence: 0.9 }, { confidence: 0.9 }],
});

test('confident English text is evidence for English, improbable text against it', () => {
  assert.ok(evidenceOfEnglish(said(-0.1), -0.5) > 10);
  assert.equal(evidenceOfEnglish(said(-0.5), -0.5), 1);
  const lost = evidenceOfEnglish(said(-1.5), -0.5);
  assert.ok(lost < 1 && lost > 0.4);
  assert.equal(evidenceOfEnglish({ ...said(-1.5, 'a beginning', true), stoppedEarly: true }, -0.5), lost);
  assert.equal(evidenceOfEnglish(said(-0.1, ''), -0.5), 1);
  assert.equal(evidenceOfEnglish(null, -0.5), 1);
  assert.equal(mayBeEnglish(said(-0.3)), true);
  assert.equal(mayBeEnglish(said(-0.9)), false);
  assert.equal(mayBeEnglish(null), false);
});

test('terms that were heard are evidence for English', () => {
  const [none, one] = [0, 1].map((termsHeard) => evidenceOfEnglish({ ...said(-0.5), termsHeard }, -0.5));
  assert.equal(none, 1);
  assert.ok(one! > 5);
  assert.equal(evidenceOfEnglish({ ...said(-0.5), termsHeard: 99 }, -0.5), evidenceOfEnglish(said(0), -0.5));
  assert.equal(evidenceOfEnglish({ ...brief(-0.5), termsHeard: 2 }, -0.5), 1);
});

test('only a likely text with enough words is used for English', () => {
  assert.equal(isLikelyEnglish(said(-0.4), -0.5), true);
  assert.equal(isLikelyEnglish(said(-0.6), -0.5), false);
  assert.equal(isLikelyEnglish(brief(-0.1), -0.5), false);
  assert.equal(isLikelyEnglish(null, -0.5), false);
});

test('the probability of English stays within bounds', () => {
  assert.equal(englishProbability(-9), 0.5);
  assert.ok(englishProbability(-0.1) > 0.9 && englishProbability(0) < 1);
});
