// A queue that is fair between accounts, then between the requests of an account (weighted fair queueing).

export interface QueueEntry {
  readonly accountId: string;
  readonly requestId: string;
  /** Expected compute seconds; 0 for a returned entry, which has been charged already. */
  readonly cost: number;
  /** Whether it was taken before and came back because its recogniser is gone. */
  readonly isReturned?: boolean;
  /** A heavier entry precedes a lighter one of equal cost; may change while the entry waits. */
  weight: number;
  /** The account's share of service relative to others. Going first (`weight`) must not mean more service over time. */
  share: number;
  /** Its position in the request, by which the request's entries are ordered. */
  readonly position: number;
  /** Whether the text before it, its prompt context, is known. */
  readonly hasContext: () => boolean;
}

/** A sequence of entries. The start tag is the virtual time at which its next entry would begin. */
interface Flow<Entry> {
  startTag: number;
  readonly isEmpty: boolean;
  /** The next eligible entry. */
  head(mayGo: MayGo<Entry>): Entry | undefined;
}

type MayGo<Entry> = (entry: Entry) => boolean;
const any = (): boolean => true;

/**
 * Flows that share one service in proportion to one field of their next entries. Virtual time advances with the service
 * given, so waiting flows move up.
 */
class FlowSet<Entry extends QueueEntry, F extends Flow<Entry>> {
  readonly flows = new Map<string, F>();
  readonly #by: 'share' | 'weight';
  #virtualTime = 0;

  constructor(by: 'share' | 'weight') {
    this.#by = by;
  }

  /** Returns the flow with this name. A new or idle flow starts at the current virtual time. */
  enter(name: string, make: () => F): F {
    let flow = this.flows.get(name);
    if (!flow) {
      flow = make();
      this.flows.set(name, flow);
    }
    if (flow.isEmpty) flow.startTag = Math.max(flow.startTag, this.#virtualTime);
    return flow;
  }

  /** The flow whose next entry would end first: favours short and heavy work, and starves no flow. */
  best(mayGo: MayGo<Entry>): F | undefined {
    let best: F | undefined;
    let bestTag = Number.POSITIVE_INFINITY;
    for (const flow of this.flows.values()) {
      const head = flow.head(mayGo);
      if (!head) continue;
      const tag = flow.startTag + head.cost / head.weight;
      if (tag < bestTag) {
        best = flow;
        bestTag = tag;
      }
    }
    return best;
  }

  /** Charges the flow for the entry that it is about to serve. */
  charge(flow: F, entry: Entry): void {
    const own = entry[this.#by];
    let active = 0;
    for (const other of this.flows.values()) active += other.head(any)?.[this.#by] ?? 0;
    this.#virtualTime += entry.cost / Math.max(active, own);
    flow.startTag += entry.cost / own;
  }

  /** Drops flows that are empty and owe nothing. */
  prune(): void {
    const isIdle = this.isEmpty;
    for (const [name, flow] of this.flows)
      if (flow.isEmpty && (isIdle || flow.startTag <= this.#virtualTime)) this.flows.delete(name);
  }

  get isEmpty(): boolean {
    for (const flow of this.flows.values()) if (!flow.isEmpty) return false;
    return true;
  }
}

class RequestFlow<Entry extends QueueEntry> implements Flow<Entry> {
  startTag = 0;
  /** Ordered by position, then by arrival. */
  readonly entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries.splice(this.entries.findLastIndex(({ position }) => position <= entry.position) + 1, 0, entry);
  }

  /** Prefers returned entries, then the first with known context, then the middle one, which others can then follow. */
  head(mayGo: MayGo<Entry>): Entry | undefined {
    let eligible = 0;
    for (const entry of this.entries)
      if (mayGo(entry)) {
        if (entry.isReturned) return entry;
        eligible += 1;
      }
    if (eligible === 0) return undefined;
    for (const entry of this.entries) if (mayGo(entry) && entry.hasContext()) return entry;
    let before = Math.floor(eligible / 2);
    return this.entries.find((entry) => mayGo(entry) && before-- === 0);
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }
}

class AccountFlow<Entry extends QueueEntry> implements Flow<Entry> {
  startTag = 0;
  readonly requests = new FlowSet<Entry, RequestFlow<Entry>>('weight');
  head(mayGo: MayGo<Entry>): Entry | undefined {
    return this.requests.best(mayGo)?.head(mayGo);
  }

  get isEmpty(): boolean {
    return this.requests.isEmpty;
  }
}

export class FairQueue<Entry extends QueueEntry> {
  readonly #accounts = new FlowSet<Entry, AccountFlow<Entry>>('share');
  readonly #entries = new Set<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  add(entry: Entry): void {
    const account = this.#accounts.enter(entry.accountId, () => new AccountFlow());
    const request = account.requests.enter(entry.requestId, () => new RequestFlow());
    request.add(entry);
    this.#entries.add(entry);
  }

  /** Removes the entry without service. False when it was not waiting. */
  remove(entry: Entry): boolean {
    if (!this.#entries.delete(entry)) return false;
    const account = this.#accounts.flows.get(entry.accountId);
    const request = account?.requests.flows.get(entry.requestId);
    request?.entries.splice(request.entries.indexOf(entry), 1);
    account?.requests.prune();
    this.#accounts.prune();
    return true;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values();
  }

  /** The next eligible entry. */
  take(mayGo: MayGo<Entry> = any): Entry | undefined {
    const account = this.#accounts.best(mayGo);
    const request = account?.requests.best(mayGo);
    const entry = request?.head(mayGo);
    if (!account || !request || !entry) return undefined;
    this.#accounts.charge(account, entry);
    account.requests.charge(request, entry);
    this.remove(entry);
    return entry;
  }
}
