// Tests which audio a stream encodes, with a scripted encoder whose frames are the sums of their samples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamingEncoder } from './encoder-graphs.ts';
import { BLOCK_SAMPLES, FRAME_SAMPLES } from './stream.ts';
import { AudioStreams } from './streams.ts';

const FRAMES_BEFORE = 4;
const FRAMES_AFTER = 2;

const scripted = () => {
  const read = { samples: 0, frames: 0 };
  const clock = { nowMs: 0 };
  const encoder: StreamingEncoder = {
    start: {},
    width: 1,
    framesBefore: FRAMES_BEFORE,
    framesAfter: FRAMES_AFTER,
    rows: 1,
    features: async (samples, state) => {
      read.samples += samples.length;
      const sum = (nth: number) =>
        samples.subarray(nth * FRAME_SAMPLES, (nth + 1) * FRAME_SAMPLES).reduce((a, b) => a + b, 0);
      return { features: Float32Array.from({ length: samples.length / FRAME_SAMPLES }, (_, nth) => sum(nth)), state };
    },
    encode: async (features) => {
      read.frames += features.length;
      return features;
    },
    crossKeys: async (encoded, position) => ({
      keys: encoded.map((value) => value),
      values: encoded.map((_, nth) => position + nth),
      frames: encoded.length,
    }),
    close: async () => undefined,
  };
  return { streams: new AudioStreams(encoder, () => clock.nowMs), read, clock };
};

/** Pseudo-random samples, 320 per frame. */
const audio = (from: number, to: number): Float32Array =>
  Float32Array.from({ length: to - from }, (_, at) => (Math.imul(from + at, 2_654_435_761) >>> 8) % 10_007);
const framesOf = (from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / FRAME_SAMPLES) }, (_, nth) =>
    audio(from + nth * FRAME_SAMPLES, Math.min(to, from + (nth + 1) * FRAME_SAMPLES)).reduce((a, b) => a + b, 0),
  );
const near = (found: Float32Array, wanted: readonly number[]): void => {
  for (const [at, value] of wanted.entries()) assert.ok(Math.abs(found[at]! - value) <= 1e-3 * value, `frame ${at}`);
};

test('a window that continues another costs only its new audio and the context around it', async () => {
  const { streams, read } = scripted();
  await streams.read(audio(0, 10 * BLOCK_SAMPLES));
  assert.deepEqual(read, { samples: 10 * BLOCK_SAMPLES, frames: 20 });
  const end = 12 * BLOCK_SAMPLES + 100;
  const { keys, values, frames } = await streams.read(audio(0, end));
  // Samples: two blocks and a partial one. Frames: theirs, the context before them, and those that were not final.
  assert.deepEqual(read, { samples: 13 * BLOCK_SAMPLES, frames: 20 + FRAMES_BEFORE + FRAMES_AFTER + 6 });
  assert.equal(frames, 26);
  near(keys, framesOf(0, end));
  assert.deepEqual([...values], [...values.keys()]);
  assert.equal(streams.size, 1);
});

test('a window that begins later in the same audio costs no more, and its positions start at zero', async () => {
  const { streams, read } = scripted();
  await streams.read(audio(0, 10 * BLOCK_SAMPLES));
  const { keys, values, frames } = await streams.read(audio(6 * FRAME_SAMPLES, 11 * BLOCK_SAMPLES));
  assert.equal(read.samples, 11 * BLOCK_SAMPLES);
  assert.equal(frames, 16);
  near(keys, framesOf(6 * FRAME_SAMPLES, 11 * BLOCK_SAMPLES));
  assert.equal(values[0], 0);
});

test('other audio, an earlier end and silence are read from scratch; few streams are kept, and little of each', async () => {
  const { streams, read } = scripted();
  await streams.read(audio(0, 10 * BLOCK_SAMPLES));
  await streams.read(audio(0, 8 * BLOCK_SAMPLES));
  await streams.read(new Float32Array(10 * BLOCK_SAMPLES));
  await streams.read(new Float32Array(12 * BLOCK_SAMPLES));
  assert.equal(read.samples, 40 * BLOCK_SAMPLES);
  for (let nth = 1; nth < 20; nth++) await streams.read(audio(nth * 50_000, nth * 50_000 + 4 * BLOCK_SAMPLES));
  assert.equal(streams.size, 8);
  const before = read.samples;
  // Two minutes of audio, in windows of ten seconds.
  for (let end = 160_000; end < 1_920_000; end += 128_000) {
    const { keys, frames } = await streams.read(audio(end - 160_000, end));
    assert.ok(frames >= 500 && frames <= 502);
    assert.equal(keys.length, frames);
  }
  assert.ok(read.samples - before < 1_920_000 + 20 * BLOCK_SAMPLES);
});

test('a stream that is not continued in time is dropped', async () => {
  const { streams, read, clock } = scripted();
  await streams.read(audio(0, 4 * BLOCK_SAMPLES));
  clock.nowMs = 29_000;
  await streams.read(audio(50_000, 50_000 + 4 * BLOCK_SAMPLES));
  assert.equal(streams.size, 2);
  clock.nowMs = 31_000;
  await streams.read(audio(0, 5 * BLOCK_SAMPLES));
  assert.deepEqual([streams.size, read.samples], [2, 13 * BLOCK_SAMPLES]);
});
