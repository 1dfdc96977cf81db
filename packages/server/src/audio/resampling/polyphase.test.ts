import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import wabt from 'wabt';
import { designFilter } from './filter.ts';
import { hasPolyphase, PolyphaseResampler } from './polyphase.ts';
import { POLYPHASE_WASM } from './polyphase-wasm.ts';

test('the checked-in WebAssembly matches its source', async () => {
  const source = readFileSync(new URL('../../../../src/audio/resampling/polyphase.wat', import.meta.url), 'utf8');
  const module = (await wabt()).parseWat('polyphase.wat', source, { simd: true });
  assert.equal(Buffer.from(module.toBinary({}).buffer).toString('base64'), POLYPHASE_WASM);
});

/** Filter response at a frequency, in decibels. */
const responseDb = (sourceRateHz: number, hz: number): number => {
  const { weights, taps } = designFilter(sourceRateHz, 16_000);
  let [re, im] = [0, 0];
  for (let tap = 0; tap < taps; tap++) {
    re += weights[tap]! * Math.cos((2 * Math.PI * hz * tap) / sourceRateHz);
    im += weights[tap]! * Math.sin((2 * Math.PI * hz * tap) / sourceRateHz);
  }
  return 10 * Math.log10(re * re + im * im);
};

for (const rateHz of [22_050, 32_000, 44_100, 48_000, 96_000]) {
  test(`${rateHz} Hz: the speech band passes, frequencies that would alias do not`, () => {
    for (let hz = 0; hz <= 6800; hz += 100) assert.ok(Math.abs(responseDb(rateHz, hz)) < 0.1, `${hz} Hz`);
    for (let hz = 8700; hz < rateHz / 2; hz += 100) assert.ok(responseDb(rateHz, hz) < -85, `${hz} Hz`);
  });
}

test('concurrent resamplers share one kernel without affecting each other', () => {
  const noise = Float32Array.from({ length: 9000 }, (_, at) => Math.sin(at * at));
  const alone = (rateHz: number) => new PolyphaseResampler(rateHz).push(noise);
  const [first, second] = [new PolyphaseResampler(44_100), new PolyphaseResampler(48_000)];
  const parts: Float32Array[][] = [[], []];
  for (let at = 0; at < noise.length; at += 500) {
    parts[0]!.push(first.push(noise.subarray(at, at + 500)));
    parts[1]!.push(second.push(noise.subarray(at, at + 500)));
  }
  assert.deepEqual(
    parts[0]!.flatMap((part) => [...part]),
    [...alone(44_100)],
  );
  assert.deepEqual(
    parts[1]!.flatMap((part) => [...part]),
    [...alone(48_000)],
  );
});

test('rates that need too many weights use the other resampler', () => {
  const usual = [
    8_000, 11_025, 12_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000,
  ];
  for (const rateHz of usual) assert.ok(hasPolyphase(rateHz), `${rateHz} Hz`);
  for (const rateHz of [44_099, 383_975, 12_345.5]) assert.ok(!hasPolyphase(rateHz), `${rateHz} Hz`);
});
