// Captions on a terminal: finals are printed; the interim is shown on the status line.
import type { LiveEvent } from '@faircopy/client';
import { print, sanitiseLines } from '../output.ts';
import type { StatusLine } from './status-line.ts';

export class Captions {
  readonly #line: StatusLine;
  readonly #asJson: boolean;
  #printed: Promise<unknown> = Promise.resolve();

  constructor(line: StatusLine, asJson = false) {
    this.#line = line;
    this.#asJson = asJson;
  }

  add(event: LiveEvent): void {
    if (this.#asJson) this.#print(JSON.stringify(event));
    else if (event.type === 'interim') this.#line.show(sanitiseLines(event.text), 'end');
    else if (event.type === 'final') {
      this.#line.clear();
      if (event.text !== '') this.#print(sanitiseLines(event.text));
    }
  }

  /** Resolves when everything is printed. */
  async end(): Promise<void> {
    this.#line.clear();
    await this.#printed;
  }

  #print(text: string): void {
    this.#printed = this.#printed.then(() => print(`${text}\n`));
  }
}
