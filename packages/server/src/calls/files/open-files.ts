// Files in progress, limited per account. A hopelessly slow upload gives way to a new one.
import type { Principal } from '../../accounts/principal.ts';
import type { Fault } from '../../lib/fault.ts';
import { tooSlow, uploadLimitReached } from '../refusals.ts';

/** Slower than any speech codec: such an upload is held open, not sent. */
const SLOW_BYTES_PER_SECOND = 500;
const SLOW_AFTER_MS = 10_000;

export interface OpenFile {
  readonly accountId: string;
  readonly ageMs: number;
  /** Bytes per second so far; infinite once the file has arrived. */
  readonly uploadBytesPerSecond: number;
  stop(reason: Fault): void;
}

export class OpenFiles {
  readonly #byAccount = new Map<string, Set<OpenFile>>();

  /** Throws when the account is at its limit and no upload can give way. */
  makeRoom({ accountId, limits }: Principal): void {
    const files = this.#byAccount.get(accountId);
    if ((files?.size ?? 0) < limits.maxUploads) return;
    const slow = [...(files ?? [])]
      .filter((file) => file.ageMs >= SLOW_AFTER_MS && file.uploadBytesPerSecond < SLOW_BYTES_PER_SECOND)
      .sort((a, b) => a.uploadBytesPerSecond - b.uploadBytesPerSecond)[0];
    if (slow === undefined) throw uploadLimitReached(limits.maxUploads);
    this.delete(slow);
    slow.stop(tooSlow());
  }

  add(file: OpenFile): void {
    const files = this.#byAccount.get(file.accountId) ?? new Set();
    this.#byAccount.set(file.accountId, files.add(file));
  }

  delete(file: OpenFile): void {
    const files = this.#byAccount.get(file.accountId);
    files?.delete(file);
    if (files?.size === 0) this.#byAccount.delete(file.accountId);
  }

  *[Symbol.iterator](): Iterator<OpenFile> {
    for (const files of this.#byAccount.values()) yield* files;
  }
}
