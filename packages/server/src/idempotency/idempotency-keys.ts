// Idempotency keys: the first request with a key is handled; retries wait for it and get its answer.
import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../lib/fault.ts';
import { SealBroken, seal, unseal } from '../lib/sealed.ts';
import type { Clock } from '../lib/time/clock.ts';
import { type Deferred, deferred } from '../lib/time/deferred.ts';
import { untilAborted } from '../lib/time/until-aborted.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Storage } from '../storage/open.ts';
import type { KeptAnswer } from './answer.ts';
import { AnswerMemory } from './answer-memory.ts';
import { Claim, keyReused } from './claim.ts';
import { fingerprintOf, keyHash } from './fingerprint.ts';
import { type FoundKey, KEEP_MS, KeyTable } from './key-table.ts';
import { UnfreedKeys } from './unfreed-keys.ts';

export interface IdempotencyOptions {
  readonly storage: Storage;
  /** The id of this process's lease. */
  readonly holderId: string;
  /** Resolves when the ledger agrees with the error that this request's caller got. */
  readonly settle: (requestId: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly memoryBytesMax: number;
  /** Space for encrypted answers in the database; 0: in memory only. */
  readonly diskBytesMax: number;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer; readonly checkBody: (bodyHash: string) => void };

/** The share of the space that one account may use. */
const ACCOUNT_SHARE = 0.25;
const ACCOUNT_ENTRIES_MAX = 10_000;
const WAITING_PER_KEY_MAX = 8;
const WAITING_PER_ACCOUNT_MAX = 64;
/** Polling of a key that another process holds. */
const POLL_MS = 250;
const POLL_MS_MAX = 10 * 60_000;
const SWEEP_MS = 60_000;

type AvailableKey = Exclude<FoundKey, { kind: 'held elsewhere' }>;
type AnsweredKey = Extract<FoundKey, { kind: 'answered' }>;

/** A key that this process holds. */
interface HeldKey {
  readonly ended: Deferred<void>;
  waiting: number;
  onWaiter: () => void;
}

export class IdempotencyKeys {
  readonly #options: IdempotencyOptions;
  readonly #table: KeyTable;
  readonly #memory: AnswerMemory;
  readonly #held = new Map<string, HeldKey>();
  readonly #unfreed: UnfreedKeys;
  readonly #waitingByAccount = new Map<string, number>();
  /** Bytes of stored answers by account: those of the last sweep plus additions. */
  #diskBytes = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(options: IdempotencyOptions) {
    const { storage, holderId, clock, metrics, memoryBytesMax } = options;
    this.#options = options;
    this.#table = new KeyTable(storage, holderId);
    this.#unfreed = new UnfreedKeys((err) => options.log.warn({ err }, 'updating an idempotency key failed'));
    this.#memory = new AnswerMemory(
      {
        bytesMax: memoryBytesMax,
        accountBytesMax: memoryBytesMax * ACCOUNT_SHARE,
        accountEntriesMax: ACCOUNT_ENTRIES_MAX,
        keepMs: KEEP_MS,
      },
      clock,
    );
    metrics.watch('faircopy_kept_answers', 'Answers in memory for retries.', () => this.#memory.size);
    metrics.watch('faircopy_kept_answer_bytes', 'Memory of these answers.', () => this.#memory.bytes);
    this.#timer = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  /** Waits while another request holds the key. Rejects with the signal's reason if the caller disconnects. */
  async claim(request: KeyedRequest): Promise<ClaimResult> {
    const { accountId, keyId, idempotencyKey } = request;
    const hash = keyHash(keyId, idempotencyKey);
    for (;;) {
      request.signal.throwIfAborted();
      const kept = this.#memory.get(hash);
      if (kept) return this.#answered(request, kept);
      const first = this.#held.get(hash);
      if (first) {
        await this.#wait(first, request);
        continue;
      }
      const held: HeldKey = { ended: deferred(), waiting: 0, onWaiter: () => {} };
      this.#held.set(hash, held);
      try {
        const found = await this.#find(hash, request);
        const result = this.#resultOf(hash, held, request, found);
        if (result.kind === 'answered') {
          this.#memory.set(hash, accountId, result.answer);
          this.#unhold(hash);
        }
        return result;
      } catch (thrown) {
        this.#unhold(hash);
        throw thrown;
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
    await this.#unfreed.close();
    await this.#table.idle();
  }

  /** Reads the key from the table, after any other process has released it. */
  async #find(hash: string, { accountId, requestId, signal }: KeyedRequest): Promise<AvailableKey> {
    await this.#unfreed.freeNow(hash);
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const found = await this.#table.claim({ hash, accountId, requestId }).catch((thrown: unknown) => {
        // The claim may have been written.
        this.#unfreed.freeLater(hash, () => this.#table.abandon(hash));
        throw thrown;
      });
      if (found.kind !== 'held elsewhere') return found;
      if (waitedMs >= POLL_MS_MAX)
        throw new Fault('SERVICE_UNAVAILABLE', {
          message: 'The first request with this Idempotency-Key is still in progress.',
        });
      await wait(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  #resultOf(hash: string, held: HeldKey, request: KeyedRequest, found: AvailableKey): ClaimResult {
    if (found.kind !== 'answered') return this.#claimed(hash, held, request, found);
    const answer = this.#decrypted(hash, request, found);
    if (answer) return this.#answered(request, answer);
    return this.#claimed(hash, held, request, { ...found, kind: 'billed' });
  }

  #answered({ apiKey }: KeyedRequest, answer: KeptAnswer): ClaimResult {
    return {
      kind: 'answered',
      answer,
      checkBody: (bodyHash) => {
        if (fingerprintOf(apiKey, bodyHash) !== answer.fingerprint) throw keyReused();
      },
    };
  }

  #claimed(hash: string, held: HeldKey, request: KeyedRequest, found: AvailableKey): ClaimResult {
    const expected = found.kind === 'new' ? null : found.fingerprint;
    const isBilled = found.kind !== 'new';
    const claim = new Claim({
      requestId: found.requestId,
      isBilled,
      expected,
      fingerprintOf: (bodyHash) => fingerprintOf(request.apiKey, bodyHash),
      hasWaiters: () => held.waiting > 0,
      onWaiter: (listener) => {
        held.onWaiter = listener;
        if (held.waiting > 0) listener();
      },
      storeFingerprint: (fingerprint) => this.#table.storeFingerprint(hash, fingerprint),
      storeAnswer: (answer) => this.#storeAnswer(hash, request, answer),
      end: (answer) => {
        if (answer) this.#memory.set(hash, request.accountId, answer);
        void this.#unfreed.free(hash, () => this.#table.end(hash, answer?.fingerprint ?? null));
        this.#unhold(hash);
      },
      release: () => {
        // In this order, so that waiting retries find the key free.
        void this.#unfreed.free(hash, () => this.#table.release(hash)).then(() => this.#unhold(hash));
      },
      abandon: () => {
        void this.#unfreed.free(hash, () => this.#abandon(hash, found.requestId));
        this.#unhold(hash);
      },
    });
    return { kind: 'claimed', claim };
  }

  #unhold(hash: string): void {
    const held = this.#held.get(hash);
    this.#held.delete(hash);
    held?.ended.resolve();
  }

  /** Only a settled ledger can decide: until then, an error's row may be recorded as a success. */
  async #abandon(hash: string, requestId: string): Promise<void> {
    await this.#options.settle(requestId);
    await this.#table.abandon(hash);
  }

  async #wait(held: HeldKey, { accountId, signal }: KeyedRequest): Promise<void> {
    const waiting = this.#waitingByAccount.get(accountId) ?? 0;
    if (held.waiting >= WAITING_PER_KEY_MAX || waiting >= WAITING_PER_ACCOUNT_MAX)
      throw new Fault('CONCURRENT_LIMIT_EXCEEDED', {
        message: 'Too many requests wait for the answer to an earlier one with the same Idempotency-Key.',
        retryAfterSeconds: 2,
      });
    held.waiting += 1;
    held.onWaiter();
    this.#waitingByAccount.set(accountId, waiting + 1);
    try {
      await untilAborted(held.ended.promise, signal);
    } finally {
      held.waiting -= 1;
      const left = this.#waitingByAccount.get(accountId)! - 1;
      if (left > 0) this.#waitingByAccount.set(accountId, left);
      else this.#waitingByAccount.delete(accountId);
    }
  }

  async #storeAnswer(hash: string, { apiKey, accountId }: KeyedRequest, answer: KeptAnswer): Promise<void> {
    const { diskBytesMax } = this.#options;
    if (diskBytesMax === 0) return;
    const sealed = seal(apiKey, purposeOf(hash, answer.requestId), Buffer.from(JSON.stringify(answer)));
    let total = sealed.length;
    for (const bytes of this.#diskBytes.values()) total += bytes;
    const own = (this.#diskBytes.get(accountId) ?? 0) + sealed.length;
    // Without space, the answer stays in memory only. If it is lost, a retry is transcribed again but not billed again.
    if (total > diskBytesMax || own > diskBytesMax * ACCOUNT_SHARE) return;
    this.#diskBytes.set(accountId, own);
    await this.#table.storeAnswer(hash, sealed);
  }

  #decrypted(hash: string, { apiKey }: KeyedRequest, found: AnsweredKey): KeptAnswer | null {
    try {
      return JSON.parse(unseal(apiKey, purposeOf(hash, found.requestId), found.answer).toString('utf8')) as KeptAnswer;
    } catch (thrown) {
      if (!(thrown instanceof SealBroken)) throw thrown;
      this.#options.log.warn({ requestId: found.requestId }, 'decrypting a kept answer failed');
      return null;
    }
  }

  #sweep(): Promise<void> {
    this.#memory.sweep();
    this.#sweeping ??= this.#table
      .sweep(this.#options.diskBytesMax > 0)
      .then(
        (bytes) => {
          this.#diskBytes = new Map(bytes);
        },
        // Retried at the next sweep.
        () => {},
      )
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }
}

const purposeOf = (hash: string, requestId: string): string => `kept answer ${hash} ${requestId}`;
