// Measures the loss of a region: both regions serve, one loses its power, and its callers go to the other.
import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '../../src/jobs/back-off.ts';
import { CALLER_BACK_OFF } from '../simulate/plan.ts';

export interface LossOptions {
  /** Callers of each region; each has one request at a time, and pauses after it. */
  readonly callers: number;
  readonly pauseMs: number;
  /** How long both regions serve, and how long the other one then serves alone. */
  readonly spanMs: number;
  readonly home: () => Promise<number>;
  readonly other: () => Promise<number>;
  readonly lose: () => Promise<void>;
}

export interface Loss {
  /** Requests that ended without an answer, and attempts that were refused, of all callers. */
  readonly cut: number;
  readonly refused: number;
  /** From the loss to the next answer of each of the lost region's callers. */
  readonly backMs: readonly number[];
  /** Durations of answered requests in the remaining region, before and after the loss. */
  readonly beforeMs: readonly number[];
  readonly afterMs: readonly number[];
}

export const measureLoss = async (options: LossOptions): Promise<Loss> => {
  const { callers, pauseMs, spanMs, home, other, lose } = options;
  const loss = { cut: 0, refused: 0, backMs: [] as number[], beforeMs: [] as number[], afterMs: [] as number[] };
  let lostMs = Number.POSITIVE_INFINITY;
  let isOver = false;
  const caller = async (isOfHome: boolean): Promise<void> => {
    let isBack = false;
    for (let failures = 0; !isOver; ) {
      const startedMs = performance.now();
      const isLost = startedMs > lostMs;
      const status = await (isOfHome && !isLost ? home : other)().catch(() => undefined);
      const nowMs = performance.now();
      if (status === 200) {
        failures = 0;
        if (isOfHome && isLost && !isBack) loss.backMs.push(nowMs - lostMs);
        isBack ||= isLost;
        if (!isOfHome || isLost) (isLost ? loss.afterMs : loss.beforeMs).push(nowMs - startedMs);
        await wait(pauseMs);
        continue;
      }
      if (status === undefined) loss.cut += 1;
      else loss.refused += 1;
      await wait(backOffMs(CALLER_BACK_OFF, ++failures));
    }
  };
  const all = [home, other].flatMap((region) => Array.from({ length: callers }, () => caller(region === home)));
  await wait(spanMs);
  lostMs = performance.now();
  await lose();
  await wait(spanMs);
  isOver = true;
  await Promise.all(all);
  return loss;
};
