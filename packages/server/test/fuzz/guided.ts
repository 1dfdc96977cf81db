// The coverage-guided fuzzing loop: mutates inputs, keeps those that reach new code, and reports crashes.
import { createHash } from 'node:crypto';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { Coverage, ReachedCode, type ReachedFunction } from './coverage.ts';
import { minimise } from './minimise.ts';
import { mutate } from './mutate.ts';
import type { FuzzTarget } from './target.ts';

/** Reading the counters takes milliseconds, so a batch shares one reading. Batches are small while much is found. */
const BATCH_INPUTS = { min: 4, max: 512 } as const;
const POOL_MAX = 5_000;

export interface Crash {
  readonly what: string;
  readonly bytes: Uint8Array;
}

export interface GuidedOptions {
  readonly target: FuzzTarget;
  readonly seed: number;
  readonly untilMs: number;
  readonly inputsMax: number;
  readonly onInput: (bytes: Uint8Array) => void;
  /** Called with each input that reached new code. */
  readonly onFound: (bytes: Uint8Array) => void;
  readonly onCrash: (crash: Crash) => void;
}

export interface GuidedReport {
  readonly inputs: number;
  /** Characters of code reached. */
  readonly reached: number;
  readonly found: number;
  readonly slowestMs: number;
}

const placeOf = (thrown: unknown): string => {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const frame = stack.split('\n').find((line) => /^\s+at .*\/(src|test)\//.test(line));
  return `${stack.split('\n')[0]!.replace(/\d+/g, 'N').slice(0, 120)} ${frame?.trim() ?? ''}`;
};

export const fuzzGuided = async (options: GuidedOptions): Promise<GuidedReport> => {
  const { target, seed } = options;
  const random = seededRandom(seed);
  const coverage = new Coverage(target.within);
  const pool: Uint8Array[] = [];
  const reached = new ReachedCode();
  const crashPlaces = new Set<string>();
  let inputs = 0;
  let found = 0;
  let slowestMs = 0;

  const fails = async (bytes: Uint8Array): Promise<unknown> => {
    options.onInput(bytes);
    try {
      // Targets split an input at places that depend only on the input, so that failures are reproducible.
      await target.run(bytes, seededRandom(bytes.length));
      return undefined;
    } catch (thrown) {
      return thrown ?? new Error('nothing was thrown');
    }
  };
  const runOne = async (bytes: Uint8Array): Promise<void> => {
    const startMs = performance.now();
    const thrown = await fails(bytes);
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
    if (thrown === undefined) return;
    const place = placeOf(thrown);
    if (crashPlaces.has(place)) return;
    crashPlaces.add(place);
    const smallest = await minimise(bytes, async (smaller) => {
      const again = await fails(smaller);
      return again !== undefined && placeOf(again) === place;
    });
    options.onCrash({
      what: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      bytes: smallest,
    });
  };
  /** Finds the inputs that reached new code by bisecting the batch; such inputs are rare, so this is cheap. */
  const keepNew = async (batch: readonly Uint8Array[], ran: readonly ReachedFunction[]): Promise<void> => {
    if (reached.hasAll(ran)) return;
    if (batch.length === 1) {
      reached.add(ran);
      found += 1;
      pool.push(batch[0]!);
      if (pool.length > POOL_MAX) pool.splice(Math.floor(random() * POOL_MAX), 1);
      options.onFound(batch[0]!);
      return;
    }
    for (const half of [batch.slice(0, batch.length >> 1), batch.slice(batch.length >> 1)]) {
      coverage.take();
      for (const bytes of half) await fails(bytes);
      await keepNew(half, coverage.take());
    }
  };
  const pick = (): Uint8Array => pool[Math.floor(random() ** 0.7 * pool.length)] ?? new Uint8Array(1);

  for (const seed of target.seeds) {
    if (inputs > 0 && Date.now() >= options.untilMs) break;
    const bytes = new Uint8Array(seed);
    await runOne(bytes);
    inputs += 1;
    reached.add(coverage.take());
    pool.push(bytes);
  }
  let batchInputs: number = BATCH_INPUTS.min;
  while (inputs < options.inputsMax && Date.now() < options.untilMs) {
    const foundBefore = found;
    const batch = Array.from({ length: batchInputs }, () =>
      mutate(pick(), random, pick(), target.dictionary).subarray(0, target.bytesMax),
    );
    for (const bytes of batch) await runOne(bytes);
    inputs += batch.length;
    await keepNew(batch, coverage.take());
    batchInputs =
      found > foundBefore ? Math.max(BATCH_INPUTS.min, batchInputs >> 2) : Math.min(BATCH_INPUTS.max, batchInputs * 2);
  }
  coverage.close();
  return { inputs, reached: reached.size, found, slowestMs };
};

export const nameOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
