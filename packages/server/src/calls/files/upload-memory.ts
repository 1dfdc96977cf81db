// Memory held by the encoded bytes of unfinished uploads, bounded per account and for the whole process.
import { Fault } from '../../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';
import { tooBusy } from '../refusals.ts';

export interface UploadMemoryLimits {
  readonly processBytesMax: number;
  readonly accountBytesMax: number;
}

/** One account may hold two files of the largest size; another account still has room for one then. */
const UPLOAD_MEMORY_LIMITS: UploadMemoryLimits = {
  processBytesMax: 160 * 1024 * 1024,
  accountBytesMax: 104 * 1024 * 1024,
};

export class UploadMemory {
  readonly #limits: UploadMemoryLimits;
  readonly #byAccount = new Map<string, number>();
  #total = 0;

  constructor(limits: UploadMemoryLimits = UPLOAD_MEMORY_LIMITS) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Whether at least half is free, as required for bytes that could also wait at their sender. */
  isAmple(accountId: string): boolean {
    const held = this.#byAccount.get(accountId) ?? 0;
    return held <= this.#limits.accountBytesMax / 2 && this.#total <= this.#limits.processBytesMax / 2;
  }

  /** Throws when the account or the process would hold too much. */
  take(accountId: string, bytes: number): void {
    const held = this.#byAccount.get(accountId) ?? 0;
    if (held + bytes > this.#limits.accountBytesMax)
      throw new Fault('CONCURRENT_LIMIT_EXCEEDED', {
        message: 'The account has too much audio waiting in unfinished uploads.',
        retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
      });
    if (this.#total + bytes > this.#limits.processBytesMax) throw tooBusy(RETRY_AFTER_SECONDS_DEFAULT);
    this.#byAccount.set(accountId, held + bytes);
    this.#total += bytes;
  }

  giveBack(accountId: string, bytes: number): void {
    const held = (this.#byAccount.get(accountId) ?? 0) - bytes;
    if (held > 0) this.#byAccount.set(accountId, held);
    else this.#byAccount.delete(accountId);
    this.#total -= bytes;
  }
}
