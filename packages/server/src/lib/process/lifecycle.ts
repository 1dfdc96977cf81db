// Closes the parts of a process in reverse order; each part registers how to close when it is created.

export interface Closable {
  close(): Promise<void> | void;
}

export class Lifecycle {
  readonly #closers: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  #closing: Promise<void> | undefined;

  /** Registers a part and returns it. */
  own<T extends Closable>(name: string, part: T): T {
    this.onClose(name, () => part.close());
    return part;
  }

  onClose(name: string, close: () => Promise<void> | void): void {
    this.#closers.push({ name, close });
  }

  /** Closes every part once, newest first, even if one of them fails. */
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
