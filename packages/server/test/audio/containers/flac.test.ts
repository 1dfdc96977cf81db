import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes } from '../decode-bytes.ts';
import { flacFrame16, nativeFlac } from '../flac-writer.ts';
import { id3Tag } from '../mp3-writer.ts';
import { concat, tone } from '../wav-writer.ts';

const FRAMES = 4000;
const signal = Int16Array.from(tone(300, 1, 16_000), (sample) => Math.round(sample * 32_767));
const cut = (from: number) => signal.subarray(from, from + FRAMES);
const frames = [0, 1, 2, 3].map((number) => flacFrame16([cut(number * FRAMES)], number));
const expected = Float32Array.from(signal, (sample) => sample / 32_768);
const decodeAll = (file: Uint8Array) => decodeBytes(file, { formats: 'all', pieceBytes: 999 });

test('native FLAC is decoded exactly, even after pictures and tags', async () => {
  assert.deepEqual((await decodeAll(nativeFlac(16_000, 1, frames))).samples, expected);
  const picture = concat(Uint8Array.of(6 | 0x80, 0, 0xc3, 0x50), new Uint8Array(50_000).fill(0xff));
  const file = concat(id3Tag(new Uint8Array(40)), nativeFlac(16_000, 1, frames, [picture]));
  assert.deepEqual((await decodeAll(file)).samples, expected);
});

test('data after the last frame is ignored', async () => {
  const file = concat(nativeFlac(16_000, 1, frames), new Uint8Array(128).fill(0x54));
  assert.deepEqual((await decodeAll(file)).samples, expected);
});

test('a damaged frame is dropped, and the next one is found', async () => {
  const broken = frames[1]!.with(2000, frames[1]![2000]! ^ 0x10);
  const file = nativeFlac(16_000, 1, [frames[0]!, broken, frames[2]!, frames[3]!]);
  const { samples } = await decodeAll(file);
  assert.deepEqual(samples, Float32Array.of(...expected.subarray(0, FRAMES), ...expected.subarray(2 * FRAMES)));
});

test('a truncated file is decoded up to its end', async () => {
  const { samples } = await decodeAll(nativeFlac(16_000, 1, frames).subarray(0, -100));
  assert.deepEqual(samples, expected.subarray(0, 3 * FRAMES));
});

test('invalid headers are refused', async () => {
  const file = nativeFlac(0, 1, frames);
  await assert.rejects(decodeAll(file), { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /FLAC header is invalid/ });
  await assert.rejects(decodeBytes(nativeFlac(16_000, 1, frames)), {
    code: 'AUDIO_FORMAT_UNSUPPORTED',
    message: /native FLAC file; send wav/,
  });
});
