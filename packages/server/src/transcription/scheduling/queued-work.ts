// Totals of the windows in the queues, overall and as firm work of each account.
import type { ModelId } from '@faircopy/contract';
import type { Backlog } from './admission-control.ts';
import type { QueuedTask } from './queued-task.ts';
import { isFirm } from './task.ts';

type Backlogs = Map<string, { -readonly [Field in keyof Backlog]: Backlog[Field] }>;

export const addWork = (backlogs: Backlogs, accountId: string, cost: number, audioSeconds: number): void => {
  // Streams add nothing here: their work is counted as live load.
  if (cost === 0 && audioSeconds === 0) return;
  const backlog = backlogs.get(accountId) ?? { cost: 0, audioSeconds: 0 };
  backlogs.set(accountId, backlog);
  backlog.cost += cost;
  backlog.audioSeconds += audioSeconds;
};

export class QueuedWork {
  /** Firm work by account. */
  readonly #byAccount = new Map<string, { windows: number; cost: number; audioSeconds: number }>();
  #windows = 0;
  #audioSeconds = 0;
  readonly #audioSecondsByTier = new Map<ModelId, number>();
  readonly #backgroundByTier = new Map<ModelId, number>();
  #firmCost = 0;

  get windows(): number {
    return this.#windows;
  }

  get audioSeconds(): number {
    return this.#audioSeconds;
  }

  get audioSecondsByTier(): ReadonlyMap<ModelId, number> {
    return this.#audioSecondsByTier;
  }

  /** Numbers of background windows. */
  get backgroundByTier(): ReadonlyMap<ModelId, number> {
    return this.#backgroundByTier;
  }

  /** Background windows of a tier. */
  backgroundWindows(tier: ModelId): number {
    return this.#backgroundByTier.get(tier) ?? 0;
  }

  /** Compute seconds of firm work. */
  get firmCost(): number {
    return this.#firmCost;
  }

  add(task: QueuedTask): void {
    this.#count(task, 1);
  }

  remove(task: QueuedTask): void {
    this.#count(task, -1);
    // Rounding errors must not accumulate over days.
    if (this.#byAccount.size === 0) this.#firmCost = 0;
    if (this.#windows > 0) return;
    this.#audioSeconds = 0;
    this.#audioSecondsByTier.clear();
  }

  /** A copy of the firm work by account, to which callers may add. */
  backlogs(): Backlogs {
    const backlogs: Backlogs = new Map();
    for (const [accountId, { cost, audioSeconds }] of this.#byAccount) backlogs.set(accountId, { cost, audioSeconds });
    return backlogs;
  }

  #count(task: QueuedTask, sign: 1 | -1): void {
    const { accountId, cost, audioSeconds, urgency, tier } = task;
    this.#windows += sign;
    this.#audioSeconds += sign * audioSeconds;
    this.#audioSecondsByTier.set(tier, (this.#audioSecondsByTier.get(tier) ?? 0) + sign * audioSeconds);
    if (urgency === 'background') this.#backgroundByTier.set(tier, this.backgroundWindows(tier) + sign);
    if (!isFirm(urgency)) return;
    this.#firmCost += sign * cost;
    const queued = this.#byAccount.get(accountId) ?? { windows: 0, cost: 0, audioSeconds: 0 };
    queued.windows += sign;
    queued.cost += sign * cost;
    queued.audioSeconds += sign * audioSeconds;
    if (queued.windows === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, queued);
  }
}
