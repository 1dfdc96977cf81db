// Halves a sample rate with a half-band filter: cheap, and what would fold back into the wanted band is 100 dB down.

/** Samples that the filter looks at on each side. */
const REACH = 25;
/** Of the window: 108 dB of rejection where the wanted band ends at 0.18 of the rate. */
const KAISER_BETA = 10.94;

const bessel = (x: number): number => {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
};

/** Weights at the odd distances 1, 3, 5…; those at even distances are zero, and the one in the middle is a half. */
const weights = Float64Array.from({ length: (REACH + 1) / 2 }, (_, index) => {
  const distance = 2 * index + 1;
  const window = bessel(KAISER_BETA * Math.sqrt(1 - (distance / (REACH + 1)) ** 2)) / bessel(KAISER_BETA);
  return (Math.sin((Math.PI / 2) * distance) / (Math.PI * distance)) * window;
});

export class Halving {
  /** Samples from REACH before the next centre on; silence before the first. */
  #held = new Float32Array(REACH);

  /** Every second sample, centred where it stood; the last ones wait for what comes after them. */
  push(samples: Float32Array): Float32Array {
    const input = new Float32Array(this.#held.length + samples.length);
    input.set(this.#held);
    input.set(samples, this.#held.length);
    const output = new Float32Array(Math.max(0, Math.ceil((input.length - 2 * REACH) / 2)));
    for (let at = 0, centre = REACH; at < output.length; at++, centre += 2) {
      let sum = 0.5 * input[centre]!;
      for (let index = 0, distance = 1; index < weights.length; index++, distance += 2) {
        sum += weights[index]! * (input[centre - distance]! + input[centre + distance]!);
      }
      output[at] = sum;
    }
    this.#held = input.slice(2 * output.length);
    return output;
  }

  /** What was waiting. */
  finish(): Float32Array {
    return this.push(new Float32Array(REACH));
  }
}
