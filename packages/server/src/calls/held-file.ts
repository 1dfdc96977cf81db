// A file that must be here as a whole before it can be read: its bytes count like those of every other upload.
import type { HeldBytes } from './held-bytes.ts';

export class HeldFile {
  readonly #held: HeldBytes;
  readonly #accountId: string;
  #chunks: Buffer[] = [];

  constructor(held: HeldBytes, accountId: string) {
    this.#held = held;
    this.#accountId = accountId;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  /** Throws when the account or the process holds as much as it may. */
  add(chunk: Buffer): void {
    this.#held.take(this.#accountId, chunk.length);
    this.#chunks.push(chunk);
  }

  /** Safe at any time. */
  release(): void {
    for (const chunk of this.#chunks) this.#held.giveBack(this.#accountId, chunk.length);
    this.#chunks = [];
  }
}
