import assert from 'node:assert/strict';
import test from 'node:test';
import { joinSamples } from './join-samples.ts';
import { openResampler } from './resample.ts';

const tone = (hz: number, rateHz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: Math.round(rateHz * seconds) }, (_, at) => Math.sin((2 * Math.PI * hz * at) / rateHz));

const resample = async (
  samples: Float32Array,
  rateHz: number,
  pieceSamples = samples.length,
): Promise<Float32Array> => {
  const resampler = await openResampler(rateHz);
  const parts: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += pieceSamples)
    parts.push(resampler.push(samples.subarray(at, at + pieceSamples)));
  parts.push(resampler.finish());
  resampler.free();
  return joinSamples(parts);
};

/** Level relative to a full-scale tone, in decibels, without both ends. */
const levelDb = (samples: Float32Array): number => {
  const middle = samples.subarray(800, -800);
  return 10 * Math.log10((2 * middle.reduce((sum, sample) => sum + sample * sample, 0)) / middle.length);
};

for (const rateHz of [1000, 8000, 11_025, 22_050, 44_099, 44_100, 48_000, 96_000, 192_000, 384_000]) {
  test(`${rateHz} Hz: exact length, no shift, any chunk size`, async () => {
    const source = tone(300, rateHz, 0.537);
    const whole = await resample(source, rateHz);
    assert.equal(whole.length, Math.round((source.length * 16_000) / rateHz));
    const expected = tone(300, 16_000, 0.537);
    const worst = whole
      .subarray(1000, -1000)
      .reduce((most, sample, at) => Math.max(most, Math.abs(sample - expected[at + 1000]!)), 0);
    assert.ok(worst < 0.001, `off by ${worst}`);
    assert.deepEqual(await resample(source, rateHz, 100), whole);
  });
}

test('frequencies above 8 kHz are removed, lower ones are kept', async () => {
  assert.ok(levelDb(await resample(tone(9000, 48_000, 1), 48_000)) < -80);
  assert.ok(levelDb(await resample(tone(15_000, 44_100, 1), 44_100)) < -80);
  assert.ok(Math.abs(levelDb(await resample(tone(6800, 48_000, 1), 48_000))) < 0.5);
  assert.ok(Math.abs(levelDb(await resample(tone(3300, 8000, 1), 8000))) < 0.5);
});

test('empty input gives empty output', async () => {
  assert.equal((await resample(new Float32Array(0), 44_100)).length, 0);
});
