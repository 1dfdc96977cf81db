// Several recognisers as one: the processes of this machine first, then the workers.
import type { Capacity, RecogniseJob, Recogniser, Recognition, TierId, WaitingWindows } from './recogniser.ts';
import { WindowLost } from './recogniser.ts';

export interface RecogniserSetOptions {
  /** The processes of this machine, which have the same slots for each of their tiers. */
  readonly local?: Recogniser & { readonly tiers: readonly TierId[] };
  /** The worker machines. */
  readonly workers?: Recogniser;
}

interface Member {
  readonly recogniser: Recogniser;
  /** None when its capacity knows. */
  readonly tiers?: readonly TierId[];
  running: number;
}

export class RecogniserSet implements Recogniser, Capacity {
  readonly #members: readonly Member[];

  constructor({ local, workers }: RecogniserSetOptions) {
    this.#members = [
      ...(local ? [{ recogniser: local, tiers: local.tiers, running: 0 }] : []),
      ...(workers ? [{ recogniser: workers, running: 0 }] : []),
    ];
  }

  get capacity(): Capacity {
    return this;
  }

  get slots(): number {
    return this.#members.reduce((sum, { recogniser }) => sum + recogniser.slots, 0);
  }

  freeSlots(tier: TierId): number {
    return this.#members.reduce((sum, member) => sum + freeSlotsOf(member, tier), 0);
  }

  serves(tier: TierId): boolean {
    return this.#members.some((member) => servesTier(member, tier));
  }

  get isContended(): boolean {
    return this.#members.some(({ recogniser }) => recogniser.capacity?.isContended ?? false);
  }

  setWaiting(waiting: WaitingWindows): void {
    for (const { recogniser } of this.#members) recogniser.capacity?.setWaiting(waiting);
  }

  onChange(listener: () => void): void {
    for (const { recogniser } of this.#members) recogniser.capacity?.onChange(listener);
  }

  async recognise(job: RecogniseJob, signal: AbortSignal): Promise<Recognition> {
    const member = this.#members.find((one) => freeSlotsOf(one, job.tier) > 0);
    if (!member) throw new WindowLost('No recogniser has a free slot.', { wasBegun: false });
    member.running += 1;
    try {
      return await member.recogniser.recognise(job, signal);
    } finally {
      member.running -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ recogniser }) => recogniser.close()));
  }
}

const servesTier = ({ recogniser, tiers }: Member, tier: TierId): boolean =>
  tiers?.includes(tier) ?? recogniser.capacity?.serves(tier) ?? true;

const freeSlotsOf = (member: Member, tier: TierId): number => {
  const { recogniser, running } = member;
  if (!servesTier(member, tier)) return 0;
  return recogniser.capacity?.freeSlots(tier) ?? Math.max(0, recogniser.slots - running);
};
