// The neighbour of a hostile account: how long its short clips take, and whether they are refused.
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, percentile } from './figures.ts';
import type { LoadServer } from './load-server.ts';
import { sendFile, uploadOf } from './requests.ts';

/** What the scripted recognisers take, in these scenarios. */
export const COMPUTE = { slots: 4, windowMs: 300, audioSecondMs: 60 };
export const CLIPS = 25;
export const CLIP_SECONDS = 3;
const RETRIES = 2;

export interface ClipTimes {
  /** Of the clips that were answered. */
  readonly ms: readonly number[];
  /** The statuses of all others; 0 when the connection broke. */
  readonly refusals: readonly number[];
  readonly refused: number;
}

/** Sends clips one after the other. */
export const clipTimes = async (server: LoadServer, key: string, clips: number): Promise<ClipTimes> => {
  const ms: number[] = [];
  const refusals: number[] = [];
  for (let nth = 0; nth < clips; nth++) {
    let outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    // Among many accounts that want something the neighbour may be given a turn; it comes back as our client would.
    for (let retry = 0; outcome.status === 503 && retry < RETRIES; retry++) {
      await wait(Math.max(1, outcome.retryAfterSeconds) * 1000);
      outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    }
    if (outcome.status === 200) ms.push(outcome.ms);
    else refusals.push(outcome.status);
  }
  return { ms, refusals, refused: refusals.length };
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

/** How much longer the neighbour's clips take beside something. */
export const p95Figure = (beside: string, quiet: readonly number[], busy: readonly number[]): Figure => {
  const [quietMs, busyMs] = [percentile(quiet, 0.95), percentile(busy, 0.95)];
  return {
    what: `a neighbour's clip beside ${beside}, p95`,
    value: `${(busyMs / quietMs).toFixed(2)} × ${quietMs.toFixed(0)} ms`,
    target: `at most ${P95_RATIO_MAX} ×`,
    met: busyMs <= P95_RATIO_MAX * quietMs,
  };
};

export const refusedFigure = (refused: number): Figure => ({
  what: "the neighbour's clips that were refused",
  value: String(refused),
  target: '0',
  met: refused === 0,
});
