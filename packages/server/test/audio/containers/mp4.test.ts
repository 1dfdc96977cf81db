import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes, refused } from '../decode-bytes.ts';
import {
  box,
  fragmentedFile,
  ftyp,
  moov,
  mp4File,
  opusEntry,
  sampleEntry,
  type TrackShape,
  trak,
  u32,
} from '../mp4-writer.ts';
import { OPUS_SILENCE_20_MS, repeat } from '../ogg-writer.ts';
import { concat, pcm16Bytes, tone } from '../wav-writer.ts';

const decodeAll = (file: Uint8Array) => decodeBytes(file, { formats: 'all', pieceBytes: 1000 });
const secondsOf = async (file: Uint8Array) => (await decodeAll(file)).durationSeconds;
const silence = (count: number) => repeat(OPUS_SILENCE_20_MS, count);
const opus: TrackShape = { entry: opusEntry(), times: [[50, 960]] };

for (const indexAt of ['start', 'end'] as const) {
  test(`with the index at the ${indexAt}, all packets are decoded without padding`, async () => {
    assert.equal(await secondsOf(mp4File(opus, silence(50), { indexAt })), 1);
    const trimmed: TrackShape = {
      entry: opusEntry(312),
      times: [
        [49, 960],
        [1, 500],
      ],
      edits: [[984, 312]],
    };
    const seconds = await secondsOf(mp4File(trimmed, silence(50), { indexAt }));
    assert.equal(seconds, (49 * 960 + 500 - 312) / 48_000);
  });
}

test('an edit selects part of the media', async () => {
  assert.equal(await secondsOf(mp4File({ ...opus, edits: [[300, 9600]] }, silence(50))), 0.3);
  const pauseFirst: TrackShape = {
    ...opus,
    edits: [
      [500, -1],
      [300, 9600],
    ],
  };
  assert.equal(await secondsOf(mp4File(pauseFirst, silence(50))), 0.3);
});

test('the first audio track is decoded, and other media between its chunks is skipped', async () => {
  const start = ftyp();
  const video = new Uint8Array(5000).fill(0x55);
  const chunk = concat(...silence(10));
  const media = box('mdat', video, chunk, video, chunk, video);
  const index = (base: number) =>
    moov(
      trak({ entry: sampleEntry('avc1', {}), handler: 'vide', sizes: [5000], chunkOffsets: [base] }),
      trak({
        ...opus,
        sizes: repeat(OPUS_SILENCE_20_MS.length, 20),
        samplesPerChunk: 10,
        chunkOffsets: [base + 5000, base + 10_000 + chunk.length],
      }),
    );
  assert.equal(await secondsOf(concat(start, media, index(start.length + 8))), 0.4);
  const first = index(0);
  assert.equal(await secondsOf(concat(start, index(start.length + first.length + 8), media)), 0.4);
});

test('chunks out of file order are decoded in playback order', async () => {
  const signal = (hz: number) => pcm16Bytes(tone(hz, 0.5, 16_000));
  const entry = sampleEntry('sowt', { sampleRateHz: 16_000 });
  const start = ftyp();
  const index = (base: number) =>
    moov(
      trak({
        entry,
        ticksPerSecond: 16_000,
        constantSize: [2, 16_000],
        samplesPerChunk: 8000,
        chunkOffsets: [base + 16_000, base],
      }),
    );
  const file = concat(start, index(start.length + index(0).length + 8), box('mdat', signal(700), signal(300)));
  const { samples } = await decodeAll(file);
  const expected = concat(signal(300), signal(700));
  assert.deepEqual(new Uint8Array(pcm16Bytes(samples)), expected);
});

test('a file whose index comes after too much media is refused at its first bytes, with advice', async () => {
  const media = concat(u32(60 * 1024 * 1024), new TextEncoder().encode('mdat'), new Uint8Array(100));
  await assert.rejects(secondsOf(concat(ftyp(), media)), refused(/more than 50 MB.*faststart/));
});

test('fragments have their own index; only the very last packet is trimmed', async () => {
  const track: TrackShape = { entry: opusEntry(312), edits: [[0, 312]] };
  const file = fragmentedFile(
    track,
    [
      { packets: silence(20) },
      { packets: silence(20), ticks: [...repeat(960, 19), 100] },
      { packets: silence(10), ticks: [...repeat(960, 9), 480] },
    ],
    960,
  );
  assert.equal(await secondsOf(file), (49 * 960 + 480 - 312) / 48_000);
  assert.equal(await secondsOf(file.subarray(0, -1)), (49 * 960 - 312) / 48_000);
});

test('a truncated file is decoded up to its end, unless its index is missing', async () => {
  const file = mp4File(opus, silence(50));
  assert.equal(await secondsOf(file.subarray(0, -3 * 10 - 1)), 0.78);
  const indexLast = mp4File(opus, silence(50), { indexAt: 'end' });
  await assert.rejects(secondsOf(indexLast.subarray(0, -10)), refused(/no audio track|before its index/));
});

test('a movie without samples gives no audio', async () => {
  assert.equal(await secondsOf(mp4File({ entry: opusEntry() }, [])), 0);
});

test('unsupported files are refused with a specific message', async () => {
  const of = (type: string) => mp4File({ entry: sampleEntry(type, {}) }, [new Uint8Array(10)]);
  await assert.rejects(secondsOf(of('ac-3')), refused(/AC-3/));
  await assert.rejects(secondsOf(of('enca')), refused(/encrypted/));
  await assert.rejects(secondsOf(of('xyz\x01')), refused(/"xyz\?"/));
  await assert.rejects(secondsOf(concat(ftyp(), moov())), refused(/no audio track/));
  await assert.rejects(secondsOf(concat(ftyp(), u32(3), new Uint8Array(50))), refused(/before its index/));
});

test('outside the contract, the format is refused by name', async () => {
  await assert.rejects(decodeBytes(mp4File(opus, silence(5))), refused(/MP4 or M4A file; send wav/));
});
