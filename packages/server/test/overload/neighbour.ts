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

/** Sends clips one after the other. */
export const clipTimes = async (
  server: LoadServer,
  key: string,
  clips: number,
): Promise<{ ms: number[]; refused: number }> => {
  const ms: number[] = [];
  let refused = 0;
  for (let nth = 0; nth < clips; nth++) {
    let outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    // Among many accounts that want something the neighbour may be given a turn; it comes back as our client would.
    for (let retry = 0; outcome.status === 503 && retry < RETRIES; retry++) {
      await wait(Math.max(1, outcome.retryAfterSeconds) * 1000);
      outcome = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    }
    if (outcome.status === 200) ms.push(outcome.ms);
    else refused += 1;
  }
  return { ms, refused };
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

export const refusedFigure = (refused: number): Figure => ({
  what: "the neighbour's clips that were refused",
  value: String(refused),
  target: '0',
  met: refused === 0,
});
