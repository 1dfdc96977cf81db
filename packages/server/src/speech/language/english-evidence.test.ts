import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said } from '../testing/english-fixtures.ts';
import { englishProbability, evidenceOfEnglish, mayBeEnglish } from './english-evidence.ts';

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

test('the probability of English stays within bounds', () => {
  assert.equal(englishProbability(-9), 0.5);
  assert.ok(englishProbability(-0.1) > 0.9 && englishProbability(0) < 1);
});
