// Loads a cluster, injects faults at random moments, and compares the clients' results with the ledger.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { story } from '../../src/speech/testing/tones.ts';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';
import { fileOf, type Outcome, type Send, streamOf } from '../kills/clients.ts';
import { assertLedger, countOutcome, newTally, type RequestTally } from '../kills/request-tally.ts';
import { percentile } from '../overload/figures.ts';
import { Cluster, type Gateway } from './cluster.ts';
import { FAULTS, type FaultKind, injectFault, victimOf } from './faults.ts';

/** Limit for the recovery after the last fault. */
const WHOLE_MS_MAX = 5_000;
const FAULTS_AT_ONCE_MAX = 3;

export interface FaultReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly successes: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly broken: number;
  readonly wholeMs: { readonly median: number; readonly longest: number };
}

export interface FaultRunOptions {
  readonly database: StorageOptions;
  readonly faults: number;
  readonly seed: number;
  /** Possible faults; by default all. */
  readonly kinds?: readonly FaultKind[];
  readonly isFar: boolean;
  /** Injects the kinds one after the other, instead of at random. */
  readonly isEachOnce?: boolean;
  readonly onProgress?: (faults: number) => void;
}

interface Script {
  readonly send: Send;
  readonly words: readonly string[];
}

const script = (make: (words: readonly string[]) => Send, words: readonly string[]): Script => ({
  send: make(words),
  words,
});
/** Recordings of one and of several windows; 36 s are three windows. */
const SCRIPTS: readonly Script[] = [
  script(fileOf, story(6)),
  script(fileOf, story(100, 3)),
  script(streamOf, story(8, 5)),
  script(streamOf, story(60, 11)),
];

export const runFaults = async (options: FaultRunOptions): Promise<FaultReport> => {
  const { database, faults, seed, isFar } = options;
  const random = seededRandom(seed);
  const storage = await openStorage(database);
  const cluster = await Cluster.start({ databaseUrl: database.databaseUrl!, random, isFar });
  const tally = newTally();
  const done: Record<string, number> = {};
  const wholeMs: number[] = [];
  let load: Load | undefined;
  try {
    const { account } = await ensureAccount(storage, 'faults');
    const { key } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
    await cluster.untilWhole(30_000);
    for (let count = 0; count < faults; ) {
      load = new Load(cluster, key, tally);
      const all = options.kinds ?? FAULTS;
      const kinds = options.isEachOnce
        ? [all[count % all.length]!]
        : chosen(all, Math.min(FAULTS_AT_ONCE_MAX, faults - count), random);
      await Promise.all(
        kinds.map(async (kind) => {
          await wait(random() * 1_000);
          await injectFault(kind, cluster, random);
          done[kind] = (done[kind] ?? 0) + 1;
        }),
      );
      wholeMs.push(await cluster.untilWhole(WHOLE_MS_MAX));
      await load.end();
      await cluster.assertCalm();
      await assertLedger(storage, tally);
      count += kinds.length;
      options.onProgress?.(count);
    }
  } finally {
    const ended = load?.end().catch(() => {});
    await cluster.close();
    await ended;
    await storage.close();
  }
  return {
    faults: done,
    successes: tally.successes.length,
    refused: Object.fromEntries(tally.refused),
    broken: tally.broken,
    wholeMs: {
      median: Math.round(percentile(wholeMs, 0.5)),
      longest: Math.round(Math.max(...wholeMs)),
    },
  };
};

/** Up to this many concurrent faults, on different machines. */
const chosen = (kinds: readonly FaultKind[], countMax: number, random: () => number): FaultKind[] => {
  const wanted = 1 + Math.floor(random() * countMax);
  const found: FaultKind[] = [];
  for (let tries = 0; tries < 20 && found.length < wanted; tries++) {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    if (!found.some((other) => mayNotOverlap(other, kind))) found.push(kind);
  }
  return found;
};

const mayNotOverlap = (one: FaultKind, other: FaultKind): boolean =>
  victimOf(one) === victimOf(other) || [one, other].some((kind) => victimOf(kind) === 'all');

/** Clients of every gateway, until stopped. */
class Load {
  readonly #key: string;
  readonly #tally: RequestTally;
  readonly #clients: Promise<void>[];
  #isOver = false;
  #failure: unknown;

  constructor({ gateways }: Cluster, key: string, tally: RequestTally) {
    this.#key = key;
    this.#tally = tally;
    this.#clients = gateways.flatMap((gateway) =>
      SCRIPTS.map((one) =>
        this.#client(gateway, one).catch((cause) => {
          this.#failure ??= cause;
        }),
      ),
    );
  }

  /** Resolves when every client has its answer; rejects with the first problem. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #client(gateway: Gateway, { send, words }: Script): Promise<void> {
    while (!this.#isOver) {
      const address = gateway.greeting;
      const wasUp = gateway.isUp;
      const outcome: Outcome = wasUp ? await send(address, this.#key) : { kind: 'broken' };
      if (wasUp) countOutcome(this.#tally, outcome);
      assert.notEqual(outcome.kind, 'hung', 'every client is answered');
      if (outcome.kind === 'broken') assert.ok(!gateway.isUp || gateway.greeting !== address, 'a connection broke');
      if (outcome.kind === 'refused') assert.match(outcome.code, /^(SERVICE_UNAVAILABLE|503)$/);
      if (outcome.kind === 'success') assert.deepEqual(wordsOf(outcome.answer.result.transcript), words);
      else await wait(50);
    }
  }
}

const wordsOf = (transcript: string): string[] => transcript.toLowerCase().match(/[a-z]+/g) ?? [];
