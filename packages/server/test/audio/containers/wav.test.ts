import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { ascii, concat, pcm16Bytes, tone, type WavShape, wavChunk, writeWav } from '../wav-writer.ts';

const signal = Float32Array.from(tone(440, 1.5, 16_000), (sample) => (Math.round(sample * 32_768) || 0) / 32_768);
const data = pcm16Bytes(signal);
const secondsOf = async (file: Uint8Array) => (await decodeBytes(file)).durationSeconds;

const bytesOf = (write: (buffer: Buffer, sample: number, at: number) => void, bytes: number): Uint8Array => {
  const buffer = Buffer.alloc(signal.length * bytes);
  for (const [at, sample] of signal.entries()) write(buffer, sample, at * bytes);
  return new Uint8Array(buffer);
};
const guid = (tag: number) =>
  concat(
    Uint8Array.of(22, 0, 16, 0, 4, 0, 0, 0, tag, 0),
    Uint8Array.of(0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113),
  );

const EXACT: Record<string, readonly [Uint8Array, WavShape]> = {
  pcm16: [data, {}],
  pcm24: [bytesOf((buffer, sample, at) => buffer.writeIntLE(sample * 2 ** 23, at, 3), 3), { bits: 24 }],
  pcm32: [bytesOf((buffer, sample, at) => buffer.writeInt32LE(sample * 2 ** 31, at), 4), { bits: 32 }],
  'pcm20 in three bytes': [
    bytesOf((buffer, sample, at) => buffer.writeIntLE(sample * 2 ** 23, at, 3), 3),
    { bits: 20, blockBytes: 3 },
  ],
  float32: [bytesOf((buffer, sample, at) => buffer.writeFloatLE(sample, at), 4), { formatTag: 3, bits: 32 }],
  float64: [bytesOf((buffer, sample, at) => buffer.writeDoubleLE(sample, at), 8), { formatTag: 3, bits: 64 }],
  'extensible pcm16': [data, { formatTag: 0xfffe, formatExtra: guid(1) }],
  'extensible float': [
    bytesOf((buffer, sample, at) => buffer.writeFloatLE(sample, at), 4),
    { formatTag: 0xfffe, bits: 32, formatExtra: guid(3) },
  ],
  RF64: [data, { riffId: 'RF64', after: [wavChunk('LIST', new Uint8Array(100))] }],
  RIFX: [bytesOf((buffer, sample, at) => buffer.writeInt16BE(sample * 2 ** 15, at), 2), { riffId: 'RIFX' }],
  'a size of zero': [data, { declaredDataBytes: 0 }],
  'a size of all ones': [data, { declaredDataBytes: 0xff_ff_ff_ff }],
  'chunks before and after': [
    data,
    {
      before: [wavChunk('LIST', new Uint8Array(33)), wavChunk('fact', new Uint8Array(4))],
      after: [wavChunk('id3 ', new Uint8Array(50))],
    },
  ],
  'an odd chunk without its padding': [
    data,
    { before: [concat(wavChunk('JUNK', new Uint8Array(33)).subarray(0, 41))] },
  ],
  'a block size of zero': [data, { blockBytes: 0 }],
};
for (const [name, [bytes, shape]] of Object.entries(EXACT)) {
  test(`${name}: every sample is decoded exactly`, async () => {
    const { samples, durationSeconds } = await decodeBytes(writeWav(bytes, shape));
    assert.equal(durationSeconds, 1.5);
    assert.deepEqual(samples, signal);
  });
}

test('A-law and µ-law decode loud and soft samples', async () => {
  // The extremes of G.711: largest, smallest and zero, of both signs.
  const alaw = await decodeBytes(writeWav(Uint8Array.of(0xaa, 0x2a, 0xd5, 0x55), { formatTag: 6, bits: 8 }));
  assert.deepEqual(
    [...alaw.samples],
    [32_256, -32_256, 8, -8].map((size) => size / 32_768),
  );
  const mulaw = await decodeBytes(writeWav(Uint8Array.of(0x80, 0x00, 0xff, 0x7e), { formatTag: 7, bits: 8 }));
  assert.deepEqual(
    [...mulaw.samples],
    [32_124, -32_124, 0, -8].map((size) => size / 32_768),
  );
});

test('NaN and infinite floats do not affect their neighbours', async () => {
  const bytes = new Uint8Array(Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.5).buffer);
  const { samples } = await decodeBytes(writeWav(bytes, { formatTag: 3, bits: 32 }));
  assert.deepEqual([...samples], [0.5, 0, 0, -0.5]);
});

test('a truncated file is decoded up to its end, without incomplete frames', async () => {
  const file = writeWav(data);
  assert.equal(await secondsOf(file.subarray(0, 44 + 16_001)), 0.5);
  assert.equal(await secondsOf(file.subarray(0, 44)), 0);
});

test('a file without samples has a duration of zero', async () => {
  assert.equal(await secondsOf(writeWav(new Uint8Array(0))), 0);
  assert.equal(await secondsOf(writeWav(new Uint8Array(0), { after: [wavChunk('LIST', new Uint8Array(64))] })), 0);
});

test('a tag before the file is skipped', async () => {
  const tag = concat(ascii('ID3'), Uint8Array.of(4, 0, 0, 0, 0, 1, 0), new Uint8Array(128));
  assert.equal(await secondsOf(concat(tag, writeWav(data))), 1.5);
  await assert.rejects(secondsOf(tag), refused(/ID3/));
});

test('unsupported files are refused with a specific message', async () => {
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [writeWav(data, { channels: 0, blockBytes: 2 }), /no channels/],
    [writeWav(data, { channels: 65, blockBytes: 130 }), /65 channels/],
    [writeWav(data, { formatTag: 0x55 }), /MP3/],
    [writeWav(data, { formatTag: 0x1234 }), /unsupported audio format/],
    [writeWav(data, { bits: 0, blockBytes: 0 }), /unsupported audio format/],
    [writeWav(data, { sampleRateHz: 0 }), /sample rate of 0/],
    [writeWav(data, { sampleRateHz: 4_000_000_000 }), /sample rate/],
    [writeWav(data, { formatTag: 0x11, bits: 4, blockBytes: 3 }), /block size/],
    [writeWav(data).subarray(0, 36), /before its audio starts/],
    [writeWav(data).subarray(0, 20), /before its format header/],
    [concat(ascii('RIFF\0\0\0\0WAVE'), wavChunk('data', data)), /before its format header/],
    [concat(ascii('RIFF\0\0\0\0AVI '), data), /RIFF file without/],
    [concat(ascii('fLaC'), data), /native FLAC/],
    [ascii('hello, this is no sound'), /a text file/],
    [ascii('RIFF'), /too short/],
    [new Uint8Array(0), /empty/],
    [new Uint8Array(100_000), /format is unknown/],
  ];
  for (const [file, sentence] of cases) await assert.rejects(secondsOf(file), refused(sentence), String(sentence));
});
