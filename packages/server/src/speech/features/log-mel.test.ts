import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLogMel } from './log-mel.ts';
import { chirp } from './testing/chirp.ts';
import reference from './testing/log-mel.json' with { type: 'json' };

const largestDifference = (
  features: Float32Array,
  frames: number,
  expected: readonly (readonly number[])[],
): number => {
  let largest = 0;
  for (const [i, frame] of reference.frames.entries()) {
    if (frame >= frames) continue;
    for (const [mel, value] of expected[i]!.entries()) {
      largest = Math.max(largest, Math.abs(features[mel * frames + frame]! - value));
    }
  }
  return largest;
};

for (const bins of [80, 128] as const) {
  test(`log-mel features with ${bins} bins equal the reference`, () => {
    const features = makeLogMel(bins)(chirp(), 3000);
    assert.equal(features.length, bins * 3000);
    assert.ok(largestDifference(features, 3000, reference.bins[bins]) < 1e-4);
  });

  test(`a shorter window with ${bins} bins has the same values`, () => {
    const features = makeLogMel(bins)(chirp(), 1000);
    assert.ok(largestDifference(features, 1000, reference.bins[bins]) < 1e-4);
  });
}

test('audio longer than the window is truncated', () => {
  const samples = new Float32Array(16_000).map((_, i) => Math.sin(i / 5));
  const logMel = makeLogMel(80);
  assert.deepEqual(logMel(samples, 50), logMel(samples.subarray(0, 8000), 50));
});

test('silence and empty audio give one finite floor', () => {
  const logMel = makeLogMel(80);
  for (const samples of [new Float32Array(0), new Float32Array(1600)]) {
    assert.deepEqual(new Set(logMel(samples, 20)), new Set([-1.5]));
  }
});
