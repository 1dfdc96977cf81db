// The first stage of MPEG audio's filter bank, inverted (ISO/IEC 11172-3 section 2.4.3.2.2): 32 subbands to samples.
import { SYNTHESIS_WINDOW } from './synthesis-window.ts';

/** The window covers sixteen slots of 32 samples. */
const SLOTS = 16;

/**
 * A synthesis filter bank that can output every second sample only. It then ignores the upper half of the subbands,
 * which must be silent: at 32 kHz and above, they hold no wanted frequencies. Of the 64 values that the standard
 * computes per slot, 32 determine the others: V(32 - i) = -V(i) and V(96 - i) = V(i). The sample at j needs V(j) of
 * even slots and V(32 + j) of odd slots; the sample at 32 - j needs the same two.
 */
export class Synthesis {
  readonly #bands: number;
  /** One entry per pair of output samples, at j and 32 - j; j = 0 and j = 16 have no partner. */
  readonly #firsts: Int32Array;
  /** For each pair, the rows that compute V(j) and V(32 + j) from the subbands. */
  readonly #matrix: Float64Array;
  /** For each pair, four runs of eight window coefficients: two for the sample at j, two for its partner. */
  readonly #windows: Float64Array;
  /**
   * For each row, the values of the last sixteen slots from #newest on, newest first; stored twice, so that a run never
   * wraps.
   */
  readonly #history: Float64Array;
  readonly #divide: 1 | 2;
  readonly #phase: number;
  #newest = 0;

  /** Subbands from `bands` on are treated as silent. */
  constructor(divide: 1 | 2, phase: 0 | 1, bands: number) {
    this.#divide = divide;
    this.#phase = divide === 1 ? 0 : phase;
    this.#bands = bands;
    this.#firsts = Int32Array.from({ length: 17 }, (_, j) => j).filter((j) => j % divide === this.#phase);
    const count = this.#firsts.length;
    this.#matrix = new Float64Array(count * 2 * this.#bands);
    this.#windows = new Float64Array(count * 32);
    this.#history = new Float64Array(count * 2 * 2 * SLOTS);
    for (const [index, j] of this.#firsts.entries()) {
      for (const [row, i] of [j, 32 + j].entries()) {
        for (let k = 0; k < this.#bands; k++) {
          this.#matrix[(index * 2 + row) * this.#bands + k] = Math.cos(((16 + i) * (2 * k + 1) * Math.PI) / 64);
        }
      }
      const partner = 32 - j;
      for (let slot = 0; slot < 8; slot++) {
        this.#windows[index * 32 + slot] = SYNTHESIS_WINDOW[64 * slot + j]!;
        this.#windows[index * 32 + 8 + slot] = SYNTHESIS_WINDOW[64 * slot + 32 + j]!;
        this.#windows[index * 32 + 16 + slot] = -(SYNTHESIS_WINDOW[64 * slot + partner] ?? 0);
        this.#windows[index * 32 + 24 + slot] = SYNTHESIS_WINDOW[64 * slot + 32 + partner] ?? 0;
      }
    }
  }

  /** Takes one value per subband; writes 32 samples, or 16. */
  push(subbands: Float32Array, from: number, output: Float32Array, at: number): void {
    const bands = this.#bands;
    const matrix = this.#matrix;
    const history = this.#history;
    const windows = this.#windows;
    const firsts = this.#firsts;
    this.#newest = (this.#newest + SLOTS - 1) % SLOTS;
    const newest = this.#newest;
    for (let index = 0; index < firsts.length; index++) {
      const row = index * 2;
      let even = 0;
      let odd = 0;
      for (let k = 0, cell = row * bands; k < bands; k++, cell++) {
        const value = subbands[from + k]!;
        even += matrix[cell]! * value;
        odd += matrix[cell + bands]! * value;
      }
      const evenAt = row * 2 * SLOTS + newest;
      const oddAt = evenAt + 2 * SLOTS;
      history[evenAt] = even;
      history[evenAt + SLOTS] = even;
      history[oddAt] = odd;
      history[oddAt + SLOTS] = odd;
      let sample = 0;
      let partner = 0;
      for (let slot = 0, w = index * 32; slot < 8; slot++, w++) {
        const a = history[evenAt + 2 * slot]!;
        const b = history[oddAt + 2 * slot + 1]!;
        sample += a * windows[w]! + b * windows[w + 8]!;
        partner += a * windows[w + 16]! + b * windows[w + 24]!;
      }
      const j = firsts[index]!;
      output[at + (j - this.#phase) / this.#divide] = sample;
      if (j > 0 && j < 16) output[at + (32 - j - this.#phase) / this.#divide] = partner;
    }
  }
}
