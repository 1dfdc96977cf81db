import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { OPUS_SILENCE_20_MS, opusHead, repeat } from '../ogg-writer.ts';
import { concat, pcm16Bytes, tone } from '../wav-writer.ts';
import {
  blockGroup,
  cluster,
  ebmlHeader,
  element,
  type Lacing,
  liveCluster,
  liveSegment,
  segment,
  simpleBlock,
  trackEntry,
  tracks,
} from '../webm-writer.ts';

const opusTrack = (preSkip = 0, number = 1) =>
  trackEntry({ number, codec: 'A_OPUS', codecPrivate: opusHead(1, preSkip), codecDelayNs: (preSkip * 1e9) / 48_000 });
const secondsOf = async (file: Uint8Array) => (await decodeBytes(file)).durationSeconds;
const block = simpleBlock([OPUS_SILENCE_20_MS]);

test('a browser recording: unknown sizes, no duration, truncated in a cluster', async () => {
  const file = concat(
    ebmlHeader(),
    liveSegment(tracks(opusTrack()), liveCluster(...repeat(block, 50)), liveCluster(...repeat(block, 25))),
  );
  assert.equal(await secondsOf(file), 1.5);
  assert.equal(await secondsOf(file.subarray(0, file.length - 3)), 1.48);
});

for (const lacing of ['xiph', 'ebml', 'fixed'] as const satisfies Lacing[]) {
  test(`${lacing} lacing yields all packets of a block`, async () => {
    const padded = (bytes: number) => concat(OPUS_SILENCE_20_MS, new Uint8Array(bytes));
    const packets =
      lacing === 'fixed' ? repeat(OPUS_SILENCE_20_MS, 4) : [padded(0), padded(300), padded(7), padded(260)];
    const file = concat(ebmlHeader(), segment(tracks(opusTrack()), cluster(simpleBlock(packets, lacing), block)));
    assert.equal(await secondsOf(file), 0.1);
  });
}

test('codec delay is cut from the start and discard padding from the end', async () => {
  const file = concat(
    ebmlHeader(),
    segment(tracks(opusTrack(312)), cluster(...repeat(block, 49), blockGroup([OPUS_SILENCE_20_MS], 10_000_000))),
  );
  const { samples, durationSeconds } = await decodeBytes(file);
  assert.equal(durationSeconds, (48_000 - 312 - 480) / 48_000);
  assert.equal(samples.length, 16_000 - 104 - 160);
});

test('Opus without its own header is decoded by the fields of its track', async () => {
  const track = trackEntry({ codec: 'A_OPUS', channels: 2, codecDelayNs: 10_000_000 });
  assert.equal(await secondsOf(concat(ebmlHeader(), segment(tracks(track), cluster(...repeat(block, 50))))), 0.99);
});

test('the first audio track is decoded, whatever its number; other blocks are skipped', async () => {
  const video = trackEntry({ number: 1, type: 1, codec: 'V_VP8' });
  const file = concat(
    ebmlHeader(),
    segment(
      tracks(video, opusTrack(0, 5), opusTrack(0, 2)),
      cluster(
        simpleBlock([new Uint8Array(5000)], 'none', 1),
        simpleBlock([OPUS_SILENCE_20_MS], 'none', 5),
        simpleBlock([OPUS_SILENCE_20_MS], 'none', 2),
      ),
    ),
  );
  assert.equal(await secondsOf(file), 0.02);
});

for (const [codec, bitDepth] of [
  ['A_PCM/FLOAT/IEEE', 32],
  ['A_PCM/INT/LIT', 16],
] as const) {
  test(`${codec} is decoded exactly, whatever its block size`, async () => {
    const signal = Float32Array.from(tone(300, 2, 16_000), (sample) => (Math.round(sample * 32_768) || 0) / 32_768);
    const bytes = bitDepth === 32 ? new Uint8Array(signal.buffer) : pcm16Bytes(signal);
    const track = trackEntry({ codec, bitDepth, sampleRateHz: 16_000 });
    const file = concat(ebmlHeader(), segment(tracks(track), cluster(simpleBlock([bytes]))));
    assert.deepEqual((await decodeBytes(file)).samples, signal);
  });
}

test('two recordings concatenated by a restarted recorder are both decoded', async () => {
  const one = concat(ebmlHeader(), liveSegment(tracks(opusTrack()), liveCluster(...repeat(block, 50))));
  assert.equal(await secondsOf(concat(one, one)), 2);
});

test('after damage, decoding resumes at the next cluster', async () => {
  const good = liveCluster(...repeat(block, 50));
  const file = concat(ebmlHeader(), liveSegment(tracks(opusTrack()), good, new Uint8Array(1000), good));
  assert.equal(await secondsOf(file), 2);
});

test('unsupported files are refused with a specific message', async () => {
  const of = (...entries: Uint8Array[]) => concat(ebmlHeader(), segment(tracks(...entries), cluster(block)));
  await assert.rejects(secondsOf(of(trackEntry({ type: 1, codec: 'V_VP9' }))), refused(/no audio track/));
  await assert.rejects(secondsOf(of(trackEntry({ codec: 'A_AAC' }))), refused(/A_AAC/));
  await assert.rejects(secondsOf(ebmlHeader()), refused(/before its track list/));
  const encrypted = element(0xae, trackEntry({ codec: 'A_OPUS' }).subarray(2), element(0x6d80, new Uint8Array(4)));
  await assert.rejects(secondsOf(of(encrypted)), refused(/encrypted/));
  await assert.rejects(secondsOf(liveCluster(...repeat(block, 50))), refused(/format is unknown/));
});
