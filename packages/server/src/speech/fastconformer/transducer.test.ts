import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareTerms } from '../terms/term-list.ts';
import { decodeCtc } from './ctc.ts';
import type { PredictorState } from './graphs.ts';
import { transcribe } from './transcribe.ts';
import { decodeTransducer, type Joint } from './transducer.ts';
import { parseVocabulary } from './vocabulary.ts';
import { type EncodedFrames, encodeInWindows } from './windows.ts';
import { fastConformerWords, fastConformerWordTimes } from './word-times.ts';

const LETTERS = ['▁', 'M', 'a', 'r', 'i', 'e', '▁M', '▁Ma', '▁Mar', '▁Mari'];
const VOCABULARY = ['▁see', '▁Mary', '▁Marie', '▁soon', '.', '<|nospeech|>', ...LETTERS, '<blk>'];
const vocabulary = parseVocabulary(VOCABULARY.map((token, id) => `${token} ${id}\n`).join(''));
const BLANK = VOCABULARY.length - 1;
const none = () => undefined;

/** Rows of one value each: the frame's index. */
const numbered = (frames: number): EncodedFrames => ({
  rows: Float32Array.from({ length: frames }, (_, frame) => frame),
  width: 1,
  frames,
});

type Said = readonly [token: number, duration?: number];

/** Emits the scripted tokens of each frame one by one, then blank. The state counts the tokens so far. */
const scripted = (script: Readonly<Record<number, readonly Said[]>>, durations: number): Joint<number> => {
  const before = (frame: number) =>
    Object.entries(script).reduce((sum, [at, said]) => sum + (Number(at) < frame ? said.length : 0), 0);
  return {
    start: 0,
    step: async ([frame = 0], _, state) => {
      const [token, duration = 0] = script[frame]?.[state - before(frame)] ?? [BLANK, 1];
      const logits = new Float32Array(vocabulary.size + durations);
      logits[token] = 4;
      // "Marie" is nearly as likely as "Mary".
      if (token === 1) logits[2] = 3;
      if (durations > 0) logits[vocabulary.size + duration] = 4;
      return { logits, state: state + 1 };
    },
  };
};

const options = {
  vocabularySize: vocabulary.size,
  tokensPerFrameMax: 3,
  tokensMax: 100,
  keepsTrail: false,
  checkpoint: none,
};
const placesOf = ({ emissions }: { emissions: readonly { token: number; frame: number; duration: number }[] }) =>
  emissions.map(({ token, frame, duration }) => [token, frame, duration]);

test('TDT skips as many frames as it predicts, and stays with a duration of 0', async () => {
  const joint = scripted(
    {
      1: [
        [0, 0],
        [1, 3],
      ],
      4: [[3, 2]],
    },
    5,
  );
  assert.deepEqual(placesOf(await decodeTransducer(joint, numbered(8), options)), [
    [0, 1, 0],
    [1, 1, 3],
    [3, 4, 2],
  ]);
});

test('RNN-T moves on after a blank, or after the maximum number of tokens per frame', async () => {
  const joint = scripted({ 0: [[0], [1]], 2: [[3], [0], [1]], 3: [[4]] }, 0);
  const { emissions } = await decodeTransducer(joint, numbered(4), options);
  assert.deepEqual(
    emissions.map(({ token, frame }) => [token, frame]),
    [
      [0, 0],
      [1, 0],
      [3, 2],
      [0, 2],
      [1, 2],
      [4, 3],
    ],
  );
});

test('CTC drops blanks and repetitions, and reports how long each token lasts', () => {
  const best = [BLANK, 0, 0, BLANK, 0, 1, BLANK];
  const rows = new Float32Array(best.length * vocabulary.size).fill(-5);
  for (const [frame, token] of best.entries()) rows[frame * vocabulary.size + token] = -0.25;
  const emissions = decodeCtc({ rows, width: vocabulary.size, frames: best.length });
  assert.deepEqual(placesOf({ emissions }), [
    [0, 1, 2],
    [0, 4, 1],
    [1, 5, 1],
  ]);
  assert.equal(emissions[0]?.logProbability, -0.25);
});

const modelOf = (joint: Joint<number>) => ({
  id: 'made',
  graphs: {
    melBins: 80,
    joint: joint as unknown as Joint<PredictorState>,
    encode: () => Promise.reject(new Error('not encoded here')),
    close: () => Promise.resolve(),
  },
  vocabulary,
  tokensPerFrameMax: 10,
});

const SENTENCE = { 1: [[0, 2]], 3: [[1, 2]], 5: [[5, 1]], 6: [[3, 2]], 8: [[4, 1]] } as const;

test('words have the times of their tokens; control tokens and punctuation do not lengthen them', async () => {
  const model = modelOf(scripted(SENTENCE, 5));
  const hypothesis = await transcribe(model, numbered(12), 16_000, { checkpoint: none });
  assert.equal(hypothesis.text, 'see Mary soon.');
  const times = { frameMs: 80, audioMs: 1000 };
  assert.deepEqual(
    fastConformerWordTimes(vocabulary, hypothesis, times).map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ['see', 80, 240],
      ['Mary', 240, 400],
      ['soon.', 480, 640],
    ],
  );
  assert.ok(fastConformerWords(vocabulary, hypothesis).every(({ confidence }) => confidence > 0.6 && confidence < 1));
});

test('a term that is nearly as likely is written, with the time of the word it replaces', async () => {
  const model = modelOf(scripted(SENTENCE, 5));
  const terms = prepareTerms([{ text: 'Marie' }]);
  const hypothesis = await transcribe(model, numbered(12), 16_000, { terms, checkpoint: none });
  assert.equal(hypothesis.text, 'see Marie soon.');
  const words = fastConformerWordTimes(vocabulary, hypothesis, { frameMs: 80, audioMs: 1000 });
  assert.deepEqual(
    words.map(({ startMs }) => startMs),
    [80, 240, 480],
  );
  assert.deepEqual(words[1]?.term, { text: 'Marie', instead: 'Mary' });
  assert.deepEqual(vocabulary.encode('Grün'), []);
  const other = await transcribe(model, numbered(12), 16_000, {
    terms: prepareTerms([{ text: 'Gustav' }, { text: 'Märi' }]),
    checkpoint: none,
  });
  assert.equal(other.text, 'see Mary soon.');
});

test('a text that repeats itself is not shown, and a cancelled window stops', async () => {
  const loop = modelOf({
    start: 0,
    step: async () => ({ logits: new Float32Array(vocabulary.size + 2).fill(9, 0, 1).fill(9, -1), state: 0 }),
  });
  assert.ok((await transcribe(loop, numbered(100), 160_000, { checkpoint: none })).degenerate);
  let calls = 0;
  const checkpoint = () => {
    calls += 1;
    if (calls > 2) throw new Error('stopped');
  };
  await assert.rejects(transcribe(modelOf(scripted({}, 5)), numbered(100), 160_000, { checkpoint }), /stopped/);
});

test('windows overlap, and every encoder frame comes from exactly one of them', async () => {
  const frames = 8 * 50 + 3;
  const values = Float32Array.from({ length: frames }, (_, frame) => frame);
  const seen: number[] = [];
  const encode = async (features: Float32Array, length: number): Promise<EncodedFrames> => {
    assert.equal(features.length, length + 1);
    assert.equal(features.at(-1), 0);
    seen.push(length);
    const rows = Float32Array.from({ length: Math.ceil(length / 8) }, (_, at) => features[8 * at]! / 8);
    return { rows, width: 1, frames: rows.length };
  };
  const shape = { melBins: 1, subsampling: 8 };
  const window = { keepFrames: 20, contextFrames: 4 };
  const encoded = await encodeInWindows({ values, frames }, shape, encode, window);
  assert.deepEqual([...encoded.rows], [...Array(51).keys()]);
  assert.deepEqual(seen, [8 * 24, 8 * 28, 8 * 14 + 3]);
});
