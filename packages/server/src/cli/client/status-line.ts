// One line on a terminal that is written over as things go on; nothing at all in a pipe.

const COLUMNS_USUAL = 80;

export class StatusLine {
  readonly #out: NodeJS.WriteStream;
  #shown = '';

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
  }

  show(text: string): void {
    if (!this.#out.isTTY || text === this.#shown) return;
    // Some terminals do not say how wide they are.
    const line = text.slice(0, (this.#out.columns || COLUMNS_USUAL) - 1);
    this.#out.write(`\r${line}\x1b[K`);
    this.#shown = text;
  }

  /** Takes the line away, so that what is printed next stands alone. */
  clear(): void {
    if (this.#shown === '') return;
    this.#out.write('\r\x1b[K');
    this.#shown = '';
  }
}
