import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { id3Tag, MP3_FRAMES, MP3_SILENCE_24_MS, mp3File } from '../mp3-writer.ts';
import { repeat } from '../ogg-writer.ts';
import { ascii, concat, wavChunk, writeWav } from '../wav-writer.ts';

const secondsOf = async (file: Uint8Array) => (await decodeBytes(file, { formats: 'all' })).durationSeconds;
const frames = (count: number) => concat(...repeat(MP3_SILENCE_24_MS, count));

test('every complete frame counts; a truncated last one does not', async () => {
  assert.equal(await secondsOf(mp3File(125)), 3);
  assert.equal(await secondsOf(mp3File(125).subarray(0, -1)), 3 - 0.024);
});

test('the info frame is not audio, and delay and padding are cut sample-exact', async () => {
  const file = mp3File(100, { delay: 576, padding: 1000 });
  const { samples, durationSeconds } = await decodeBytes(file, { formats: 'all' });
  assert.equal(durationSeconds, (100 * MP3_FRAMES - 576 - 1000) / 48_000);
  assert.equal(samples.length, Math.round(durationSeconds * 16_000));
});

test('a truncated file loses no audio: its padding was in the missing part', async () => {
  const file = mp3File(100, { delay: 576, padding: 1000 });
  const half = file.subarray(0, 192 + 50 * 96);
  assert.equal(await secondsOf(half), (50 * MP3_FRAMES - 576 - 529) / 48_000);
});

test('tags before, between and after frames are skipped', async () => {
  const tag = id3Tag(new Uint8Array(5000).fill(0xff));
  const trailer = concat(ascii('TAG'), new Uint8Array(125));
  assert.equal(await secondsOf(concat(tag, tag, frames(50), tag, frames(50), trailer)), 2.4);
});

test('after damage, decoding resumes at the next frame', async () => {
  const junk = Uint8Array.from({ length: 777 }, (_, at) => (at * 31) & 0xff);
  assert.equal(await secondsOf(concat(frames(50), junk, frames(50))), 2.4);
});

test('a tag with a wrong size does not hide the frames after it', async () => {
  assert.equal(await secondsOf(concat(id3Tag(new Uint8Array(300), 100), frames(50))), 1.2);
});

test('concatenated recordings with different rates are decoded in sequence', async () => {
  // The same frames at 44.1 kHz: 104 bytes each, sometimes one more.
  const other = new Uint8Array(104);
  other.set([0xff, 0xfb, 0x10, 0xc4]);
  const file = concat(frames(50), ...repeat(other, 50));
  assert.ok(Math.abs((await secondsOf(file)) - (1.2 + (50 * MP3_FRAMES) / 44_100)) < 1e-9);
});

test('MP3 in a wav file', async () => {
  const file = writeWav(frames(50), { formatTag: 0x55, bits: 0, blockBytes: 1, sampleRateHz: 48_000 });
  assert.equal(await secondsOf(file), 1.2);
  await assert.rejects(decodeBytes(file), refused(/MP3/));
});

test('other layers are refused by name', async () => {
  const layer2 = new Uint8Array(96);
  layer2.set([0xff, 0xfd, 0x14, 0xc4]);
  await assert.rejects(secondsOf(concat(...repeat(layer2, 20))), refused(/layer II,/));
});

test('data that only resembles MP3 is refused', async () => {
  await assert.rejects(secondsOf(Uint8Array.of(0xff, 0xfb, ...new Uint8Array(2000))), refused(/no MP3 audio/));
  await assert.rejects(secondsOf(concat(id3Tag(new Uint8Array(100)), new Uint8Array(5000))), refused(/no MP3 audio/));
  await assert.rejects(secondsOf(id3Tag(new Uint8Array(10), 200_000_000)), refused(/./));
  assert.equal(await secondsOf(concat(frames(50), id3Tag(new Uint8Array(10), 200_000_000))), 1.2);
});

test('outside the contract, the format is refused by name', async () => {
  await assert.rejects(decodeBytes(mp3File(10)), refused(/an MP3 file; send wav, ogg or webm/));
  await assert.rejects(decodeBytes(wavChunk('junk', mp3File(10))), refused(/format is unknown/));
});
