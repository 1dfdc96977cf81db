import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { LanguageBelief } from './belief.ts';

const recognised = (language: string, probability: number, averageLogProbability = -0.1, text = 'x'): Recognition =>
  recognitionOf({ text, languages: [{ language, probability }], averageLogProbability });

test('a language is assumed only after enough confident speech', () => {
  const belief = new LanguageBelief();
  assert.equal(belief.next(100), null);
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 3_000 }, 1);
  assert.equal(belief.next(100), null);
  belief.learn({ recognition: recognised('de', 0.6), voicedMs: 3_000 }, 2);
  assert.equal(belief.next(100), null);
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 3_000 }, 3);
  assert.equal(belief.next(100), 'de');
});

test('a window in another language, or a poor one, casts doubt on the assumed language', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 10_000 }, 4);
  assert.equal(belief.doubts({ recognition: recognised('de', 1), voicedMs: 6_000 }), false);
  for (const poor of [recognised('de', 1, -1.5), recognised('de', 1, -0.1, ''), recognised('fr', 0.9)]) {
    assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  }
  belief.learn({ recognition: recognised('en', 0.95), voicedMs: 2_000 }, 5);
  assert.equal(belief.next(100), null);
});

test('an unfounded doubt lowers the threshold for the next one', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('en', 0.95), voicedMs: 10_000 }, 6);
  const poor = recognised('en', 1, -0.9);
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  belief.settleDoubt(poor, { recognition: recognised('en', 0.9, -0.9), voicedMs: 5_000 }, 11);
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), false);
  assert.equal(belief.next(100), 'en');
});

test('even a certain language is detected again now and then; English needs no such check', () => {
  const english = new LanguageBelief();
  english.learn({ recognition: recognised('en', 0.95), voicedMs: 10_000 }, 7);
  assert.ok(Array.from({ length: 14 }, (_, at) => english.next(at)).every((language) => language === 'en'));
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 10_000 }, 8);
  const asked = Array.from({ length: 14 }, (_, at) => belief.next(at));
  assert.equal(asked.filter((language) => language === null).length, 2);
});

test('a few poorly recognised English words do not cast doubt on English', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('en', 0.99), voicedMs: 9_000 }, 9);
  assert.equal(belief.doubts({ recognition: recognised('en', 0.9, -0.8), voicedMs: 2_000 }), false);
  assert.equal(belief.doubts({ recognition: recognised('en', 0.9, -0.8), voicedMs: 6_000 }), true);
  assert.equal(belief.doubts({ recognition: recognised('de', 0.9, -0.1), voicedMs: 2_000 }), true);
});

test('the only language of a session is never doubted', () => {
  const belief = new LanguageBelief(['de']);
  assert.equal(belief.next(100), 'de');
  assert.equal(belief.doubts({ recognition: recognised('fr', 0.99, -2), voicedMs: 6_000 }), false);
  belief.learn({ recognition: recognised('fr', 0.99), voicedMs: 20_000 }, 10);
  for (let nth = 0; nth < 10; nth++) assert.equal(belief.next(100), 'de');
  assert.equal(belief.isCertain, true);
  assert.equal(new LanguageBelief(['de', 'fr']).isCertain, false);
});

test('an utterance that is read again as it grows counts once', () => {
  const belief = new LanguageBelief();
  const hears = (voicedMs: number, startSample: number, language = 'de') =>
    belief.learn({ recognition: recognised(language, 0.95), voicedMs }, startSample);
  for (const voicedMs of [1_000, 2_500, 4_000]) hears(voicedMs, 0);
  assert.equal(belief.next(80_000), null);
  hears(1_500, 80_000);
  assert.equal(belief.next(160_000), 'de');
  hears(2_000, 160_000, 'fr');
  assert.equal(belief.next(240_000), null);
});

test('all readings of a window get the same answer', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognised('de', 0.95), voicedMs: 10_000 }, 0);
  const asked = Array.from({ length: 14 }, (_, at) => [belief.next(at), belief.next(at), belief.next(at)]);
  assert.ok(asked.every(([first, ...others]) => others.every((language) => language === first)));
  assert.equal(asked.filter(([language]) => language === null).length, 2);
});
