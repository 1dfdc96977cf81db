// A status line on a terminal that each update overwrites. Prints nothing in a pipe.

const COLUMNS_DEFAULT = 80;

export class StatusLine {
  readonly #out: NodeJS.WriteStream;
  #shown = '';

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
  }

  /** `keep` decides which end of a text is shown if it is too long. */
  show(text: string, keep: 'start' | 'end' = 'start'): void {
    if (!this.#out.isTTY || text === this.#shown) return;
    // Some terminals do not report their width.
    const columns = (this.#out.columns || COLUMNS_DEFAULT) - 1;
    const isCut = keep === 'end' && text.length > columns;
    const line = isCut ? `…${text.slice(text.length - columns + 1)}` : text.slice(0, columns);
    this.#out.write(`\r${line}\x1b[K`);
    this.#shown = text;
  }

  /** Removes the line before something else is printed. */
  clear(): void {
    if (this.#shown === '') return;
    this.#out.write('\r\x1b[K');
    this.#shown = '';
  }
}
