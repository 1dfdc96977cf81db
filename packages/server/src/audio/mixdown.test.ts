import assert from 'node:assert/strict';
import test from 'node:test';
import { joinSamples } from './join-samples.ts';
import { openMixdown } from './mixdown.ts';

const RATE_HZ = 16_000;
const SECOND = RATE_HZ;

const voice = (seconds: number, hz = 200): Float32Array =>
  Float32Array.from({ length: seconds * RATE_HZ }, (_, at) => 0.4 * Math.sin((2 * Math.PI * hz * at) / RATE_HZ));
const silence = (seconds: number): Float32Array => new Float32Array(seconds * RATE_HZ);
const negated = (samples: Float32Array): Float32Array => samples.map((sample) => -sample);

const mix = (channels: readonly Float32Array[], pieceFrames = channels[0]!.length): Float32Array => {
  const mixdown = openMixdown(channels.length, RATE_HZ);
  const parts: Float32Array[] = [];
  for (let at = 0; at < channels[0]!.length; at += pieceFrames) {
    parts.push(mixdown.push(channels.map((channel) => channel.subarray(at, at + pieceFrames))));
  }
  return joinSamples([...parts, mixdown.finish()]);
};
const level = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.02 * Math.abs(expected), `${actual}, not ${expected}`);

test('identical channels come out unchanged', () => {
  assert.deepEqual(mix([voice(1), voice(1)]), voice(1));
});

test('a silent channel does not halve the other, whichever it is', () => {
  assert.deepEqual(mix([voice(1), silence(1)]), voice(1));
  assert.deepEqual(mix([silence(1), voice(1)]), voice(1));
  near(level(mix([voice(1), voice(1), silence(1), silence(1), silence(1), silence(1)])), level(voice(1)));
});

test('channels in anti-phase do not cancel', () => {
  near(level(mix([voice(1), negated(voice(1))])), level(voice(1)));
  near(level(mix([voice(1), negated(voice(1)), voice(1)])), level(voice(1)));
});

test('two speakers on separate channels are both audible, at a steady level', () => {
  const left = joinSamples([voice(1), silence(1), voice(1), silence(1)]);
  const right = joinSamples([silence(1), voice(1, 330), silence(1), voice(1, 330)]);
  const mixed = mix([left, right]);
  for (const second of [1, 2, 3])
    near(level(mixed.subarray(second * SECOND + 800, (second + 1) * SECOND)), level(voice(1)) / 2);
});

test('speech that starts on a silent channel is audible from its first sample', () => {
  const mixed = mix([voice(2), joinSamples([silence(1), voice(1, 500)])]);
  const onset = mixed.subarray(SECOND, SECOND + 320);
  const alone = voice(2).subarray(SECOND, SECOND + 320);
  const added = onset.map((sample, at) => sample - alone[at]!);
  assert.ok(level(added) > 0.1);
});

test('gains change gradually: no step is larger than in the channels themselves', () => {
  const left = voice(4, 100);
  const right = joinSamples([silence(1), negated(voice(1, 100)), voice(1, 100), silence(1)]);
  const mixed = mix([left, right]);
  const largestStep = (samples: Float32Array): number =>
    samples.reduce((most, sample, at) => (at === 0 ? 0 : Math.max(most, Math.abs(sample - samples[at - 1]!))), 0);
  assert.ok(largestStep(mixed) < 2 * largestStep(left), `${largestStep(mixed)}`);
});

test('chunk sizes do not change the result, and no frame is lost', () => {
  const channels = [voice(1, 210), joinSamples([silence(0.5), negated(voice(0.5, 210))])];
  const whole = mix(channels);
  assert.equal(whole.length, SECOND);
  for (const pieceFrames of [1, 7, 1000]) assert.deepEqual(mix(channels, pieceFrames), whole);
});
