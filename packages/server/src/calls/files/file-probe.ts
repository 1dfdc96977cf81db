// Checks the format, codec and length of a file as it arrives, before it is accepted for later processing.
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { FileStart } from './file-start.ts';
import type { UploadMemory } from './upload-memory.ts';

export interface FileProbeParts {
  readonly accountId: string;
  readonly memory: UploadMemory;
  /** Opens a decoder that only measures. */
  readonly openMeasure: () => LiveDecoder;
}

export class FileProbe {
  readonly #parts: FileProbeParts;
  readonly #decoder: LiveDecoder;
  readonly #checked: Promise<void>;
  #failure: unknown;
  readonly #start = new FileStart();
  #writtenBytes = 0;
  /** Bytes counted as held by the decoder. */
  #heldBytes = 0;
  #state: 'open' | 'over' = 'open';

  constructor(parts: FileProbeParts) {
    this.#parts = parts;
    this.#decoder = parts.openMeasure();
    this.#checked = this.#check();
    this.#checked.catch((failure) => {
      this.#failure = failure;
    });
  }

  /** Throws as soon as something is wrong. A promise asks the caller to wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    this.#start.add(bytes);
    this.#writtenBytes += bytes.length;
    if (this.#start.mayNeedWholeFile) {
      // Includes what came before this was known.
      this.#parts.memory.take(this.#parts.accountId, this.#writtenBytes - this.#heldBytes);
      this.#heldBytes = this.#writtenBytes;
    }
    return this.#decoder.write(bytes);
  }

  /** Call when the file is complete. Throws the Fault that decoding it would end with. */
  async finish(): Promise<void> {
    this.#decoder.end();
    await this.#checked;
  }

  /** Safe at any time. */
  release(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#decoder.abort();
    this.#parts.memory.giveBack(this.#parts.accountId, this.#heldBytes);
  }

  async #check(): Promise<void> {
    for await (const _samples of this.#decoder);
  }
}
