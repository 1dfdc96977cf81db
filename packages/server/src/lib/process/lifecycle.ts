// Long-lived parts register how they close at the moment they are made; closing runs in reverse.

export interface Closable {
  close(): Promise<void> | void;
}

export class Lifecycle {
  readonly #closers: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  #closing: Promise<void> | undefined;

  /** Registers a part and hands it back, so that making and registering are one expression. */
  own<T extends Closable>(name: string, part: T): T {
    this.onClose(name, () => part.close());
    return part;
  }

  onClose(name: string, close: () => Promise<void> | void): void {
    this.#closers.push({ name, close });
  }

  /** Closes every part once, last made first. One part's failure does not keep the others open. */
  close(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    const failures: unknown[] = [];
    for (const closer of this.#closers.reverse()) {
      try {
        await closer.close();
      } catch (cause) {
        failures.push(new Error(`closing ${closer.name} failed`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some parts did not close cleanly');
  }
}
