// Measures the neighbour of a hostile account: how long its short clips take, and whether they are refused.
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, percentile } from './figures.ts';
import type { LoadServer } from './load-server.ts';
import { sendFile, uploadOf } from './requests.ts';

/** Compute times of the simulated recognisers in these scenarios. */
export const COMPUTE = { slots: 4, windowMs: 300, audioSecondMs: 60 };
export const CLIPS = 25;
export const CLIP_SECONDS = 3;
const RETRIES = 2;

export interface ClipTimes {
  /** Response times of the clips that succeeded. */
  readonly ms: readonly number[];
  /** Statuses of all other clips; 0 if the connection broke. */
  readonly refusals: readonly number[];
}

/** Sends clips one after another. */
export const clipTimes = async (server: LoadServer, key: string, clips: number): Promise<ClipTimes> => {
  const ms: number[] = [];
  const refusals: number[] = [];
  for (let nth = 0; nth < clips; nth++) {
    let outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    // While many accounts compete, the neighbour may have to retry; it does so like the client library.
    for (let retry = 0; outcome.status === 503 && retry < RETRIES; retry++) {
      await wait(Math.max(1, outcome.retryAfterSeconds) * 1000);
      outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    }
    if (outcome.status === 200) ms.push(outcome.ms);
    else refusals.push(outcome.status);
  }
  return { ms, refusals };
};

export const ratioFigure = (quiet: readonly number[], busy: readonly number[]): Figure => {
  const ratio = percentile(busy, 0.5) / percentile(quiet, 0.5);
  return {
    what: `a neighbour's ${CLIP_SECONDS} s clip meanwhile, median`,
    value: `${ratio.toFixed(2)} × ${percentile(quiet, 0.5).toFixed(0)} ms (p95 ${percentile(busy, 0.95).toFixed(0)} ms)`,
    target: 'at most 1.3 ×',
    met: ratio <= 1.3,
  };
};

const P95_RATIO_MAX = 3;

/** Compares the p95 of the neighbour's clips with and without the load. */
export const p95Figure = (beside: string, quiet: readonly number[], busy: readonly number[]): Figure => {
  const [quietMs, busyMs] = [percentile(quiet, 0.95), percentile(busy, 0.95)];
  return {
    what: `a neighbour's clip beside ${beside}, p95`,
    value: `${(busyMs / quietMs).toFixed(2)} × ${quietMs.toFixed(0)} ms`,
    target: `at most ${P95_RATIO_MAX} ×`,
    met: busyMs <= P95_RATIO_MAX * quietMs,
  };
};

export const refusedFigure = (refusals: readonly number[]): Figure => ({
  what: "the neighbour's clips that were refused",
  value: String(refusals.length),
  target: '0',
  met: refusals.length === 0,
});
