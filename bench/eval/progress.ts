// Shows the progress of an evaluation: one updated line on a terminal, otherwise a line per tenth.

export class Progress {
  readonly #total: number;
  readonly #label: string;
  readonly #startedMs = performance.now();
  #done = 0;
  #tenths = 0;

  constructor(label: string, total: number) {
    this.#label = label;
    this.#total = total;
  }

  step(): void {
    this.#done++;
    const seconds = (performance.now() - this.#startedMs) / 1000;
    const left = Math.round((seconds / this.#done) * (this.#total - this.#done));
    const text = `${this.#label}  ${this.#done} of ${this.#total} clips, ${left} s left`;
    if (process.stderr.isTTY) {
      const full = Math.round((28 * this.#done) / this.#total);
      process.stderr.write(`\r\x1b[K${'━'.repeat(full)}${'─'.repeat(28 - full)}  ${text}`);
      if (this.#done === this.#total) process.stderr.write('\n');
    } else if (Math.floor((10 * this.#done) / this.#total) > this.#tenths) {
      this.#tenths = Math.floor((10 * this.#done) / this.#total);
      console.error(text);
    }
  }
}
