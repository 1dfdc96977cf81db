// Tests limits, decompression bombs and back-pressure: long audio is refused before it is decoded, and memory does not
// grow with the file.
import assert from 'node:assert/strict';
import test from 'node:test';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { DecodeTask } from '../../src/audio/threads/decode-task.ts';
import type { DecodeInput } from '../../src/audio/threads/protocol.ts';
import { AAC_SILENCE, adtsFrame } from './aac-writer.ts';
import { decodeBytes, decoding } from './decode-bytes.ts';
import { constantFlacFrame, nativeFlac } from './flac-writer.ts';
import { id3Tag, MP3_SILENCE_24_MS, mp3File } from './mp3-writer.ts';
import { box, ftyp, moov, mp4File, opusEntry, type TrackShape, trak, u32 } from './mp4-writer.ts';
import { OPUS_NOTHING_120_MS, OPUS_SILENCE_20_MS, opusHead, repeat, writeOggOpus } from './ogg-writer.ts';
import { ascii, concat, pcm16Bytes, tone, writeWav } from './wav-writer.ts';
import {
  blockGroup,
  cluster,
  ebmlHeader,
  liveCluster,
  liveSegment,
  segment,
  simpleBlock,
  trackEntry,
  tracks,
} from './webm-writer.ts';

const taskOf = (input: DecodeInput, creditSamples: number): DecodeTask =>
  new DecodeTask({ op: 'open', task: 1, owner: 'a', input, creditSamples });

const tooLong = { code: 'AUDIO_TOO_LONG', message: /limit of/ };
const limited = (file: Uint8Array, maxDurationSeconds: number) => decodeBytes(file, { maxDurationSeconds });

test('wav: exactly the limit is accepted, one more frame is not', async () => {
  const file = (frames: number) => writeWav(pcm16Bytes(new Float32Array(frames)), { sampleRateHz: 44_100 });
  assert.equal((await limited(file(2 * 44_100), 2)).durationSeconds, 2);
  await assert.rejects(limited(file(2 * 44_100 + 1), 2), tooLong);
});

test('ogg: padding at both ends does not count', async () => {
  const packets = repeat(OPUS_SILENCE_20_MS, 101);
  const file = (frames: number) => writeOggOpus(packets, opusPacketFrames, { preSkip: 312, lastGranule: 312 + frames });
  assert.equal((await limited(file(96_000), 2)).durationSeconds, 2);
  await assert.rejects(limited(file(96_001), 2), tooLong);
});

test('webm: padding at both ends does not count', async () => {
  const file = (discardNs: number) =>
    concat(
      ebmlHeader(),
      segment(
        tracks(trackEntry({ codec: 'A_OPUS', codecPrivate: opusHead(1, 480) })),
        cluster(...repeat(simpleBlock([OPUS_SILENCE_20_MS]), 100), blockGroup([OPUS_SILENCE_20_MS], discardNs)),
      ),
    );
  assert.equal((await limited(file(10_000_000), 2)).durationSeconds, 2);
  await assert.rejects(limited(file(9_900_000), 2), tooLong);
});

test('an hour of Opus is refused after a fraction of the file, before anything is decoded', async () => {
  const file = writeOggOpus(repeat(OPUS_NOTHING_120_MS, 30_000), opusPacketFrames, { packetsPerPage: 100 });
  const task = taskOf({ kind: 'upload', maxDurationSeconds: 300, formats: 'contract' }, 0);
  task.push(file.subarray(0, 12_000));
  const { report } = await task.slice(() => undefined);
  assert.equal(report?.outcome?.kind, 'refused');
  assert.equal(report?.samples, undefined);
  await assert.rejects(limited(file, 300), tooLong);
});

test('an hour in webm is refused even without a reader', async () => {
  const hour = concat(
    ebmlHeader(),
    liveSegment(
      tracks(trackEntry({ codec: 'A_OPUS', codecPrivate: opusHead() })),
      liveCluster(...repeat(simpleBlock(repeat(OPUS_NOTHING_120_MS, 100), 'fixed'), 300)),
    ),
  );
  const decoder = decoding.open({ maxDurationSeconds: 300 });
  await decoder.write(hour);
  decoder.end();
  await assert.rejects(decoder[Symbol.asyncIterator]().next(), tooLong);
});

test('a chain of links that hold only padding is not decoded forever', async () => {
  const link = (serial: number) =>
    writeOggOpus(repeat(OPUS_NOTHING_120_MS, 11), opusPacketFrames, { preSkip: 65_535, serial });
  const file = concat(...Array.from({ length: 900 }, (_, serial) => link(serial)));
  await assert.rejects(limited(file, 5), tooLong);
});

test('without a reader, decoding stops a few seconds ahead', async () => {
  const file = writeWav(pcm16Bytes(tone(200, 60, 16_000)));
  const task = taskOf({ kind: 'upload', maxDurationSeconds: 300, formats: 'contract' }, 32_000);
  let samples = 0;
  let taken = 0;
  task.push(file);
  task.end();
  for (let again = true; again; ) {
    const { report, runAgain } = await task.slice(() => undefined);
    samples += report?.samples?.length ?? 0;
    taken += report?.takenBytes ?? 0;
    again = runAgain;
  }
  assert.ok(samples >= 32_000 && samples < 32_000 + 16_000, `${samples} samples without a reader`);
  assert.equal(taken, 0, 'no more bytes are requested while a megabyte is queued');
});

test('without a reader, the writer is blocked', async () => {
  const decoder = decoding.open({ maxDurationSeconds: 3600 });
  const megabyte = new Uint8Array(2 ** 20);
  let written = 0;
  const writing = (async () => {
    await decoder.write(writeWav(new Uint8Array(0), { declaredDataBytes: 0xff_ff_ff_ff }));
    for (let count = 0; count < 40; count++) {
      await decoder.write(megabyte);
      written++;
    }
  })();
  // One chunk proves that the thread is running; then its queue is full and stays full.
  const first = await decoder[Symbol.asyncIterator]().next();
  assert.equal(first.done, false);
  assert.ok(written < 5, `${written} MB were accepted`);
  decoder.abort();
  await writing;
});

test('the search in files of false starts ends', async () => {
  const start = Buffer.alloc(27, 0xff);
  start.write('OggS\0', 'latin1');
  const ogg = new Uint8Array(Buffer.concat([start, ...repeat(start, 100_000)]));
  await assert.rejects(limited(ogg, 300), { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /no supported audio stream/ });
  const voids = new Uint8Array(1_200_000).map((_, at) => (at % 2 === 0 ? 0xec : 0x80));
  const sound = segment(tracks(trackEntry({ codec: 'A_OPUS' })), cluster(simpleBlock([OPUS_SILENCE_20_MS])));
  await assert.rejects(limited(concat(ebmlHeader(), voids, sound), 300), {
    code: 'AUDIO_FORMAT_UNSUPPORTED',
    message: /before its track list/,
  });
});

test('a hundred megabytes are decoded without being kept', async () => {
  const decoder = decoding.open({ maxDurationSeconds: 36_000 });
  const piece = new Uint8Array(64 * 1024);
  const before = process.memoryUsage.rss();
  let peak = before;
  const writing = (async () => {
    await decoder.write(writeWav(new Uint8Array(0), { channels: 2, sampleRateHz: 16_000, declaredDataBytes: 0 }));
    for (let count = 0; count < 1600; count++) await decoder.write(piece);
    decoder.end();
  })();
  for await (const samples of decoder) {
    assert.ok(samples.length < 5 * 16_000);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  await writing;
  assert.equal(decoder.durationSeconds, (1600 * 64 * 1024) / 4 / 16_000);
  // Most of this is uncollected garbage; a leak would be more than twice as large.
  assert.ok(peak - before < 250 * 2 ** 20, `${((peak - before) / 2 ** 20).toFixed(0)} MB more`);
});

const all = (file: Uint8Array, maxDurationSeconds: number, pieceBytes?: number) =>
  decodeBytes(file, { maxDurationSeconds, formats: 'all', ...(pieceBytes && { pieceBytes }) });

test('mp3: exactly the limit is accepted, with padding at both ends; one more frame is not', async () => {
  assert.equal((await all(mp3File(125), 3)).durationSeconds, 3);
  await assert.rejects(all(mp3File(126), 3), tooLong);
  const file = (padding: number) => mp3File(126, { delay: 529, padding });
  assert.equal((await all(file(623), 3)).durationSeconds, 3);
  await assert.rejects(all(file(622), 3), tooLong);
});

test('mp4: exactly the limit is accepted, with padding at both ends; one more frame is not', async () => {
  const file = (lastTicks: number, indexAt: 'start' | 'end') =>
    mp4File(
      {
        entry: opusEntry(312),
        times: [
          [100, 960],
          [1, lastTicks],
        ],
        edits: [[2000, 312]],
      },
      repeat(OPUS_SILENCE_20_MS, 101),
      { indexAt },
    );
  for (const indexAt of ['start', 'end'] as const) {
    assert.equal((await all(file(312, indexAt), 2)).durationSeconds, 2);
    await assert.rejects(all(file(313, indexAt), 2), tooLong);
  }
});

test('an hour of MP3 or AAC is refused after a fraction of the file, before anything is decoded', async () => {
  for (const frame of [MP3_SILENCE_24_MS, adtsFrame(AAC_SILENCE, 8000)]) {
    const task = taskOf({ kind: 'upload', maxDurationSeconds: 60, formats: 'all' }, 0);
    task.push(concat(...repeat(frame, 2600)));
    const { report } = await task.slice(() => undefined);
    assert.equal(report?.outcome?.kind, 'refused');
    assert.equal(report?.samples, undefined);
  }
});

test('an index that repeats one packet for an hour is refused as too long', async () => {
  const start = ftyp();
  const offsets = (count: number) => repeat(start.length + 8, count);
  const media = box('mdat', OPUS_SILENCE_20_MS);
  const track = { entry: opusEntry(), samplesPerChunk: 1, constantSize: [3, 0xff_ff_ff_ff] } as const;
  const index = moov(trak({ ...track, chunkOffsets: offsets(500_000) }));
  await assert.rejects(all(concat(start, media, index), 300), tooLong);
});

test('indexes of millions of missing samples end quickly', async () => {
  const start = ftyp();
  const of = (shape: Partial<TrackShape>) =>
    concat(start, moov(trak({ entry: opusEntry(), chunkOffsets: [start.length + 9], ...shape })), new Uint8Array(1000));
  const empty = { code: 'AUDIO_FORMAT_UNSUPPORTED' };
  const outcomes = [
    all(of({ constantSize: [1, 0xff_ff_ff_ff] }), 300),
    all(of({ constantSize: [0xff_ff_ff_ff, 0xff_ff_ff_ff] }), 300),
    all(of({ sizes: new Array(1_000_000).fill(0) }), 300),
    all(of({ times: new Array(100_000).fill([0xff_ff_ff_ff, 0xff_ff_ff_ff]), sizes: [3, 3] }), 300),
  ];
  for (const outcome of outcomes) {
    await outcome.then(
      ({ durationSeconds }) => assert.ok(durationSeconds < 300),
      (thrown) => assert.ok(thrown.code === empty.code || thrown.code === tooLong.code, thrown.message),
    );
  }
});

const filled = (pattern: Uint8Array, count: number): Uint8Array => Buffer.alloc(pattern.length * count, pattern);

test('the search in files of false frame starts ends', async () => {
  const noise = new Uint8Array(3_000_000).map((_, at) => [0xff, 0xfb, 0x90, 0x64, 0, 0, 0][at % 7]!);
  await assert.rejects(all(noise, 300), { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /no MP3 audio/ });
  const tags = filled(id3Tag(new Uint8Array(0)), 200_000);
  await assert.rejects(all(tags, 300), { code: 'AUDIO_FORMAT_UNSUPPORTED' });
  const boxes = filled(box('free'), 300_000);
  await assert.rejects(all(boxes, 300), { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /before its index/ });
});

test('media before its index is kept once, up to the size of an upload', async () => {
  const task = taskOf({ kind: 'upload', maxDurationSeconds: 300, formats: 'all' }, 0);
  const megabyte = new Uint8Array(2 ** 20);
  const before = process.memoryUsage().arrayBuffers;
  task.push(concat(ftyp(), u32(0), ascii('mdat')));
  for (let count = 1; ; count++) {
    task.push(megabyte);
    const { report } = await task.slice(() => undefined);
    if (report?.outcome) {
      assert.equal(report.outcome.kind, 'refused');
      assert.equal(count, 51);
      break;
    }
    const heldBytes = process.memoryUsage().arrayBuffers - before;
    assert.ok(heldBytes < (count + 3) * 2 ** 20, `${heldBytes} bytes for ${count} MB`);
  }
});

test('a small file with too many samples is refused undecoded, while high-resolution stereo passes', async () => {
  const frames = (channels: number, count: number) =>
    Array.from({ length: count }, (_, number) => constantFlacFrame(channels, 65_535, number));
  const open = (sampleRateHz: number, channels: number, count: number) => {
    const task = taskOf({ kind: 'upload', maxDurationSeconds: 20, formats: 'all' }, 0);
    task.push(nativeFlac(sampleRateHz, channels, frames(channels, count)));
    task.end();
    return task;
  };
  const bomb = open(384_000, 8, 64);
  const { report } = await bomb.slice(() => undefined);
  assert.ok(report?.outcome?.kind === 'refused');
  assert.equal(report.outcome.code, 'AUDIO_TOO_LONG');
  assert.match(report.outcome.sentence, /8 channels at 384000 Hz/);
  const fine = open(192_000, 2, 50);
  assert.equal((await fine.slice(() => undefined)).report?.outcome, undefined);
  fine.free();
});
