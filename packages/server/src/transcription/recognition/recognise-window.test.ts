import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { LanguageBelief } from '../language/belief.ts';
import { type Window, windowSamples } from '../planning/window.ts';
import { type RecogniseAudio, recogniseWindow } from './recognise-window.ts';

const SECOND = SAMPLE_RATE_HZ;
const recognition = (text: string, language: string, probability: number, of: Partial<Recognition> = {}): Recognition =>
  recognitionOf({ text, languages: [{ language, probability }], averageLogProbability: -0.4, ...of });
/** Six seconds, a pause that was left out, then five seconds. */
const window: Window = {
  slices: [
    { startSample: 0, endSample: 6 * SECOND },
    { startSample: 9 * SECOND, endSample: 14 * SECOND },
  ],
  voicedSamples: 10 * SECOND,
  pauses: [
    { sample: 2 * SECOND, pauseSamples: 1_600 },
    { sample: 7.5 * SECOND, pauseSamples: 3 * SECOND },
  ],
};
const samples = new Float32Array(windowSamples(window));

/** Picks the answer by the length of the audio in seconds. */
const answering = (answers: Record<number, Recognition>) => {
  const asked: number[] = [];
  const ask: RecogniseAudio = async ({ samples: part }, { language, onResult }) => {
    language();
    asked.push(part.length / SECOND);
    const answer = answers[part.length / SECOND]!;
    onResult(answer);
    return answer;
  };
  return { asked, ask };
};
const textsOf = (parts: readonly { readonly recognition: Recognition }[]) => parts.map((part) => part.recognition.text);

test('a recogniser gets the pauses as positions in the window, longest first', async () => {
  let passed: readonly number[] = [];
  await recogniseWindow(window, samples, new LanguageBelief(), async ({ pauses }) => {
    passed = pauses;
    return recognition('a sentence that is long enough for all of its seconds '.repeat(3), 'en', 1);
  });
  assert.deepEqual(passed, [6 * SECOND, 2 * SECOND]);
});

test('a window in two languages is recognised in two parts, at the pause where the language changes', async () => {
  const { asked, ask } = answering({
    11: recognition('kauderwelsch', 'en', 0.8, { languageChange: 2 * SECOND }),
    2: recognition('Guten Tag', 'de', 0.98),
    9: recognition('a sentence that is long enough for its seconds '.repeat(3).trim(), 'en', 0.99),
  });
  const parts = await recogniseWindow(window, samples, new LanguageBelief(), ask);
  assert.deepEqual(asked, [11, 2, 9]);
  assert.equal(textsOf(parts)[0], 'Guten Tag');
  assert.deepEqual(
    parts.map((part) => part.window.slices[0]?.startSample),
    [0, 2 * SECOND],
  );
});

test('an assumed language does not keep another from being recognised', async () => {
  const belief = new LanguageBelief();
  belief.learn({ recognition: recognition('Guten Tag', 'de', 0.99), voicedMs: 9_000 }, 0);
  const { ask } = answering({
    11: recognition('ein ganzer Satz '.repeat(8), 'de', 0.97, {
      languageChange: 6 * SECOND,
      averageLogProbability: -0.1,
    }),
    6: recognition('Guten Tag', 'de', 0.98),
    5: recognition('good day', 'en', 0.99),
  });
  assert.deepEqual(textsOf(await recogniseWindow(window, samples, belief, ask)), ['Guten Tag', 'good day']);
});

test('three languages are recognised in three parts', async () => {
  const { ask } = answering({
    11: recognition('kauderwelsch', 'en', 0.8, { languageChange: 6 * SECOND }),
    6: recognition('kauderwelsch', 'de', 0.8, { languageChange: 2 * SECOND }),
    2: recognition('Guten Tag', 'de', 0.98),
    4: recognition('bonjour', 'fr', 0.98),
    5: recognition('good day', 'en', 0.99),
  });
  const parts = await recogniseWindow(window, samples, new LanguageBelief(), ask);
  assert.deepEqual(textsOf(parts), ['Guten Tag', 'bonjour', 'good day']);
});

test('a window stays whole when its parts agree or are uncertain', async () => {
  for (const second of [
    recognition('b', 'de', 0.99),
    recognition('b', 'en', 0.4),
    recognition('', 'en', 0.9),
    recognition('b', 'en', 0.98, { averageLogProbability: -1 }),
  ]) {
    const { ask } = answering({
      11: recognition('whole', 'de', 0.8, { languageChange: 6 * SECOND }),
      6: recognition('a', 'de', 0.98),
      5: second,
    });
    assert.deepEqual(textsOf(await recogniseWindow(window, samples, new LanguageBelief(), ask)), ['whole']);
  }
});

test('a window with too little text for its speech is split at its longest pause', async () => {
  const { asked, ask } = answering({
    11: recognition('only a few words of English', 'en', 0.97),
    6: recognition('El museo abre todos los días menos los lunes', 'es', 0.95),
    5: recognition('only a few words of English', 'en', 0.99),
  });
  assert.equal((await recogniseWindow(window, samples, new LanguageBelief(), ask)).length, 2);
  assert.deepEqual(asked, [11, 6, 5]);
});

test('a window in one language is recognised once', async () => {
  const { asked, ask } = answering({ 11: recognition('ein ganzer Satz '.repeat(8), 'de', 0.97) });
  await recogniseWindow(window, samples, new LanguageBelief(), ask);
  assert.deepEqual(asked, [11]);
});
