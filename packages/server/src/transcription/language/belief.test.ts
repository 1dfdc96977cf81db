import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { LanguageBelief } from './belief.ts';

const recognised = (language: string, probability: number, averageLogProbability = -0.1, text = 'x'): Recognition =>
  recognitionOf({ text, languages: [{ language, probability }], averageLogProbability });

test('a language is assumed only after enough confident speech', () => {
  const belief = new LanguageBelief();
  assert.equal(belief.next(), null);
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 3_000 });
  assert.equal(belief.next(), null);
  belief.learn({ recognition: recognised('de', 0.6), voicedMs: 3_000 });
  assert.equal(belief.next(), null);
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 3_000 });
  assert.equal(belief.next(), 'de');
});

test('a window in another language, or a poor one, casts doubt on the assumed language', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 10_000 });
  assert.equal(belief.doubts({ recognition: recognised('de', 1), voicedMs: 6_000 }), false);
  for (const poor of [recognised('de', 1, -1.5), recognised('de', 1, -0.1, ''), recognised('fr', 0.9)]) {
    assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  }
  belief.learn({ recognition: recognised('en', 0.95), voicedMs: 2_000 });
  assert.equal(belief.next(), null);
});

test('an unfounded doubt lowers the threshold for the next one', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('en', 0.95), voicedMs: 10_000 });
  const poor = recognised('en', 1, -0.9);
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  belief.settleDoubt(poor, { recognition: recognised('en', 0.9, -0.9), voicedMs: 5_000 });
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), false);
  assert.equal(belief.next(), 'en');
});

test('even a certain language is detected again now and then; English needs no such check', () => {
  const english = new LanguageBelief();
  english.learn({ recognition: recognised('en', 0.95), voicedMs: 10_000 });
  assert.ok(Array.from({ length: 14 }, () => english.next()).every((language) => language === 'en'));
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 10_000 });
  const asked = Array.from({ length: 14 }, () => belief.next());
  assert.equal(asked.filter((language) => language === null).length, 2);
});

test('a few poorly recognised English words do not cast doubt on English', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('en', 0.99), voicedMs: 9_000 });
  assert.equal(belief.doubts({ recognition: recognised('en', 0.9, -0.8), voicedMs: 2_000 }), false);
  assert.equal(belief.doubts({ recognition: recognised('en', 0.9, -0.8), voicedMs: 6_000 }), true);
  assert.equal(belief.doubts({ recognition: recognised('de', 0.9, -0.1), voicedMs: 2_000 }), true);
});

test('the only language of a session is never doubted', () => {
  const belief = new LanguageBelief(['de']);
  assert.equal(belief.next(), 'de');
  assert.equal(belief.doubts({ recognition: recognised('fr', 0.99, -2), voicedMs: 6_000 }), false);
  belief.learn({ recognition: recognised('fr', 0.99), voicedMs: 20_000 });
  for (let nth = 0; nth < 10; nth++) assert.equal(belief.next(), 'de');
  assert.equal(belief.isCertain, true);
  assert.equal(new LanguageBelief(['de', 'fr']).isCertain, false);
});
