import assert from 'node:assert/strict';
import test from 'node:test';
import { opusPacketFrames } from '../../../src/audio/codecs/opus-packet.ts';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { flacFrame16, flacOggHeader } from '../flac-writer.ts';
import { OPUS_SILENCE_20_MS, oggPage, opusHead, opusTags, repeat, writeOgg, writeOggOpus } from '../ogg-writer.ts';
import { ascii, concat } from '../wav-writer.ts';

const silence = (count: number) => repeat(OPUS_SILENCE_20_MS, count);
const secondsOf = async (file: Uint8Array) => (await decodeBytes(file)).durationSeconds;

test('pre-skip is cut from the start and padding from the end, sample-exact', async () => {
  const file = writeOggOpus(silence(50), opusPacketFrames, { preSkip: 312, lastGranule: 312 + 45_000 });
  const { samples, durationSeconds } = await decodeBytes(file);
  assert.equal(durationSeconds, 45_000 / 48_000);
  assert.equal(samples.length, 15_000);
});

test('a stream that starts late keeps its length', async () => {
  const pages = [
    oggPage({ sequence: 0, granule: 0, flags: 'first', packets: [opusHead(1, 0)] }),
    oggPage({ sequence: 1, granule: 0, packets: [opusTags()] }),
    oggPage({ sequence: 2, granule: 960_000 + 9600, packets: silence(10) }),
    oggPage({ sequence: 3, granule: 960_000 + 9600 + 8000, flags: 'last', packets: silence(10) }),
  ];
  assert.equal(await secondsOf(concat(...pages)), 17_600 / 48_000);
});

test('a file without its last page is decoded to its end', async () => {
  const whole = writeOggOpus(silence(100), opusPacketFrames, { preSkip: 0, packetsPerPage: 10 });
  assert.equal(await secondsOf(whole), 2);
  assert.equal(await secondsOf(whole.subarray(0, whole.length - 5)), 1.8);
});

test('links of a chain are decoded in sequence, with equal or different serials', async () => {
  for (const serial of [1, 2]) {
    const first = writeOggOpus(silence(50), opusPacketFrames, { preSkip: 0 });
    const second = writeOggOpus(silence(25), opusPacketFrames, { preSkip: 480, serial });
    assert.equal(await secondsOf(concat(first, second)), 1.49);
  }
});

test('packets that span pages are joined; packets lost with a page are omitted', async () => {
  const long = concat(OPUS_SILENCE_20_MS, new Uint8Array(507));
  const head = [
    oggPage({ sequence: 0, granule: 0, flags: 'first', packets: [opusHead(1, 0)] }),
    oggPage({ sequence: 1, granule: 0, packets: [opusTags()] }),
  ];
  const part = oggPage({
    sequence: 2,
    granule: 960,
    packets: [OPUS_SILENCE_20_MS, long.subarray(0, 255)],
    isOpen: true,
  });
  const rest = oggPage({
    sequence: 3,
    granule: 2880,
    isContinued: true,
    packets: [long.subarray(255), OPUS_SILENCE_20_MS],
  });
  const end = oggPage({ sequence: 4, granule: 3840, flags: 'last', packets: silence(1) });
  assert.equal(await secondsOf(concat(...head, part, rest, end)), 0.08);
  assert.equal(await secondsOf(concat(...head, rest, end)), 0.04);
});

test('damage between pages is skipped', async () => {
  const file = writeOggOpus(silence(100), opusPacketFrames, { preSkip: 0 });
  const at = file.indexOf(0x4f, 400);
  const broken = concat(file.subarray(0, at), ascii('OggS but no page'), file.subarray(at));
  assert.equal(await secondsOf(broken), 2);
});

test('a non-audio stream is ignored', async () => {
  const file = writeOggOpus(silence(50), opusPacketFrames, { preSkip: 0, serial: 7 });
  const other = oggPage({
    serial: 9,
    sequence: 0,
    granule: 0,
    flags: 'first',
    packets: [ascii('fishead\0'.padEnd(64, '\0'))],
  });
  assert.equal(await secondsOf(concat(other, file)), 1);
});

test('FLAC is bit-exact and its checksum is verified', async () => {
  const samples = Int16Array.from({ length: 4000 }, (_, at) => Math.round(20_000 * Math.sin(at / 7)));
  const frames = [0, 1, 2, 3].map((number) =>
    flacFrame16([samples.subarray(number * 1000, (number + 1) * 1000)], number),
  );
  const write = (packets: Uint8Array[]) =>
    writeOgg([flacOggHeader(16_000, 1, 16), Uint8Array.of(0x84, 0, 0, 0)], packets, () => 1000);
  const decoded = await decodeBytes(write(frames));
  assert.deepEqual(
    decoded.samples,
    Float32Array.from(samples, (sample) => sample / 32_768),
  );
  const damaged = frames.map((frame, index) => (index === 2 ? frame.with(500, frame[500]! ^ 1) : frame));
  assert.equal((await decodeBytes(write(damaged))).samples.length, 3000);
});

test('a stream with headers and no audio has a duration of zero', async () => {
  const pages = [
    oggPage({ sequence: 0, granule: 0, flags: 'first', packets: [opusHead()] }),
    oggPage({ sequence: 1, granule: 0, flags: 'last', packets: [opusTags()] }),
  ];
  assert.equal(await secondsOf(concat(...pages)), 0);
});

test('unsupported codecs are refused by name', async () => {
  const speex = oggPage({ sequence: 0, granule: 0, flags: 'first', packets: [ascii('Speex   1.2'.padEnd(80))] });
  await assert.rejects(secondsOf(speex), refused(/Speex/));
  const cut = writeOggOpus(silence(5), opusPacketFrames).subarray(0, 60);
  await assert.rejects(secondsOf(cut), refused(/before its audio starts/));
  const garbage = writeOggOpus(repeat(Uint8Array.of(0xff, 0x3f, 1), 5), () => 0);
  await assert.rejects(secondsOf(garbage), refused(/damaged/));
});
