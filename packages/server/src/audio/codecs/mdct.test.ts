import assert from 'node:assert/strict';
import test from 'node:test';
import { inverseMdct } from './mdct.ts';

for (const size of [64, 256, 512, 1024, 2048]) {
  test(`the fast transform of ${size} samples matches the definition`, () => {
    const spectrum = Float32Array.from({ length: size / 2 }, (_, k) => Math.sin(k * k + 1) / (k + 1));
    const block = inverseMdct(size).transform(spectrum);
    for (let n = 0; n < size; n++) {
      const expected = spectrum.reduce(
        (sum, value, k) => sum + value * Math.cos(((2 * Math.PI) / size) * (n + 0.5 + size / 4) * (k + 0.5)),
        0,
      );
      assert.ok(Math.abs(block[n]! - expected) < 1e-5, `sample ${n} is ${block[n]}, not ${expected}`);
    }
  });
}
