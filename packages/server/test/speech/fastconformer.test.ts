// A small FastConformer, trained on synthetic speech, hears sentences and a voice that its training never had.
// Model and clips are made as training/fastconformer/miniature/README.md says.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import type { AcousticModel } from '../../src/speech/acoustic/acoustic-model.ts';
import { compileModel } from '../../src/speech/acoustic/graph-compiler.ts';
import { fastConformer } from '../../src/speech/fastconformer/family.ts';
import { prepareTerms } from '../../src/speech/terms/term-list.ts';
import { decodeBytes } from '../audio/decode-bytes.ts';

const FOLDER = fileURLToPath(new URL('../../../test/speech/miniature/', import.meta.url));
/** A frame of the encoder. */
const FRAME_MS = 80;

interface Clip {
  readonly file: string;
  readonly text: string;
  /** With its start; espeak-ng says some words as one, so not every start is known. */
  readonly words: readonly (readonly [string, number | null])[];
}

const decoding = createUploadDecoding();
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
  await decoding.close();
  await rm(compiledFolder, { recursive: true, force: true });
});

const hear = async ({ file }: Clip, vocabulary: readonly string[] = []) => {
  const { samples } = await decodeBytes(decoding, await readFile(join(FOLDER, 'clips', file)), { formats: 'all' });
  const speech = await model.encode(samples);
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

test('a term decides how a name is spelt, and is not written where it was not said', async () => {
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
