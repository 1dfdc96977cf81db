// Collects the start of a file, however small its chunks, and decides whether the file must arrive completely.
import { mayNeedWholeFile } from '../../audio/upload-decoding.ts';

/** From this many bytes on, the start of a file shows whether it must arrive completely. */
const START_BYTES = 512;

export class FileStart {
  /** Undefined once it is long enough. */
  #bytes: Uint8Array | undefined = new Uint8Array(0);
  #mayNeedWholeFile = false;

  /** Whether a decoder may hold the whole file, because its index may come last; preliminary for the first bytes. */
  get mayNeedWholeFile(): boolean {
    return this.#mayNeedWholeFile;
  }

  /** Returns all bytes so far on the call that decides, and undefined on every other. */
  add(bytes: Uint8Array): Uint8Array | undefined {
    if (!this.#bytes) return undefined;
    const start = Buffer.concat([this.#bytes, bytes]);
    this.#mayNeedWholeFile = mayNeedWholeFile(start);
    const isDecided = start.length >= START_BYTES;
    this.#bytes = isDecided ? undefined : start;
    return isDecided ? start : undefined;
  }
}
