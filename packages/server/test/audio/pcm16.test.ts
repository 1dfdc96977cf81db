import assert from 'node:assert/strict';
import test from 'node:test';
import { decoding, drain } from './decode-bytes.ts';
import { snrDb } from './ffmpeg.ts';
import { pcm16Bytes, tone } from './wav-writer.ts';

test('16 kHz mono passes unchanged, in chunks of any size', async () => {
  const signal = Float32Array.from(tone(500, 1, 16_000), (sample) => (Math.round(sample * 32_768) || 0) / 32_768);
  for (const pieceBytes of [1, 7, 640, 32_000]) {
    const decoder = decoding.openPcm16({ sampleRateHz: 16_000, channels: 1 });
    const { samples, durationSeconds } = await drain(decoder, pcm16Bytes(signal), pieceBytes);
    assert.equal(durationSeconds, 1);
    assert.deepEqual(samples, signal);
  }
});

for (const sampleRateHz of [8000, 11_025, 16_000, 22_050, 44_100, 48_000]) {
  for (const channels of [1, 2] as const) {
    test(`${sampleRateHz} Hz with ${channels} channels: exact length, the same in chunks of any size`, async () => {
      const mono = tone(500, 1.03, sampleRateHz);
      const frames = Float32Array.from({ length: mono.length * channels }, (_, at) => mono[Math.floor(at / channels)]!);
      const bytes = pcm16Bytes(frames);
      const open = () => decoding.openPcm16({ sampleRateHz, channels });
      const whole = await drain(open(), bytes);
      assert.equal(whole.durationSeconds, mono.length / sampleRateHz);
      assert.equal(whole.samples.length, Math.round((mono.length * 16_000) / sampleRateHz));
      assert.ok(snrDb(tone(500, 1.03, 16_000), whole.samples) > 40);
      assert.deepEqual(await drain(open(), bytes, 333), whole);
    });
  }
}

test('an incomplete sample at the end is dropped with its frame', async () => {
  for (const sampleRateHz of [16_000, 8000]) {
    const { durationSeconds } = await drain(decoding.openPcm16({ sampleRateHz, channels: 2 }), new Uint8Array(4003));
    assert.equal(durationSeconds, 1000 / sampleRateHz);
  }
});

test('samples arrive while the stream is open', async () => {
  for (const sampleRateHz of [8000, 16_000, 48_000]) {
    const decoder = decoding.openPcm16({ sampleRateHz, channels: 1 });
    await decoder.write(pcm16Bytes(tone(500, 0.1, sampleRateHz)));
    const { value } = await decoder[Symbol.asyncIterator]().next();
    assert.ok((value?.length ?? 0) > 1400, `${value?.length} samples at ${sampleRateHz} Hz`);
    decoder.abort();
  }
});

test('a stream without audio ends without samples', async () => {
  for (const sampleRateHz of [16_000, 48_000]) {
    const decoder = decoding.openPcm16({ sampleRateHz, channels: 1 });
    decoder.end();
    assert.deepEqual(await decoder[Symbol.asyncIterator]().next(), { done: true, value: undefined });
    assert.equal(decoder.durationSeconds, 0);
  }
});

test('without a reader, the writer is blocked at any sample rate', async () => {
  for (const sampleRateHz of [16_000, 48_000]) {
    const decoder = decoding.openPcm16({ sampleRateHz, channels: 1 });
    let written = 0;
    const second = new Uint8Array(sampleRateHz * 2);
    const writing = (async () => {
      for (; written < 60; written++) await decoder.write(second);
    })();
    const first = await decoder[Symbol.asyncIterator]().next();
    assert.equal(first.done, false);
    assert.ok(written < 40, `${written} seconds were accepted`);
    decoder.abort();
    await writing;
  }
});
