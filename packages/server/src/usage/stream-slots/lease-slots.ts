// Stream slots as leases in the database: shared by all nodes, renewed while held, expired when their server dies.
import { randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import { Batcher } from '../../storage/batcher.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { type Lease, LeaseTable, STREAM_LEASE_MS } from './lease-table.ts';
import { openStreams } from './open-streams.ts';
import type { SlotResult, StreamSlots } from './stream-slots.ts';

export interface LeaseSlotsOptions {
  readonly storage: Storage;
  /** The node's name, unchanged by a restart: leases of an earlier process with this name are dropped at start. */
  readonly node: string;
}

/** Ordered ids: when a limit is lowered, the newest streams end. */
const nextLeaseId = monotonicFactory();
const BATCH_ITEMS_MAX = 100;
const QUEUE_ITEMS_MAX = 5_000;

type Request =
  | { readonly kind: 'acquire'; readonly lease: Lease; readonly limit: number }
  | { readonly kind: 'release'; readonly lease: Lease }
  | { readonly kind: 'renew' };

/** For `acquire`: the free slots before the call, so 0 means refused. Unused for other requests. */
type Outcome = number;

export class LeaseSlots implements StreamSlots {
  readonly #storage: Storage;
  readonly #table: LeaseTable;
  readonly #requests: Batcher<Request, Outcome>;
  /** The leases of this process. Renewal makes the table match them. */
  readonly #held = new Map<string, Lease>();
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';

  private constructor({ storage, node }: LeaseSlotsOptions) {
    this.#storage = storage;
    this.#table = new LeaseTable(storage, { holderId: randomUUID(), node });
    this.#requests = new Batcher({
      run: (requests) => this.#perform(requests),
      batchItemsMax: BATCH_ITEMS_MAX,
      queueItemsMax: QUEUE_ITEMS_MAX,
      queueFullError: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  static async open(options: LeaseSlotsOptions): Promise<LeaseSlots> {
    const slots = new LeaseSlots(options);
    await slots.#table.dropPredecessors();
    slots.#renewLater();
    return slots;
  }

  async acquire(accountId: string, limit: number): Promise<SlotResult> {
    if (this.#state === 'closed') throw new Fault('SERVICE_UNAVAILABLE');
    const lease: Lease = { id: nextLeaseId(), accountId };
    const free = await orUnavailable(this.#requests.submit({ kind: 'acquire', lease, limit }));
    if (free <= 0) return { slot: null, limit, remaining: 0 };
    const slot = {
      release: () => this.#release(lease),
      exceeds: async (lowered: number) => (await this.#table.olderThan(lease)) >= lowered,
    };
    return { slot, limit, remaining: free - 1 };
  }

  taken(accountId: string): Promise<number> {
    return orUnavailable(openStreams(this.#storage, accountId));
  }

  /** Releases all slots of this process. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    await this.#requests.idle();
    this.#held.clear();
    // If the database is unreachable, the leases expire on their own.
    await this.#table.dropOwn().catch(() => {});
  }

  async #release(lease: Lease): Promise<void> {
    if (!this.#held.delete(lease.id) || this.#state === 'closed') return;
    // If this fails, the next renewal deletes the lease.
    await this.#requests.submit({ kind: 'release', lease }).catch(() => {});
  }

  async #perform(requests: readonly Request[]): Promise<Outcome[]> {
    const acquires = requests.filter((request) => request.kind === 'acquire');
    const { free, granted } = await this.#table.apply({
      acquires,
      releases: requests.flatMap((request) => (request.kind === 'release' ? [request.lease.id] : [])),
      held: [...this.#held.values()],
      renew: requests.some((request) => request.kind === 'renew'),
    });
    for (const lease of granted) this.#held.set(lease.id, lease);
    return requests.map((request) => (request.kind === 'acquire' ? (free.get(request.lease.id) ?? 0) : 0));
  }

  #renewLater(): void {
    if (this.#state === 'closed') return;
    this.#timer = setTimeout(() => {
      this.#requests
        .submit({ kind: 'renew' })
        .catch(() => {})
        .finally(() => this.#renewLater());
    }, STREAM_LEASE_MS / 3).unref();
  }
}
