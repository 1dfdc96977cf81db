import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandEnergy, isNarrowBand } from './bandwidth.ts';

const tones = (hertz: readonly number[]): Float32Array =>
  Float32Array.from({ length: 32_000 }, (_, n) =>
    hertz.reduce((sum, hz) => sum + 0.1 * Math.sin((2 * Math.PI * hz * n) / 16_000), 0),
  );

test('audio with nothing above the telephone band is narrow, and a faint hiss above it makes it wide', () => {
  assert.equal(isNarrowBand(bandEnergy(tones([500, 1_500, 3_000]))), true);
  const hissing = tones([500, 1_500, 3_000]);
  tones([5_000, 6_000]).forEach((value, n) => {
    hissing[n]! += 0.1 * value;
  });
  assert.equal(isNarrowBand(bandEnergy(hissing)), false);
});

test('silence is not telephone audio', () => {
  assert.equal(isNarrowBand(bandEnergy(new Float32Array(16_000))), false);
  assert.equal(isNarrowBand(bandEnergy(new Float32Array(10))), false);
});
