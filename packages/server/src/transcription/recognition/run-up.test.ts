import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recognition } from '../../speech/recogniser.ts';
import type { RecognisedWindow } from './assemble.ts';
import { type RunUp, RunUps, withoutRunUp } from './run-up.ts';

const RATE = 16_000;

/** Words of half a second each that start at these times. */
const recognitionOf = (text: string, startsMs: readonly number[], more: Partial<Recognition> = {}): Recognition => ({
  text,
  words: text.split(' ').map((word, nth) => {
    const startMs = startsMs[nth] ?? nth * 500;
    return { text: word, startMs, endMs: startMs + 500, confidence: 0.9 };
  }),
  languages: [{ language: 'en', probability: 0.9 }],
  languageChange: null,
  averageLogProbability: -0.2,
  ...more,
});

const windowsOf = (text: string, language = 'en'): readonly RecognisedWindow[] => [
  {
    window: { slices: [], voicedSamples: 0, pauses: [] },
    recognition: recognitionOf(text, [], { languages: [{ language, probability: 0.9 }] }),
  },
];

const audioOf = (startSeconds: number, endSeconds: number, level = 1) => ({
  samples: new Float32Array((endSeconds - startSeconds) * RATE).fill(level),
  startSample: startSeconds * RATE,
  endSample: endSeconds * RATE,
});

const runUpOf = async (text: string, seconds: number): Promise<RunUp> => {
  const runUps = new RunUps();
  runUps.add(audioOf(0, seconds), Promise.resolve(windowsOf(text)));
  const runUp = runUps.before(audioOf(seconds + 0.5, seconds + 3), 'any');
  await runUp!.recognised;
  return runUp!;
};

test('consecutive utterances are read together, as many as fit the length limit', () => {
  const runUps = new RunUps();
  for (const [start, end] of [
    [0, 2],
    [2.5, 4],
    [4.5, 6],
  ] as const)
    runUps.add(audioOf(start, end, end), Promise.resolve([]));
  const short = runUps.before(audioOf(6.5, 8.5), 'any')!;
  assert.equal(short.startSample, 0);
  assert.equal(short.utteranceAt, 5 * RATE);
  assert.equal(short.samples.length, 7 * RATE);
  assert.deepEqual([short.samples[0], short.samples[3 * RATE], short.samples.at(-1)], [2, 4, 1]);
  assert.equal(runUps.before(audioOf(6.5, 10), 'any')!.startSample, 2.5 * RATE);
  assert.equal(runUps.before(audioOf(6.5, 13), 'any'), null);
});

test('the run-up is longer in English, once the language is known', async () => {
  const runUps = new RunUps();
  const recognisedIn = (language: string) => Promise.resolve(windowsOf('word', language));
  for (const start of [0, 5, 10]) runUps.add(audioOf(start, start + 4.5), recognisedIn('en'));
  const audio = audioOf(15, 17);
  assert.equal(runUps.before(audio, 'any')!.startSample, 10 * RATE, 'not recognised yet');
  await runUps.before(audio, 'any')!.recognised;
  assert.equal(runUps.before(audio, 'any')!.startSample, 5 * RATE);
  assert.equal(runUps.before(audio, 'short')!.startSample, 10 * RATE);
  assert.equal(runUps.before(audioOf(15, 28), 'any'), null, 'too long together');
  const german = new RunUps();
  for (const start of [0, 5, 10]) german.add(audioOf(start, start + 4.5), recognisedIn('de'));
  await german.before(audio, 'any')!.recognised;
  assert.equal(german.before(audio, 'any')!.startSample, 10 * RATE);
});

test('there is no run-up after a long pause, or from the same utterance', () => {
  const runUps = new RunUps();
  runUps.add(audioOf(0, 2), Promise.resolve([]));
  assert.equal(runUps.before(audioOf(6, 8), 'any'), null);
  assert.equal(runUps.before(audioOf(1, 2), 'any'), null);
});

test('the words of the run-up are cut off, and times start with the utterance', async () => {
  const runUp = await runUpOf('The train is late today.', 2.5);
  const together = recognitionOf('The train is late today by half an hour or so.', []);
  const found = withoutRunUp(together, runUp)!;
  assert.equal(found.text, 'by half an hour or so.');
  assert.deepEqual(
    found.words.map(({ startMs }) => startMs),
    [0, 500, 1000, 1500, 2000, 2500],
  );
});

test('a word that is recognised differently the second time is neither doubled nor lost', async () => {
  const runUp = await runUpOf("I've never met Hanna.", 3);
  const together = recognitionOf('I have never even met Anna, and she left.', []);
  assert.equal(withoutRunUp(together, runUp)!.text, 'and she left.');
  const late = await runUpOf('Good', 2);
  // The first new word seems to begin a little before the pause.
  assert.equal(withoutRunUp(recognitionOf('Good served', [0, 1_800]), late)!.text, 'served');
});

test('an utterance is recognised alone when it cannot be separated from its run-up', async () => {
  const runUp = await runUpOf('We have to wait.', 2);
  const none = (text: string, more: Partial<Recognition> = {}) =>
    assert.equal(withoutRunUp(recognitionOf(text, [], more), runUp), null);
  // No words remain, or only doubtful ones.
  none('We have to wait.');
  const doubtful = recognitionOf('We have to wait or so', []).words.map((word, nth) => {
    return nth < 4 ? word : { ...word, confidence: 0.3 };
  });
  none('We have to wait or so', { words: doubtful });
  // The language changes between run-up and utterance.
  none('We have to wait or so', { languageChange: 2.1 * RATE });
  none('We have to wait or so', { languages: [{ language: 'nl', probability: 0.8 }] });
  // The words do not spell the text.
  none('Quite another text', { words: recognitionOf('We have to wait or so', []).words });
});

test('a change of language is kept within the utterance, but not before it', async () => {
  const runUp = await runUpOf('We have to wait.', 2);
  const changeAt = (sample: number) =>
    withoutRunUp(recognitionOf('We have to wait or so', [], { languageChange: sample }), runUp)!.languageChange;
  assert.equal(changeAt(3.5 * RATE), 1.5 * RATE);
  assert.equal(changeAt(0.5 * RATE), null);
});

test('a run-up whose recognition failed is not used', async () => {
  const runUps = new RunUps();
  runUps.add(audioOf(0, 2), Promise.reject(new Error('broken')));
  const runUp = runUps.before(audioOf(2.5, 4), 'any')!;
  await runUp.recognised;
  assert.equal(withoutRunUp(recognitionOf('We have to wait', []), runUp), null);
});
