import assert from 'node:assert/strict';
import test from 'node:test';
import type { Refined } from '../../refine/refiner.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import { type FinalEnd, isOpenEnded, joinRecognised, joinRefined } from './final-joins.ts';

const SECOND = 16_000;

/** A window of two seconds whose voice ends at `voicedSeconds`. */
const windowOf = (text: string, voicedSeconds = 1.5, markProbability?: number): RecognisedWindow => ({
  window: {
    slices: [{ startSample: 0, endSample: 2 * SECOND }],
    voicedSamples: SECOND,
    pauses: [],
    voiced: [{ startSample: 0, endSample: voicedSeconds * SECOND }],
  },
  recognition: {
    text,
    words: text.split(' ').map((word) => ({
      text: word,
      startMs: 0,
      endMs: 100,
      confidence: 1,
      ...(markProbability !== undefined && { markProbability }),
    })),
    languages: [],
    languageChange: null,
    averageLogProbability: 0,
  },
});

const textsOf = (windows: readonly RecognisedWindow[]) =>
  windows.map(({ recognition }) => [recognition.text, recognition.words.map(({ text }) => text).join(' ')]);

const ended = (endedBy: FinalEnd['endedBy'], endpointingMs = 1_000): FinalEnd => ({ endedBy, endpointingMs });

test('a sentence stays open after a word that cannot end it, and after a flush in the middle of speech', () => {
  assert.equal(isOpenEnded([windowOf('I would like to.')], ended('endpoint')), true);
  assert.equal(isOpenEnded([windowOf('I would like to go.')], ended('endpoint')), false);
  assert.equal(isOpenEnded([windowOf('I would like to go.', 1.9)], ended('flush')), true);
  assert.equal(isOpenEnded([windowOf('I would like to go.', 1.5)], ended('flush')), false);
  assert.equal(isOpenEnded([windowOf('Is this what you are looking for?')], ended('endpoint')), false);
  assert.equal(isOpenEnded([windowOf('I would like to.')], ended('end')), false);
  assert.equal(isOpenEnded([], ended('endpoint')), false);
});

test('after a short pause, a sentence ends only if the model is sure of its full stop', () => {
  const pause = ended('endpoint', 300);
  assert.equal(isOpenEnded([windowOf('I went home.', 1.5, 0.95)], pause), false);
  assert.equal(isOpenEnded([windowOf('I went home.', 1.5, 0.6)], pause), true);
  assert.equal(isOpenEnded([windowOf('I went home.', 1.5, 0.6)], ended('endpoint', 1_000)), false);
  assert.equal(isOpenEnded([windowOf('I went home.')], pause), false, 'a model without probabilities is trusted');
  assert.equal(isOpenEnded([windowOf('I went home')], pause), true);
  assert.equal(isOpenEnded([windowOf('Well,')], pause), true);
  assert.equal(isOpenEnded([windowOf('I mean...', 1.5, 0.95)], pause), true);
  assert.equal(isOpenEnded([windowOf('I mean...', 1.5, 0.95)], ended('endpoint', 1_000)), false);
  assert.equal(isOpenEnded([windowOf('Did you go home?', 1.5, 0.6)], pause), false);
});

test('after a short pause, a full stop is dropped if the model expects the sentence to continue', () => {
  const said = windowOf('I went home.', 1.5, 0.95);
  const goingOn = (sentenceEnd: number) => [{ ...said, recognition: { ...said.recognition, sentenceEnd } }];
  assert.equal(isOpenEnded(goingOn(0.3), ended('endpoint', 300)), true);
  assert.equal(isOpenEnded(goingOn(0.9), ended('endpoint', 300)), false);
  assert.equal(isOpenEnded(goingOn(0.3), ended('endpoint', 1_000)), false);
});

test('the full stop is removed, and so is the capital of a word that is lower case inside a sentence', () => {
  const both = { continuesBefore: true, continuesAfter: true };
  assert.deepEqual(textsOf(joinRecognised([windowOf('The house of.')], both)), [['the house of', 'the house of']]);
  assert.deepEqual(textsOf(joinRecognised([windowOf('Mary has a')], both)), [['Mary has a', 'Mary has a']]);
  assert.deepEqual(textsOf(joinRecognised([windowOf('I mean...')], both)), [['I mean', 'I mean']]);
  const none = { continuesBefore: false, continuesAfter: false };
  assert.deepEqual(textsOf(joinRecognised([windowOf('The house of.')], none)), [['The house of.', 'The house of.']]);
});

test('a capital and full stop that refinement added are removed, and its other edits stay', () => {
  const edit = { pass: 'p', reason: 'r' };
  const refined: Refined = {
    rawText: 'um the house of of',
    text: 'The house of.',
    edits: [
      { ...edit, before: 'um the', after: 'The', rawStart: 0, rawEnd: 6 },
      { ...edit, before: ' of of', after: ' of.', rawStart: 12, rawEnd: 18 },
    ],
    numbersRestored: 0,
    fallback: null,
  };
  const joined = joinRefined(refined, { continuesBefore: true, continuesAfter: true });
  assert.equal(joined.text, 'the house of');
  assert.equal(joined.edits.length, 2);
  const capital = { ...edit, before: 'tossing', after: 'Tossing', rawStart: 0, rawEnd: 7 };
  const lower = joinRefined(
    { ...refined, rawText: 'tossing', edits: [capital] },
    { continuesBefore: true, continuesAfter: false },
  );
  assert.deepEqual([lower.text, lower.edits], ['tossing', []], 'the model heard it inside a sentence');
  const only = { ...edit, before: 'of', after: 'of.', rawStart: 0, rawEnd: 2 };
  const one = joinRefined(
    { ...refined, rawText: 'of', edits: [only] },
    { continuesBefore: false, continuesAfter: true },
  );
  assert.deepEqual([one.text, one.edits], ['of', []]);
});
