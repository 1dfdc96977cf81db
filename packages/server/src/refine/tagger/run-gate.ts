// Prevents a thread from being terminated inside a native call, which would abort the process.

const OPEN = 0;
const RUNNING = 1;
const CLOSED = 2;

/** Shared by a thread, which enters before each native call, and its owner, which closes before terminating it. */
export class RunGate {
  readonly #state: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#state = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#state.buffer;
  }

  /** False when the gate is closed: the call must not start. */
  enter(): boolean {
    return Atomics.compareExchange(this.#state, 0, OPEN, RUNNING) === OPEN;
  }

  leave(): void {
    Atomics.compareExchange(this.#state, 0, RUNNING, OPEN);
    Atomics.notify(this.#state, 0);
  }

  /** Resolves when no call is running and none can start. Calls take milliseconds. */
  async close(): Promise<void> {
    for (;;) {
      const seen = Atomics.compareExchange(this.#state, 0, OPEN, CLOSED);
      if (seen !== RUNNING) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
