// Lengths, bombs and back-pressure: what is too long is refused before it is decoded, and memory does not follow the file.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { createUploadDecoding } from '../../src/audio/decoding.ts';
import { Job } from '../../src/audio/job.ts';
import { decodeBytes } from './decode-bytes.ts';
import { OPUS_NOTHING_120_MS, OPUS_SILENCE_20_MS, opusHead, repeat, writeOggOpus } from './ogg-writer.ts';
import { concat, pcm16Bytes, tone, writeWav } from './wav-writer.ts';
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

const decoding = createUploadDecoding();
after(() => decoding.close());

const tooLong = { code: 'AUDIO_TOO_LONG', message: /limit of/ };
const limited = (file: Uint8Array, maxDurationSeconds: number) => decodeBytes(decoding, file, { maxDurationSeconds });

test('wav: exactly the limit passes, one frame more does not', async () => {
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
  const job = new Job(1, { kind: 'upload', maxDurationSeconds: 300, formats: 'contract' }, 0);
  job.push(file.subarray(0, 12_000));
  const { report } = await job.slice(() => undefined);
  assert.equal(report?.outcome?.kind, 'refused');
  assert.equal(report?.samples, undefined);
  await assert.rejects(limited(file, 300), tooLong);
});

test('an hour in webm is refused even though nobody reads', async () => {
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

test('a chain of links that are all padding is not decoded for ever', async () => {
  const link = (serial: number) =>
    writeOggOpus(repeat(OPUS_NOTHING_120_MS, 11), opusPacketFrames, { preSkip: 65_535, serial });
  const file = concat(...Array.from({ length: 900 }, (_, serial) => link(serial)));
  await assert.rejects(limited(file, 5), tooLong);
});

test('what nobody reads is decoded a few seconds ahead and no further', async () => {
  const file = writeWav(pcm16Bytes(tone(200, 60, 16_000)));
  const job = new Job(1, { kind: 'upload', maxDurationSeconds: 300, formats: 'contract' }, 32_000);
  let samples = 0;
  let taken = 0;
  job.push(file);
  job.end();
  for (let again = true; again; ) {
    const { report, runAgain } = await job.slice(() => undefined);
    samples += report?.samples?.length ?? 0;
    taken += report?.takenBytes ?? 0;
    again = runAgain;
  }
  assert.ok(samples >= 32_000 && samples < 32_000 + 16_000, `${samples} samples without a reader`);
  assert.equal(taken, 0, 'no more bytes are asked for while a megabyte waits');
});

test('a writer without a reader is held back', async () => {
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
  // One chunk proves that the thread is at work; then it is full, and stays so however long we look away.
  const first = await decoder[Symbol.asyncIterator]().next();
  assert.equal(first.done, false);
  assert.ok(written < 5, `${written} MB were taken in`);
  decoder.abort();
  await writing;
});

test('files made of false starts are given up, not searched for ever', async () => {
  const start = Buffer.alloc(27, 0xff);
  start.write('OggS\0', 'latin1');
  const ogg = new Uint8Array(Buffer.concat([start, ...repeat(start, 100_000)]));
  await assert.rejects(limited(ogg, 300), { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /no audio stream/ });
  const voids = new Uint8Array(1_200_000).map((_, at) => (at % 2 === 0 ? 0xec : 0x80));
  const sound = segment(tracks(trackEntry({ codec: 'A_OPUS' })), cluster(simpleBlock([OPUS_SILENCE_20_MS])));
  await assert.rejects(limited(concat(ebmlHeader(), voids, sound), 300), {
    code: 'AUDIO_FORMAT_UNSUPPORTED',
    message: /before it says/,
  });
});

test('a hundred megabytes go through without staying', async () => {
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
  // Most of this is garbage not collected yet; what would be kept by mistake is more than twice as much.
  assert.ok(peak - before < 250 * 2 ** 20, `${((peak - before) / 2 ** 20).toFixed(0)} MB more`);
});
