// Tests files whose small parts cost much work: each is refused or decoded in short steps, which stop at the limits.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ByteQueue } from '../../src/audio/containers/byte-queue.ts';
import { nextOggPage, OggSearch } from '../../src/audio/containers/ogg/page.ts';
import { RetainedBytes } from '../../src/audio/containers/retained-bytes.ts';
import { Pipeline } from '../../src/audio/pipeline.ts';
import { DecodeTask } from '../../src/audio/threads/decode-task.ts';
import type { Demuxing } from '../../src/audio/track.ts';
import { cafData, cafStart } from './caf-writer.ts';
import { decodeBytes, refused } from './decode-bytes.ts';
import { constantFlacFrame, nativeFlac } from './flac-writer.ts';
import { id3Tag } from './mp3-writer.ts';
import { box, fragmentedFile, ftyp, moov, mp4File, opusEntry, sampleEntry, trak, u32 } from './mp4-writer.ts';
import { OPUS_SILENCE_20_MS, oggPage, repeat } from './ogg-writer.ts';
import { vorbisPrivate } from './vorbis-writer.ts';
import { ascii, concat } from './wav-writer.ts';
import { ebmlHeader, liveSegment, trackEntry, tracks } from './webm-writer.ts';

const all = (file: Uint8Array) => decodeBytes(file, { formats: 'all' });
const bytes = (count: number) => new Uint8Array(count);
const filled = (pattern: Uint8Array, count: number): Uint8Array => Buffer.alloc(pattern.length * count, pattern);

test('the setups of many tracks are not parsed in one step', () => {
  for (const isCounted of [false, true]) {
    let parsed = 0;
    const demuxTracks = function* (): Demuxing {
      for (;;) {
        parsed++;
        yield {
          kind: 'track',
          coding: {
            codec: 'pcm',
            format: { kind: 'signed', bytes: 2, bigEndian: false },
            sampleRateHz: 16_000,
            channels: 1,
          },
          skipFrames: 0,
        };
      }
    };
    const pipeline = new Pipeline(demuxTracks, 300);
    if (isCounted) pipeline.countOnly();
    assert.equal(pipeline.readAhead(), 'full');
    assert.equal(parsed, 2);
    assert.equal(pipeline.readAhead(), 'full');
    assert.equal(parsed, isCounted ? 4 : 2);
    pipeline.free();
  }
});

test('many tracks with Vorbis setups are read, and setups of millions of values are refused', async () => {
  const file = (entriesLog2: number, dimensions: number, count: number) =>
    concat(
      ebmlHeader(),
      liveSegment(
        ...repeat(
          tracks(trackEntry({ codec: 'A_VORBIS', codecPrivate: vorbisPrivate(entriesLog2, dimensions) })),
          count,
        ),
      ),
    );
  assert.equal((await decodeBytes(file(10, 16, 50))).durationSeconds, 0);
  await assert.rejects(decodeBytes(file(16, 16, 1)), refused(/Vorbis headers of the file are damaged/));
});

const opus = { entry: opusEntry(), times: [[1, 960]] } as const;

test('fragment runs of millions of samples without sizes are not counted one by one', async () => {
  const file = fragmentedFile(opus, [], 960);
  // Samples that are longer than the media.
  const header = box('tfhd', u32(0x10, 1, 1000));
  const runs = filled(box('trun', u32(0, 1_000_000)), 60_000);
  const { durationSeconds } = await all(concat(file, box('moof', box('traf', header, runs)), box('mdat', bytes(100))));
  assert.equal(durationSeconds, 0);
});

test('an MP4 index whose runs of chunks are empty or go back is refused', async () => {
  const chunkOffsets = repeat(100, 80_000);
  const file = (chunkRuns: readonly (readonly [number, number])[]) =>
    concat(ftyp(), moov(trak({ ...opus, constantSize: [3, 1000], chunkOffsets, chunkRuns })), box('mdat', bytes(100)));
  const damaged = refused(/index of the MP4 file is damaged/);
  const passes = Array.from({ length: 8000 }, (_, run) => [run % 2 === 0 ? 1 : 80_001, 0] as const);
  await assert.rejects(all(file(passes)), damaged);
  await assert.rejects(all(file([[1, 0]])), damaged);
  await assert.rejects(
    all(
      file([
        [2, 1],
        [2, 1],
      ]),
    ),
    damaged,
  );
  await assert.rejects(
    all(
      file([
        [3, 1],
        [2, 1],
      ]),
    ),
    damaged,
  );
});

test('the search behind false headers of long FLAC frames ends', async () => {
  // Eight channels of 65536 frames: each header announces more than a megabyte.
  const frame = constantFlacFrame(8, 65_536, 0);
  const headers = filled(frame.subarray(0, 8), 200_000);
  await assert.rejects(all(nativeFlac(44_100, 8, [headers])), refused(/none of it can be decoded/));
  // The search goes on behind an intact frame that no header follows.
  const frames = filled(concat(frame, Uint8Array.of(1)), 100_000);
  assert.ok((await all(nativeFlac(44_100, 8, [frames]))).durationSeconds < 30);
});

test('false starts of ogg pages are counted per file', () => {
  const falseStart = Buffer.alloc(32, 0xff);
  falseStart.write('OggS\0', 'latin1');
  const page = oggPage({ sequence: 0, granule: -1, packets: [] });
  const queue = new ByteQueue();
  for (let cycle = 0; cycle < 100; cycle++) queue.push(concat(bytes(1), filled(falseStart, 63), page));
  queue.push(bytes(66_000));
  queue.end();
  const search = new OggSearch();
  let pages = 0;
  for (; nextOggPage(queue, search).next().value; pages++);
  assert.equal(pages, 15);
  assert.equal(search.falseStarts, 1000);
});

test('many short pieces of retained media share one buffer while they arrive', (context) => {
  let allocatedBytes = 0;
  class Counted extends Uint8Array {
    constructor(...parts: ConstructorParameters<typeof Uint8Array>) {
      super(...parts);
      allocatedBytes += this.buffer.byteLength;
    }
  }
  const plain = globalThis.Uint8Array;
  context.after(() => {
    globalThis.Uint8Array = plain;
  });
  globalThis.Uint8Array = Counted as unknown as typeof Uint8Array;
  const retained = new RetainedBytes();
  for (let piece = 0; piece < 1000; piece++) retained.add(10 * piece, plain.of(piece & 255));
  globalThis.Uint8Array = plain;
  assert.ok(allocatedBytes < 1024 * 1024, `${allocatedBytes} bytes for 1000 bytes of media`);
  for (const piece of [0, 1, 500, 999]) assert.deepEqual([...retained.read(10 * piece, 1)!], [piece & 255]);
});

test('containers that may have to be held whole are refused behind an ID3 tag', async () => {
  const tag = id3Tag(bytes(10));
  const mp4 = mp4File(opus, [OPUS_SILENCE_20_MS]);
  assert.equal((await all(mp4)).durationSeconds, 0.02);
  await assert.rejects(all(concat(tag, mp4)), refused(/an MP4 or M4A file behind an ID3 tag/));
  const caf = concat(cafStart({ format: 'lpcm', flags: 2, bits: 16 }), cafData(bytes(3200)));
  assert.equal((await all(caf)).durationSeconds, 0.1);
  await assert.rejects(all(concat(tag, caf)), refused(/behind an ID3 tag/));
});

test('the parser gets one message per turn, which it cannot be interrupted in', async () => {
  for (const measure of ['length', 'codec', undefined] as const) {
    const input = { kind: 'upload', maxDurationSeconds: 300, formats: 'all', ...(measure && { measure }) } as const;
    const task = new DecodeTask({ op: 'open', task: 1, owner: 'a', input, creditSamples: 0 });
    // A box that is skipped to the end.
    const message = concat(u32(2 ** 30), ascii('free'), bytes(65_528));
    for (let count = 0; count < 4; count++) task.push(message.slice());
    for (let count = 0; count < 4; count++) {
      const { report, runAgain } = await task.slice(() => undefined);
      assert.equal(report?.takenBytes, 65_536);
      assert.equal(runAgain, count < 3);
    }
    task.free();
  }
});

test('fragment runs of uncompressed samples shorter than a frame end', async () => {
  const track = trak({ entry: sampleEntry('sowt', { sampleRateHz: 16_000 }), ticksPerSecond: 16_000 });
  const index = moov(track, box('mvex', box('trex', u32(0, 1, 1, 1, 1, 0))));
  const start = concat(ftyp(), box('mdat', bytes(200_000)), index);
  // Every run reads the retained media again, byte by byte.
  const runs = filled(box('trun', u32(1, 200_000, 100 - start.length)), 50_000);
  const fragment = box('moof', box('traf', box('tfhd', u32(0, 1)), runs));
  const { durationSeconds } = await all(concat(start, fragment, box('mdat', bytes(100))));
  assert.equal(durationSeconds, 0);
});
