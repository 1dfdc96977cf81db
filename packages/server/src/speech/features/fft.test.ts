import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FFT_SIZE, fft400 } from './fft.ts';

test('the transform matches its definition', () => {
  const re = Float64Array.from({ length: FFT_SIZE }, (_, i) => Math.sin(i * 1.7) + (i % 7));
  const im = Float64Array.from({ length: FFT_SIZE }, (_, i) => Math.cos(i * 0.3) - (i % 3));
  const [gotRe, gotIm] = [re.slice(), im.slice()];
  fft400(gotRe, gotIm);
  for (let k = 0; k < FFT_SIZE; k += 13) {
    let [sumRe, sumIm] = [0, 0];
    for (let n = 0; n < FFT_SIZE; n++) {
      const angle = (-2 * Math.PI * k * n) / FFT_SIZE;
      sumRe += re[n]! * Math.cos(angle) - im[n]! * Math.sin(angle);
      sumIm += re[n]! * Math.sin(angle) + im[n]! * Math.cos(angle);
    }
    assert.ok(Math.abs(gotRe[k]! - sumRe) < 1e-8, `real part of bin ${k}`);
    assert.ok(Math.abs(gotIm[k]! - sumIm) < 1e-8, `imaginary part of bin ${k}`);
  }
});
