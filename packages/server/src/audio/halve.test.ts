import assert from 'node:assert/strict';
import test from 'node:test';
import { Halving } from './halve.ts';
import { joinSamples } from './resample.ts';

const RATE_HZ = 44_100;
const tone = (hz: number): Float32Array =>
  Float32Array.from({ length: RATE_HZ }, (_, at) => Math.sin((2 * Math.PI * hz * at) / RATE_HZ));

const halve = (samples: Float32Array, pieceSamples: number): Float32Array => {
  const halving = new Halving();
  const parts: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += pieceSamples) {
    parts.push(halving.push(samples.subarray(at, at + pieceSamples)));
  }
  return joinSamples([...parts, halving.finish()]);
};

test('every second sample stands where it stood, whatever the pieces', () => {
  const source = tone(3000);
  const halved = halve(source, source.length);
  assert.equal(halved.length, source.length / 2);
  for (let at = 100; at < halved.length - 100; at++) assert.ok(Math.abs(halved[at]! - source[2 * at]!) < 1e-5);
  assert.deepEqual(halve(source, 7), halved);
  assert.equal(halve(source.subarray(0, 101), 10).length, 51);
});

test('what would fold back below 8 kHz is gone', () => {
  for (const hz of [14_100, 16_000, 20_000, 22_000]) {
    const rest = halve(tone(hz), 1000).subarray(100, -100);
    assert.ok(Math.max(...rest.map(Math.abs)) < 2e-5, `${hz} Hz`);
  }
});
