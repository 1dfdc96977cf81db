import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { PromptContext } from './prompt-context.ts';

const SECOND = SAMPLE_RATE_HZ;
const recognised = (text: string, of: Partial<Recognition> = {}): Recognition =>
  recognitionOf({ text, languages: [{ language: 'de', probability: 0.98 }], averageLogProbability: -0.2, ...of });

test('the preceding window is the context, with its language', () => {
  const context = new PromptContext();
  assert.equal(context.before(0), null);
  context.add(10 * SECOND, recognised('Guten Tag.'));
  context.add(20 * SECOND, recognised('Wie geht es?'));
  assert.deepEqual(context.before(20.5 * SECOND), { text: 'Wie geht es?', language: 'de' });
  // A window that is recognised late does not get the text after it.
  assert.deepEqual(context.before(10 * SECOND), { text: 'Guten Tag.', language: 'de' });
});

test('the nearest text is the context, in whatever order windows were recognised', () => {
  const context = new PromptContext();
  context.add(10 * SECOND, recognised('zweitens'));
  context.add(8 * SECOND, recognised('erstens'));
  for (let count = 0; count < 10; count++) context.add((12 + count) * SECOND, recognised('später'));
  assert.equal(context.before(10.5 * SECOND)?.text, 'zweitens');
});

test('there is no context after a long pause, or from text of low confidence', () => {
  const contextFor = (recognition: Recognition, startSample = 10 * SECOND) => {
    const context = new PromptContext();
    context.add(10 * SECOND, recognition);
    return context.before(startSample);
  };
  assert.equal(contextFor(recognised('Guten Tag.'), 14 * SECOND), null);
  assert.equal(contextFor(recognised('')), null);
  assert.equal(contextFor(recognised('Guten Tag.', { averageLogProbability: -0.8 })), null);
  assert.equal(contextFor(recognised('Guten Tag.', { languages: [{ language: 'de', probability: 0.6 }] })), null);
  assert.equal(contextFor(recognised('Guten Tag. Good day.', { languageChange: SECOND })), null);
});
