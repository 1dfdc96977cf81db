import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { LanguageGuess, Recognition } from '../speech/recogniser.ts';
import { halvesOf } from './bilingual.ts';
import { type Ask, hearWindow } from './hear-window.ts';
import { LanguageBelief } from './language.ts';
import { type Window, windowSamples } from './window.ts';

const SECOND = 16_000;
const recognition = (text: string, ...languages: [string, number][]): Recognition => ({
  text,
  words: [],
  languages: languages.map(([language, probability]): LanguageGuess => ({ language, probability })),
  averageLogProbability: -0.4,
  noSpeechProbability: 0,
  engine: 'test',
  computeMs: 1,
});
/** Six seconds, a pause that was left out, then five seconds. */
const window: Window = {
  slices: [
    { startSample: 0, endSample: 6 * SECOND },
    { startSample: 9 * SECOND, endSample: 14 * SECOND },
  ],
  voicedSamples: 10 * SECOND,
  rests: [
    { sample: 2 * SECOND, restSamples: 1_600 },
    { sample: 7.5 * SECOND, restSamples: 3 * SECOND },
  ],
};
const samples = new Float32Array(windowSamples(window));

/** Answers by the length of what is asked. */
const answering = (answers: Record<number, Recognition>) => {
  const asked: number[] = [];
  const ask: Ask = async (part, { language, learn }) => {
    language();
    asked.push(part.length / SECOND);
    const answer = answers[part.length / SECOND]!;
    learn(answer);
    return answer;
  };
  return { asked, ask };
};

test('a window in two languages is heard in two parts, at its longest rest', async () => {
  const { asked, ask } = answering({
    11: recognition('kauderwelsch', ['en', 0.8], ['de', 0.19]),
    6: recognition('Guten Tag', ['de', 0.98]),
    5: recognition('good day', ['en', 0.99]),
  });
  const heard = await hearWindow(window, samples, new LanguageBelief(), ask);
  assert.deepEqual(asked, [11, 6, 5]);
  assert.deepEqual(
    heard.map((part) => [part.recognition.text, part.window.slices[0]?.startSample]),
    [
      ['Guten Tag', 0],
      ['good day', 9 * SECOND],
    ],
  );
});

test('parts that agree, or are unsure, leave the window as it was', async () => {
  for (const second of [
    recognition('b', ['de', 0.99]),
    recognition('b', ['en', 0.6]),
    recognition('', ['en', 0.9]),
    { ...recognition('b', ['en', 0.98]), averageLogProbability: -1 },
  ]) {
    const { ask } = answering({
      11: recognition('whole', ['de', 0.8], ['en', 0.19]),
      6: recognition('a', ['de', 0.98]),
      5: second,
    });
    const heard = await hearWindow(window, samples, new LanguageBelief(), ask);
    assert.deepEqual(
      heard.map((part) => part.recognition.text),
      ['whole'],
    );
  }
});

test('a window with too little text for its speech is looked at again', async () => {
  const { asked, ask } = answering({
    11: recognition('only a few words of English', ['en', 0.97]),
    6: recognition('Tras su lanzamiento ha recibido positivas reseñas', ['es', 0.95]),
    5: recognition('only a few words of English', ['en', 0.99]),
  });
  assert.equal((await hearWindow(window, samples, new LanguageBelief(), ask)).length, 2);
  assert.deepEqual(asked, [11, 6, 5]);
});

test('a sure window is asked once', async () => {
  const { asked, ask } = answering({ 11: recognition('ein ganzer Satz '.repeat(8), ['de', 0.97], ['nl', 0.02]) });
  await hearWindow(window, samples, new LanguageBelief(), ask);
  assert.deepEqual(asked, [11]);
});

test('halves hold all of the window, in order', () => {
  const rests = fc.array(fc.record({ sample: fc.nat(14 * SECOND), restSamples: fc.nat(50_000) }), { maxLength: 8 });
  fc.assert(
    fc.property(rests, (places) => {
      const halves = halvesOf({ ...window, rests: places });
      if (!halves) return;
      const [before, after] = halves;
      assert.equal(windowSamples(before) + windowSamples(after), windowSamples(window));
      assert.ok(before.slices.at(-1)!.endSample <= after.slices[0]!.startSample);
      assert.ok(Math.abs(before.voicedSamples + after.voicedSamples - window.voicedSamples) <= 1);
    }),
  );
});
