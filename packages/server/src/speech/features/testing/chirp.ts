// A test signal from a formula: two sweeps, a click and a pause, 1.3 s at 16 kHz.

export const chirp = (): Float32Array =>
  Float32Array.from({ length: 20_800 }, (_, i) => {
    const t = i / 16_000;
    const isPause = t > 0.7 && t < 0.8;
    const sweep =
      0.4 * Math.sin(2 * Math.PI * (200 + 900 * t) * t) + 0.1 * Math.sin(2 * Math.PI * (3000 - 500 * t) * t);
    return (isPause ? 0 : sweep) + (i === 15_000 ? 0.8 : 0);
  });
