// Answers kept in memory for retries, bounded in age, in size per account and in total size. Evicts the oldest first.
import type { Clock } from '../lib/time/clock.ts';
import { answerBytes, type KeptAnswer } from './answer.ts';

export interface AnswerMemoryLimits {
  readonly bytesMax: number;
  /** Keeps one account from evicting the answers of others. */
  readonly accountBytesMax: number;
  readonly accountEntriesMax: number;
  readonly keepMs: number;
}

/** The estimated overhead of an entry. */
const ENTRY_BYTES = 512;

interface Entry {
  readonly accountId: string;
  readonly answer: KeptAnswer;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

interface AccountShare {
  /** By hash, oldest first. */
  readonly entries: Map<string, Entry>;
  bytes: number;
}

export class AnswerMemory {
  readonly #limits: AnswerMemoryLimits;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #accounts = new Map<string, AccountShare>();
  #bytes = 0;

  constructor(limits: AnswerMemoryLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(hash: string): KeptAnswer | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs > this.#clock.monotonicMs()) return entry.answer;
    this.delete(hash);
    return undefined;
  }

  set(hash: string, accountId: string, answer: KeptAnswer): void {
    this.delete(hash);
    const { bytesMax, accountBytesMax, accountEntriesMax, keepMs } = this.#limits;
    const bytes = answerBytes(answer) + ENTRY_BYTES;
    if (bytes > accountBytesMax || bytes > bytesMax) return;
    const share = this.#accounts.get(accountId) ?? { entries: new Map(), bytes: 0 };
    while (share.entries.size >= accountEntriesMax || share.bytes + bytes > accountBytesMax) this.#evictOldest(share);
    while (this.#bytes + bytes > bytesMax) this.#evictOldest(this.#largestShare() ?? share);
    const entry = { accountId, answer, bytes, expiresAtMs: this.#clock.monotonicMs() + keepMs };
    this.#accounts.set(accountId, share);
    share.entries.set(hash, entry);
    share.bytes += bytes;
    this.#entries.set(hash, entry);
    this.#bytes += bytes;
  }

  delete(hash: string): void {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return;
    const share = this.#accounts.get(entry.accountId)!;
    this.#entries.delete(hash);
    share.entries.delete(hash);
    share.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
    if (share.entries.size === 0) this.#accounts.delete(entry.accountId);
  }

  /** Deletes expired entries. Entries are in order of age. */
  sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [hash, { expiresAtMs }] of this.#entries) {
      if (expiresAtMs > nowMs) return;
      this.delete(hash);
    }
  }

  #evictOldest({ entries }: AccountShare): void {
    const [oldest] = entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }

  #largestShare(): AccountShare | undefined {
    let largest: AccountShare | undefined;
    for (const share of this.#accounts.values()) if (share.bytes > (largest?.bytes ?? 0)) largest = share;
    return largest;
  }
}
