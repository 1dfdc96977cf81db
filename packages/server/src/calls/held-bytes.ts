// Encoded audio that waits in memory, counted over the whole process and by account, so that no caller can fill it.
import { Fault } from '../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../lib/time/retry-after.ts';
import { tooBusy } from './refusals.ts';

export interface HeldBytesLimits {
  readonly processBytesMax: number;
  readonly accountBytesMax: number;
}

/** Two files of the largest size may wait for one account; when they do, there is still room for one of somebody else. */
export const HELD_BYTES_LIMITS: HeldBytesLimits = {
  processBytesMax: 160 * 1024 * 1024,
  accountBytesMax: 104 * 1024 * 1024,
};

export class HeldBytes {
  readonly #limits: HeldBytesLimits;
  readonly #byAccount = new Map<string, number>();
  #total = 0;

  constructor(limits: HeldBytesLimits = HELD_BYTES_LIMITS) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Counts the bytes, or throws when the account or the process holds as much as it may. */
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
