import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionSamples } from './condition.ts';

test('good samples are returned unchanged', () => {
  const samples = Float32Array.of(0.5, -0.5, 0.25, -0.25);
  assert.equal(conditionSamples(samples), samples);
});

test('NaN and infinity become silence', () => {
  const samples = Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.5);
  assert.deepEqual(conditionSamples(samples), Float32Array.of(0.5, 0, 0, -0.5));
});

test('a constant offset is removed', () => {
  assert.deepEqual(conditionSamples(Float32Array.of(0.75, 0.25)), Float32Array.of(0.25, -0.25));
});

test('faint audio is amplified, silence stays silent', () => {
  assert.deepEqual(conditionSamples(Float32Array.of(0.0625, -0.0625)), Float32Array.of(0.5, -0.5));
  const silence = new Float32Array(8);
  assert.equal(conditionSamples(silence), silence);
});

test('empty input stays empty', () => {
  assert.equal(conditionSamples(new Float32Array(0)).length, 0);
});
