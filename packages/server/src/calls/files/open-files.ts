// Files in progress, limited per account and in total. An upload is stopped to admit a new one where that is fair.
import type { Principal } from '../../accounts/principal.ts';
import type { Fault } from '../../lib/fault.ts';
import { displaced, tooManyUploads, tooSlow, uploadLimitReached } from '../refusals.ts';

/** Slower than any speech codec: such an upload is being held open rather than sent. */
const SLOW_BYTES_PER_SECOND = 500;
const SLOW_AFTER_MS = 10_000;
/** Over all accounts. Each file holds a connection, a parser and a decoder: about half a megabyte. */
const FILES_MAX = 400;

export interface OpenFile {
  readonly accountId: string;
  readonly ageMs: number;
  /** Bytes per second so far; infinite once the file has arrived. */
  readonly uploadBytesPerSecond: number;
  stop(reason: Fault): void;
}

export class OpenFiles {
  readonly #byAccount = new Map<string, Set<OpenFile>>();
  readonly #filesMax: number;
  #size = 0;

  constructor(filesMax = FILES_MAX) {
    this.#filesMax = filesMax;
  }

  /** Throws when the account or the server is at its limit and no upload can be stopped. */
  makeRoom({ accountId, limits }: Pick<Principal, 'accountId' | 'limits'>): void {
    const files = this.#byAccount.get(accountId) ?? new Set();
    if (files.size >= limits.maxUploads) this.#endSlow(files, limits.maxUploads);
    else if (this.#size >= this.#filesMax) this.#endOneOfMost(files.size);
  }

  /** Stops the slowest upload of the account if it is hopelessly slow. */
  #endSlow(files: ReadonlySet<OpenFile>, limit: number): void {
    const slow = [...files]
      .filter((file) => file.ageMs >= SLOW_AFTER_MS && file.uploadBytesPerSecond < SLOW_BYTES_PER_SECOND)
      .sort((a, b) => a.uploadBytesPerSecond - b.uploadBytesPerSecond)[0];
    if (slow === undefined) throw uploadLimitReached(limit);
    this.delete(slow);
    slow.stop(tooSlow());
  }

  /** Stops the slowest upload of the account with the most files, in favour of an account that has fewer. */
  #endOneOfMost(ownFiles: number): void {
    let most: ReadonlySet<OpenFile> = new Set();
    for (const files of this.#byAccount.values()) if (files.size > most.size) most = files;
    const slowest = [...most]
      .filter((file) => Number.isFinite(file.uploadBytesPerSecond))
      .sort((a, b) => a.uploadBytesPerSecond - b.uploadBytesPerSecond)[0];
    if (most.size <= ownFiles + 1 || slowest === undefined) throw tooManyUploads();
    this.delete(slowest);
    slowest.stop(displaced());
  }

  add(file: OpenFile): void {
    const files = this.#byAccount.get(file.accountId) ?? new Set();
    this.#byAccount.set(file.accountId, files.add(file));
    this.#size += 1;
  }

  delete(file: OpenFile): void {
    const files = this.#byAccount.get(file.accountId);
    if (files?.delete(file)) this.#size -= 1;
    if (files?.size === 0) this.#byAccount.delete(file.accountId);
  }

  *[Symbol.iterator](): Iterator<OpenFile> {
    for (const files of this.#byAccount.values()) yield* files;
  }
}
