// Tests a small FastConformer, trained on synthetic speech, on sentences and a voice that are not in its training data.
// Model and clips are made as described in training/fastconformer/miniature/README.md.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AcousticModel } from '../../src/speech/acoustic/acoustic-model.ts';
import { compileModel } from '../../src/speech/acoustic/graph-compiler.ts';
import type { TierModels } from '../../src/speech/cascade/load-models.ts';
import { recogniseWith } from '../../src/speech/cascade/recognise.ts';
import { TIERS } from '../../src/speech/cascade/tiers.ts';
import { fastConformer } from '../../src/speech/fastconformer/family.ts';
import { prepareTerms } from '../../src/speech/terms/term-list.ts';
import { fixedModel, tierModels } from '../../src/speech/testing/fixed-model.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { decodeBytes } from '../audio/decode-bytes.ts';

const FOLDER = fileURLToPath(new URL('../../../test/speech/miniature/', import.meta.url));
/** Duration of an encoder frame. */
const FRAME_MS = 80;

interface Clip {
  readonly file: string;
  readonly text: string;
  /** Words with their starts; espeak-ng says some words as one, so not every start is known. */
  readonly words: readonly (readonly [string, number | null])[];
}

const clips: readonly Clip[] = JSON.parse(await readFile(join(FOLDER, 'clips', 'clips.json'), 'utf8'));
let compiledFolder: string;
let model: AcousticModel;

before(async () => {
  compiledFolder = await mkdtemp(join(tmpdir(), 'faircopy-miniature-'));
  await compileModel('fastconformer', FOLDER, compiledFolder);
  model = await fastConformer.load({ id: 'miniature', folder: FOLDER, compiledFolder, threads: 1 });
});

after(async () => {
  await model?.close();
  await rm(compiledFolder, { recursive: true, force: true });
});

const samplesOf = async ({ file }: Clip): Promise<Float32Array> =>
  (await decodeBytes(await readFile(join(FOLDER, 'clips', file)), { formats: 'all' })).samples;

const hear = async (clip: Clip, vocabulary: readonly string[] = []) => {
  const speech = await model.encode(await samplesOf(clip));
  const terms = prepareTerms(vocabulary.map((text) => ({ text })));
  const hypothesis = await speech.transcribe({ language: 'en', ...(terms && { terms }), checkpoint: () => undefined });
  return { ...hypothesis, words: await speech.wordTimes(hypothesis, 'en') };
};

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

test('at least 95 % of the words are heard, within a frame of when they were said', async () => {
  const errors: number[] = [];
  let [said, right] = [0, 0];
  for (const clip of clips) {
    const { words, degenerate } = await hear(clip);
    assert.equal(degenerate, false);
    assert.equal(words.length, clip.words.length);
    said += words.length;
    for (const [nth, { text, startMs, endMs, confidence }] of words.entries()) {
      const [word, saidMs] = clip.words[nth]!;
      assert.ok(startMs <= endMs);
      assert.ok(confidence > 0.1 && confidence <= 1, `${text}: ${confidence}`);
      if (text !== word) continue;
      right += 1;
      if (saidMs !== null) errors.push(Math.abs(startMs - saidMs));
    }
    assert.ok(middleOf(words.map(({ confidence }) => confidence)) > 0.9);
  }
  assert.ok(right >= 0.95 * said, `${right} of ${said} words`);
  assert.ok(middleOf(errors) <= FRAME_MS / 2, `median ${middleOf(errors)} ms`);
  assert.ok(Math.max(...errors) <= 2 * FRAME_MS, `at most ${Math.max(...errors)} ms`);
});

test('a term decides the spelling of a name, and is not written where it was not said', async () => {
  const spellings = new Map([
    ['Katherine', 'Catherine'],
    ['Stephen', 'Steven'],
    ['Claire', 'Clare'],
    ['Philip', 'Phillip'],
    ['Jeffrey', 'Geoffrey'],
    ['Eric', 'Erik'],
  ]);
  const [usual, terms] = [new Set(spellings.keys()), new Set(spellings.values())];
  const namesIn = (text: string) => text.match(/\p{L}+/gu)!.filter((word) => usual.has(word) || terms.has(word));
  const written: string[] = [];
  for (const clip of clips) {
    const { text } = await hear(clip, [...terms]);
    assert.deepEqual(
      namesIn(text),
      namesIn(clip.text).map((name) => spellings.get(name)),
    );
    written.push(...namesIn(text));
  }
  assert.equal(written.length, 4);
});

/** A model that hears these words with low confidence. */
const mishearing = (text: string) => fixedModel(text, -0.25, { confidence: 0.6 });

const MAX = TIERS['svc-1.0-max'];

test('in the vote of max it outvotes unsure models, with its own word times', async () => {
  const clip = clips[0]!;
  const said = clip.words.map(([word]) => word);
  const wrong = (at: number) => said.map((word, nth) => (nth === at ? 'mumble' : word)).join(' ');
  const [english, small] = [mishearing(wrong(1)), mishearing(wrong(said.length - 2))];
  const models = tierModels(MAX, english.made, small.made, { secondEnglish: model });
  const samples = await samplesOf(clip);
  const window = windowOf({ tier: 'svc-1.0-max', samples, wantWordTimes: true });
  const { text, words } = await recogniseWith(models, window, () => undefined);
  assert.equal(small.counts.transcribed, 1);
  assert.doesNotMatch(text, /mumble/);
  assert.equal(words.length, said.length);
});

test('as a reader of English it reads finals, and interims unless captions have their own model', async () => {
  const clip = clips[0]!;
  const samples = await samplesOf(clip);
  const drafter = mishearing('a draft');
  const models = tierModels(MAX, drafter.made, drafter.made, { readers: new Map([['en', model]]) });
  const read = (end: number, of: TierModels, isInterim = true) =>
    recogniseWith(
      of,
      windowOf({
        tier: 'svc-1.0-max',
        samples: samples.slice(0, end),
        ...{ language: 'en', languages: ['en'], isInterim, isCaptioned: true, wantWordTimes: true },
      }),
      () => undefined,
    );
  const final = await read(samples.length, models, false);
  const interim = await read(Math.round(0.8 * samples.length), models);
  assert.ok(interim.words.length > 2);
  // All but its last words are those of the final.
  assert.deepEqual(
    interim.words.slice(0, -2).map(({ text }) => text),
    final.words.slice(0, interim.words.length - 2).map(({ text }) => text),
  );
  assert.equal(drafter.counts.transcribed, 0);
  const captions = { english: 'drafter', englishNeutral: -0.5, trust: models.tier.trust };
  const captioned = { ...models, tier: { ...models.tier, captions } };
  assert.equal((await read(samples.length, captioned)).text, 'a draft');
  assert.equal((await read(samples.length, captioned, false)).text, final.text);
});
