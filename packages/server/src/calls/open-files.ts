// The file calls that are open: as many per account as it may have, and a hopelessly slow upload gives way to a new one.
import type { Principal } from '../accounts/principal.ts';
import type { FileCall } from './file-call.ts';
import { tooSlow, uploadLimitReached } from './refusals.ts';

/** Slower than any codec of speech: such an upload is held open rather than sent. */
const SLOW_BYTES_PER_SECOND = 500;
const SLOW_AFTER_MS = 10_000;

export class OpenFiles {
  readonly #byAccount = new Map<string, Set<FileCall>>();

  /** Throws when the account has as many as it may have and none of them can give way. */
  makeRoom({ accountId, limits }: Principal): void {
    const calls = this.#byAccount.get(accountId);
    if ((calls?.size ?? 0) < limits.maxUploads) return;
    const slow = [...(calls ?? [])]
      .filter((call) => call.ageMs >= SLOW_AFTER_MS && call.uploadBytesPerSecond < SLOW_BYTES_PER_SECOND)
      .sort((a, b) => a.uploadBytesPerSecond - b.uploadBytesPerSecond)[0];
    if (slow === undefined) throw uploadLimitReached(limits.maxUploads);
    this.delete(slow);
    slow.stop(tooSlow());
  }

  add(call: FileCall): void {
    const calls = this.#byAccount.get(call.accountId) ?? new Set();
    this.#byAccount.set(call.accountId, calls.add(call));
  }

  delete(call: FileCall): void {
    const calls = this.#byAccount.get(call.accountId);
    calls?.delete(call);
    if (calls?.size === 0) this.#byAccount.delete(call.accountId);
  }

  *[Symbol.iterator](): Iterator<FileCall> {
    for (const calls of this.#byAccount.values()) yield* calls;
  }
}
