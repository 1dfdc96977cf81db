// Idempotency keys: the first request with a key is worked on, later ones wait for it and get its answer.
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
import { Claim, otherBody } from './claim.ts';
import { fingerprintOf, keyHash } from './fingerprint.ts';
import { type FoundKey, KEEP_MS, KeyTable } from './key-table.ts';

export interface IdempotencyOptions {
  readonly storage: Storage;
  /** This process, as others see it in the database. */
  readonly holderId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly memoryBytesMax: number;
  /** Sealed answers in the database; 0 when they are kept in memory only. */
  readonly diskBytesMax: number;
}

/** A request that brings an idempotency key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
}

export type Claimed =
  | { readonly kind: 'work'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer; readonly checkBody: (bodyHash: string) => void };

/** Of all that may be kept, one account may have this share. */
const ACCOUNT_SHARE = 0.25;
const ACCOUNT_ENTRIES_MAX = 10_000;
/** Requests that wait for the first one with their key: a caller has no use for more. */
const WAITING_PER_KEY_MAX = 8;
const WAITING_PER_ACCOUNT_MAX = 64;
/** How often another process is looked at that works on the same key, and for how long in all. */
const ELSEWHERE_MS = 250;
const ELSEWHERE_MS_MAX = 10 * 60_000;
const SWEEP_MS = 60_000;

/** A key that a request of this process holds. */
interface HeldKey {
  readonly ended: Deferred<void>;
  waiting: number;
  /** Told when somebody begins to wait. */
  onFollower: () => void;
}

export class IdempotencyKeys {
  readonly #options: IdempotencyOptions;
  readonly #table: KeyTable;
  readonly #memory: AnswerMemory;
  readonly #held = new Map<string, HeldKey>();
  readonly #waitingByAccount = new Map<string, number>();
  /** Bytes of sealed answers, as of the last sweep and what was added since. */
  #diskBytes = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(options: IdempotencyOptions) {
    const { storage, holderId, clock, metrics, memoryBytesMax } = options;
    this.#options = options;
    this.#table = new KeyTable(storage, holderId);
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

  /** Waits while another request works on the key. Rejects with the signal's reason when the caller leaves. */
  async claim(request: KeyedRequest): Promise<Claimed> {
    const { accountId, keyId, idempotencyKey } = request;
    const hash = keyHash(keyId, idempotencyKey);
    for (;;) {
      request.signal.throwIfAborted();
      const kept = this.#memory.get(hash);
      if (kept) return this.#answered(request, kept);
      const before = this.#held.get(hash);
      if (before) {
        await this.#wait(before, request);
        continue;
      }
      const held: HeldKey = { ended: deferred(), waiting: 0, onFollower: () => {} };
      this.#held.set(hash, held);
      try {
        const found = await this.#find(hash, request);
        const claimed = this.#claimed(hash, held, request, found);
        if (claimed.kind === 'answered') {
          this.#memory.set(hash, accountId, claimed.answer);
          this.#letGo(hash);
        }
        return claimed;
      } catch (thrown) {
        this.#letGo(hash);
        throw thrown;
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
    await this.#table.idle();
  }

  /** What the table says, once no other process works on the key. */
  async #find(hash: string, { accountId, requestId, signal }: KeyedRequest): Promise<FoundKey> {
    for (let waitedMs = 0; ; waitedMs += ELSEWHERE_MS) {
      const found = await this.#table.claim({ hash, accountId, requestId });
      if (found.kind !== 'elsewhere') return found;
      if (waitedMs >= ELSEWHERE_MS_MAX)
        throw new Fault('SERVICE_UNAVAILABLE', {
          message: 'The first request with this key is still being worked on.',
        });
      await wait(ELSEWHERE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  #claimed(hash: string, held: HeldKey, request: KeyedRequest, found: FoundKey): Claimed {
    if (found.kind === 'answered') {
      const answer = this.#opened(hash, request, found);
      if (answer) return this.#answered(request, answer);
      return this.#work(hash, held, request, { ...found, kind: 'billed' });
    }
    if (found.kind === 'elsewhere') throw new Error('a key that is held elsewhere cannot be claimed');
    return this.#work(hash, held, request, found);
  }

  #answered({ apiKey }: KeyedRequest, answer: KeptAnswer): Claimed {
    return {
      kind: 'answered',
      answer,
      checkBody: (bodyHash) => {
        if (fingerprintOf(apiKey, bodyHash) !== answer.fingerprint) throw otherBody();
      },
    };
  }

  #work(hash: string, held: HeldKey, request: KeyedRequest, found: Exclude<FoundKey, { kind: 'elsewhere' }>): Claimed {
    const expected = found.kind === 'new' ? null : found.fingerprint;
    const isBilled = found.kind !== 'new';
    const claim = new Claim({
      requestId: found.requestId,
      isBilled,
      expected,
      fingerprintOf: (bodyHash) => fingerprintOf(request.apiKey, bodyHash),
      hasFollowers: () => held.waiting > 0,
      whenFollowed: (listener) => {
        held.onFollower = listener;
        if (held.waiting > 0) listener();
      },
      receive: (fingerprint) => this.#table.receive(hash, fingerprint),
      keep: (answer) => this.#keepOnDisk(hash, request, answer),
      end: (answer) => {
        if (answer) this.#memory.set(hash, request.accountId, answer);
        this.#letGo(hash);
        this.#later(this.#table.end(hash, answer?.fingerprint ?? null));
      },
      release: () => {
        // In this order: whoever waits must find the key free.
        this.#later(this.#table.release(hash).finally(() => this.#letGo(hash)));
      },
      abandon: () => this.#letGo(hash),
    });
    return { kind: 'work', claim };
  }

  #letGo(hash: string): void {
    const held = this.#held.get(hash);
    this.#held.delete(hash);
    held?.ended.resolve();
  }

  /** A change that nobody waits for. Should it fail, the ledger decides what the key stands for. */
  #later(change: Promise<void>): void {
    change.catch((err) => this.#options.log.warn({ err }, 'an idempotency key was not updated'));
  }

  async #wait(held: HeldKey, { accountId, signal }: KeyedRequest): Promise<void> {
    const waiting = this.#waitingByAccount.get(accountId) ?? 0;
    if (held.waiting >= WAITING_PER_KEY_MAX || waiting >= WAITING_PER_ACCOUNT_MAX)
      throw new Fault('CONCURRENT_LIMIT_EXCEEDED', {
        message: 'Too many requests wait for the answer to an earlier one with the same Idempotency-Key.',
        retryAfterSeconds: 2,
      });
    held.waiting += 1;
    held.onFollower();
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

  async #keepOnDisk(hash: string, { apiKey, accountId }: KeyedRequest, answer: KeptAnswer): Promise<void> {
    const { diskBytesMax } = this.#options;
    if (diskBytesMax === 0) return;
    const sealed = seal(apiKey, purposeOf(hash, answer.requestId), Buffer.from(JSON.stringify(answer)));
    let total = sealed.length;
    for (const bytes of this.#diskBytes.values()) total += bytes;
    const own = (this.#diskBytes.get(accountId) ?? 0) + sealed.length;
    // What finds no room is kept in memory only, and transcribed again without being billed again.
    if (total > diskBytesMax || own > diskBytesMax * ACCOUNT_SHARE) return;
    this.#diskBytes.set(accountId, own);
    await this.#table.keep(hash, sealed);
  }

  #opened(hash: string, { apiKey }: KeyedRequest, found: Extract<FoundKey, { kind: 'answered' }>): KeptAnswer | null {
    try {
      return JSON.parse(unseal(apiKey, purposeOf(hash, found.requestId), found.answer).toString('utf8')) as KeptAnswer;
    } catch (thrown) {
      if (!(thrown instanceof SealBroken)) throw thrown;
      this.#options.log.warn({ requestId: found.requestId }, 'a kept answer cannot be opened');
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
        // The next one may find the database again.
        () => {},
      )
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }
}

const purposeOf = (hash: string, requestId: string): string => `kept answer ${hash} ${requestId}`;
