import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { compiledFolder } from './acoustic/compiled-files.ts';
import { TIERS, weightsFor } from './cascade/tiers.ts';
import { type LogitRow, logProbabilityOf } from './decoding/choose-token.ts';
import { type Inference, loadInference, RecognitionStopped } from './inference.ts';
import type { SpeechWindow, TierId } from './recogniser.ts';
import { windowOf } from './testing/recogniser-fixtures.ts';
import { storedModels } from './testing/stored-models.ts';
import { loadWhisperGraphs } from './whisper/graphs.ts';
import { loadTokenizer } from './whisper/tokenizer.ts';

const stored = await storedModels(weightsFor(MODEL_IDS));
const skip = 'skip' in stored && stored.skip;
const modelFolder = (id: string) => ('store' in stored ? stored.store.folderOf(id) : '');

const window = (tier: TierId, samples: Float32Array, more: Partial<SpeechWindow> = {}): SpeechWindow =>
  windowOf({ tier, samples, ...more });

const noise = (seconds: number, level: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length: seconds * 16_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return level * (state / 0x40000000 - 1);
  });
};

const withInference = async (tiers: readonly TierId[], use: (inference: Inference) => Promise<void>) => {
  const inference = await loadInference({ modelFolder, tiers, threads: 2 });
  try {
    await use(inference);
  } finally {
    await inference.close();
  }
};

test('audio without speech gives no words, whatever the terms', { skip }, async () => {
  // Together they use every model.
  const tiers: readonly TierId[] = ['svc-1.0-lite', 'svc-1.0-max'];
  await withInference(tiers, async (inference) => {
    const nothing: Record<string, Float32Array> = {
      'no samples': new Float32Array(0),
      '0.1 s of silence': new Float32Array(1600),
      'no numbers': new Float32Array(8000).fill(Number.NaN),
      'loud noise over an offset': noise(1, 0.5).map((value) => value + 0.4),
    };
    const vocabulary = ['you', 'Thank you', 'Noyse', 'Shh', 'Mmm', 'Kubernetes'].map((text) => ({ text, weight: 10 }));
    for (const tier of tiers) {
      for (const [name, samples] of Object.entries(nothing)) {
        const recognition = await inference.recognise(window(tier, samples, { vocabulary }), () => false);
        assert.equal(recognition.text, '', `${tier}: ${name}`);
        assert.deepEqual(recognition.languages, []);
        assert.ok(Number.isFinite(recognition.averageLogProbability), `${tier}: ${name}`);
      }
    }
  });
});

test('no tokens decode to no text', { skip }, async () => {
  assert.equal((await loadTokenizer(modelFolder('whisper-base'))).decode([]), '');
});

test('scoring several texts in one step gives the same result as scoring them one by one', { skip }, async () => {
  const folder = modelFolder('whisper-base');
  const tokenizer = await loadTokenizer(folder);
  const graphs = await loadWhisperGraphs(compiledFolder(folder), tokenizer, 1);
  const audio = await graphs.encode(new Float32Array(tokenizer.melBins * 1000), 1000, 1000);
  const { startOfTranscript, noTimestamps } = tokenizer;
  const heard = [startOfTranscript, noTimestamps, ...tokenizer.encode(' the king of Marineptah the great')];
  const { state } = await graphs.decode(heard, audio);
  const branches = [
    { after: heard.length - 5, tokens: tokenizer.encode(' Merneptah the great') },
    { after: 3, tokens: tokenizer.encode(' queen') },
    { after: heard.length, tokens: tokenizer.encode(' and wise') },
  ];
  const together = await graphs.decodeBranches(branches, state);
  for (const [index, branch] of branches.entries()) {
    const { after, tokens } = branch;
    const all = tokens.map((_, at) => at);
    const { rows } = await graphs.decode(tokens, graphs.shorten(state, after), all);
    const apart = (others: readonly LogitRow[]): number =>
      Math.max(
        ...all.flatMap((at) =>
          tokens.map((token) => Math.abs(logProbabilityOf(others[at]!, token) - logProbabilityOf(rows[at]!, token))),
        ),
      );
    const [alone] = await graphs.decodeBranches([branch], state);
    assert.ok(apart(alone!) < 0.001, `text ${index} alone: ${apart(alone!)}`);
    // The tolerance is wide, because activations are quantised over all tokens of a step.
    assert.ok(apart(together[index]!) < 2, `text ${index} with others: ${apart(together[index]!)}`);
  }
  await graphs.close();
});

test('a stopped window rejects', { skip }, async () => {
  await withInference(['svc-1.0-lite'], async (inference) => {
    await assert.rejects(
      inference.recognise(window('svc-1.0-lite', noise(2, 0.1)), () => true),
      RecognitionStopped,
    );
  });
});

test('a tier that was not loaded at the start is loaded on demand', { skip }, async () => {
  const tier: TierId = 'svc-1.0-lite';
  const inference = await loadInference({ modelFolder, tiers: [tier], loaded: [], threads: 1 });
  const { text } = await inference.recognise(window(tier, new Float32Array(16_000)), () => false);
  assert.equal(text, '');
  await assert.rejects(inference.recognise(window('svc-1.0-max', new Float32Array(16_000)), () => false));
  await inference.close();
});

// Recorded speech is not part of the project; these tests run only with the evaluation folder beside it.
const clips = new URL('../../../../../../shared/eval/robust/synth/', import.meta.url).pathname;
const WAV_HEADER_BYTES = 44;
const readClip = (name: string): Float32Array => {
  const bytes = readFileSync(join(clips, name)).subarray(WAV_HEADER_BYTES);
  return Float32Array.from({ length: Math.floor(bytes.length / 2) }, (_, i) => bytes.readInt16LE(i * 2) / 32_768);
};
const skipSpeech = skip || (!existsSync(clips) && 'no evaluation folder beside the project');
const bareWords = (text: string) => text.toLowerCase().replace(/[^a-z ]/g, '');

const CLIPS: readonly (readonly [TierId, string])[] = [
  ['svc-1.0-lite', 'wav_s16_16000.wav'],
  ['svc-1.0-lite', 'wav_quiet_-50dB.wav'],
  ['svc-1.0-lite', 'wav_clipped_+24dB.wav'],
  ['svc-1.0-pro', 'wav_s16_16000.wav'],
  ['svc-1.0-max', 'wav_s16_16000.wav'],
];

test('a tier may have another English model for captions', { skip: skipSpeech }, async () => {
  const tier: TierId = 'svc-1.0-lite';
  const { englishNeutral, trust } = TIERS[tier];
  const captions = { english: 'whisper-base.en', englishNeutral, trust };
  const table = { ...TIERS, [tier]: { ...TIERS[tier], captions } };
  const inference = await loadInference({ modelFolder, tiers: [tier], table, threads: 2 });
  const samples = readClip('wav_quiet_-50dB.wav');
  const read = (isCaptioned: boolean) =>
    inference.recognise(window(tier, samples, { isCaptioned, language: 'en' }), () => false);
  try {
    const [usual, captioned] = [await read(false), await read(true)];
    assert.match(bareWords(captioned.text), /ask not what your country can do for you/);
    assert.notEqual(captioned.averageLogProbability, usual.averageLogProbability);
  } finally {
    await inference.close();
  }
});

test('loud, quiet and clipped speech is recognised, with word times in order', { skip: skipSpeech }, async () => {
  await withInference(MODEL_IDS, async (inference) => {
    for (const [tier, clip] of CLIPS) {
      const samples = readClip(clip);
      const recognised = await inference.recognise(window(tier, samples, { wantWordTimes: true }), () => false);
      assert.match(bareWords(recognised.text), /ask not what your country can do for you/, `${tier}: ${clip}`);
      assert.equal(recognised.languages[0]?.language, 'en');
      assert.equal(recognised.words.map(({ text }) => text).join(' '), recognised.text);
      const times = recognised.words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.ok(times.at(-1)! <= samples.length / 16);
    }
  });
});
