// Captions on a terminal: what has settled is printed, what is being said stands grey on the line below.
import type { LiveEvent } from '@faircopy/client';
import { print } from '../output.ts';
import { printable } from './service-client.ts';
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
    else if (event.type === 'interim') this.#line.show(printable(event.text));
    else if (event.type === 'final') {
      this.#line.clear();
      if (event.text !== '') this.#print(printable(event.text));
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
