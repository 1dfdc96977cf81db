import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition } from '../speech/recogniser.ts';
import { recognitionOf } from '../speech/testing/recogniser-fixtures.ts';
import { LanguageBelief, normaliseHint } from './language.ts';

const heard = (language: string, probability: number, averageLogProbability = -0.1, text = 'x'): Recognition =>
  recognitionOf({ text, languages: [{ language, probability }], averageLogProbability });

test('hints are understood in the ways people write them, and ignored when they name nothing', () => {
  for (const hint of ['en', 'EN', ' en ', 'en-US', 'en_GB']) assert.equal(normaliseHint(hint), 'en');
  assert.equal(normaliseHint('iw'), 'he');
  assert.equal(normaliseHint('zh-CN'), 'zh');
  for (const hint of ['zh-TW', 'zh_hk', 'zh-Hant', 'zh-Hant-TW']) assert.equal(normaliseHint(hint), 'zh-Hant');
  for (const hint of [undefined, '', 'xx', 'english', 'e', '--', '日本']) assert.equal(normaliseHint(hint), null);
});

test('a language is believed after enough sure speech, and no sooner', () => {
  const belief = new LanguageBelief();
  assert.equal(belief.next(), null);
  belief.learn({ recognition: heard('de', 0.95), voicedMs: 3_000 });
  assert.equal(belief.next(), null);
  belief.learn({ recognition: heard('de', 0.6), voicedMs: 3_000 });
  assert.equal(belief.next(), null);
  belief.learn({ recognition: heard('de', 0.95), voicedMs: 3_000 });
  assert.equal(belief.next(), 'de');
});

test('a window in another language re-opens the question; so does one that goes badly', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: heard('de', 0.95), voicedMs: 10_000 });
  assert.equal(belief.doubts({ recognition: heard('de', 1), voicedMs: 6_000 }), false);
  for (const poor of [heard('de', 1, -1.5), heard('de', 1, -0.1, ''), heard('fr', 0.9)]) {
    assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  }
  belief.learn({ recognition: heard('en', 0.95), voicedMs: 2_000 });
  assert.equal(belief.next(), null);
});

test('a doubt that was for nothing makes slower to doubt', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: heard('en', 0.95), voicedMs: 10_000 });
  const poor = heard('en', 1, -0.9);
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), true);
  belief.settleDoubt(poor, { recognition: heard('en', 0.9, -0.9), voicedMs: 5_000 });
  assert.equal(belief.doubts({ recognition: poor, voicedMs: 6_000 }), false);
  assert.equal(belief.next(), 'en');
});

test('however sure, the language is listened for again now and then; English checks itself', () => {
  const english = new LanguageBelief();
  english.learn({ recognition: heard('en', 0.95), voicedMs: 10_000 });
  assert.ok(Array.from({ length: 14 }, () => english.next()).every((language) => language === 'en'));
  const belief = new LanguageBelief();
  belief.learn({ recognition: heard('de', 0.95), voicedMs: 10_000 });
  const asked = Array.from({ length: 14 }, () => belief.next());
  assert.equal(asked.filter((language) => language === null).length, 2);
});

test('a few English words that were heard poorly are no reason to doubt that it is English', () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: heard('en', 0.99), voicedMs: 9_000 });
  assert.equal(belief.doubts({ recognition: heard('en', 0.9, -0.8), voicedMs: 2_000 }), false);
  assert.equal(belief.doubts({ recognition: heard('en', 0.9, -0.8), voicedMs: 6_000 }), true);
  assert.equal(belief.doubts({ recognition: heard('de', 0.9, -0.1), voicedMs: 2_000 }), true);
});
