// Combines recognisers: local processes first, then workers; a remote tier uses its own server.

import {
  type Capacity,
  type Recogniser,
  type Recognition,
  type SpeechWindow,
  type TierId,
  type WaitingWindows,
  WindowLost,
} from './recogniser.ts';
import type { RemoteTier } from './remote-tier/remote-tier.ts';

interface RecogniserSetOptions {
  /** The processes of this machine; each slot takes any of their tiers. */
  readonly local?: Recogniser & { readonly tiers: readonly TierId[] };
  readonly workers?: Recogniser;
  readonly remote?: readonly RemoteTier[];
}

interface Member {
  readonly recogniser: Recogniser;
  /** Undefined when its `capacity` reports the tiers. */
  readonly tiers?: readonly TierId[];
  running: number;
}

export class RecogniserSet implements Recogniser, Capacity {
  /** Members for tiers without a remote server, and for those with a fallback while their server fails. */
  readonly #shared: readonly Member[];
  readonly #remote: ReadonlyMap<TierId, Member & { readonly recogniser: RemoteTier }>;
  /** The member that runs a window. */
  readonly #holders = new WeakMap<SpeechWindow, Member>();

  constructor({ local, workers, remote = [] }: RecogniserSetOptions) {
    this.#shared = [
      ...(local ? [{ recogniser: local, tiers: local.tiers, running: 0 }] : []),
      ...(workers ? [{ recogniser: workers, running: 0 }] : []),
    ];
    this.#remote = new Map(remote.map((recogniser) => [recogniser.tier, { recogniser, running: 0 }]));
  }

  get capacity(): Capacity {
    return this;
  }

  get slots(): number {
    return this.#all.reduce((sum, { recogniser }) => sum + (recogniser.isBroken ? 0 : recogniser.slots), 0);
  }

  freeSlots(tier: TierId): number {
    return this.#membersFor(tier).reduce((sum, member) => sum + freeSlotsOf(member, tier), 0);
  }

  serves(tier: TierId): boolean {
    return this.#membersFor(tier).some((member) => servesTier(member, tier));
  }

  couldReplace(running: SpeechWindow, tier: TierId): boolean {
    const holder = this.#holders.get(running);
    if (!holder || !this.#membersFor(tier).includes(holder)) return false;
    return holder.tiers?.includes(tier) ?? holder.recogniser.capacity?.couldReplace(running, tier) ?? true;
  }

  get isContended(): boolean {
    return this.#all.some(({ recogniser }) => recogniser.capacity?.isContended ?? false);
  }

  /** Announces to workers only the windows that would be sent to them. */
  setWaiting(waiting: WaitingWindows, background: WaitingWindows): void {
    const sharedOf = (all: WaitingWindows) =>
      new Map([...all].filter(([tier]) => this.#membersFor(tier) === this.#shared));
    for (const { recogniser } of this.#shared) recogniser.capacity?.setWaiting(sharedOf(waiting), sharedOf(background));
  }

  onChange(listener: () => void): void {
    for (const { recogniser } of this.#all) {
      recogniser.capacity?.onChange(listener);
      recogniser.onBroken?.(listener);
    }
  }

  async recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    const member = this.#choose(window);
    if (!member) throw new WindowLost('No recogniser has a free slot.', { wasBegun: false });
    member.running += 1;
    this.#holders.set(window, member);
    try {
      return await member.recogniser.recognise(window, signal);
    } finally {
      member.running -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ recogniser }) => recogniser.close()));
  }

  get #all(): readonly Member[] {
    return [...this.#shared, ...this.#remote.values()];
  }

  #membersFor(tier: TierId): readonly Member[] {
    const remote = this.#remote.get(tier);
    if (!remote) return this.#shared;
    const isReplaced = remote.recogniser.settings.fallback && !remote.recogniser.serves(tier);
    return isReplaced ? this.#shared : [remote];
  }

  #choose(window: SpeechWindow): Member | undefined {
    const free = (members: readonly Member[]) => members.find((member) => freeSlotsOf(member, window.tier) > 0);
    const remote = this.#remote.get(window.tier)?.recogniser;
    const isForeign = remote?.settings.fallback === true && !remote.takes(window);
    return (isForeign ? free(this.#shared) : undefined) ?? free(this.#membersFor(window.tier));
  }
}

const servesTier = ({ recogniser, tiers }: Member, tier: TierId): boolean =>
  !recogniser.isBroken && (tiers?.includes(tier) ?? recogniser.capacity?.serves(tier) ?? true);

const freeSlotsOf = (member: Member, tier: TierId): number => {
  const { recogniser, running } = member;
  if (!servesTier(member, tier)) return 0;
  return recogniser.capacity?.freeSlots(tier) ?? Math.max(0, recogniser.slots - running);
};
