// The latest samples of a stream, addressed by their place in the whole.

export class SampleBuffer {
  readonly #pieces: Float32Array[] = [];
  #start = 0;
  #end = 0;

  /** Place of the first sample that is still here. */
  get start(): number {
    return this.#start;
  }

  /** Number of samples that have come in. */
  get end(): number {
    return this.#end;
  }

  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#pieces.push(samples);
    this.#end += samples.length;
  }

  /** A copy of the samples between two places; silence where they are not here. */
  slice(from: number, to: number): Float32Array {
    const samples = new Float32Array(Math.max(0, to - from));
    let place = this.#start;
    for (const piece of this.#pieces) {
      const first = Math.max(from, place);
      const last = Math.min(to, place + piece.length);
      if (first < last) samples.set(piece.subarray(first - place, last - place), first - from);
      place += piece.length;
    }
    return samples;
  }

  /** Whole pieces only: samples are never copied for this. */
  dropBefore(place: number): void {
    while (this.#pieces[0] && this.#start + this.#pieces[0].length <= place) {
      this.#start += this.#pieces[0].length;
      this.#pieces.shift();
    }
  }
}
