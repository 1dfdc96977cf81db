// The gateways that a worker serves: when each was last heard, and when its next heartbeat is due.
import { GATEWAYS_MAX, type GatewayState } from '../messages.ts';
import { gatewaySubject } from '../subjects.ts';
import { GATEWAY_SILENT_MS, HEARTBEAT_MS, heartbeatFor, silenceMax, WORKER_SILENT_MS } from '../timing.ts';

/** Shared, because the methods below run twice a second and usually find nothing. */
const NONE: readonly string[] = [];

interface ServedGateway {
  readonly id: string;
  /** For messages to the gateway. */
  readonly subject: string;
  lastSeenMs: number;
  /** Announced time until its next heartbeat; absent in older versions, which expect every heartbeat. */
  nextMs: number | undefined;
  /** How late the worker's heartbeats may be; absent in older versions. */
  lateMs: number | undefined;
  /** Number of workers that it knows; 0 if it does not report it. */
  workers: number;
  /** When the worker's next heartbeat to it is due. */
  dueMs: number;
}

export class ServedGateways {
  readonly #gateways = new Map<string, ServedGateway>();
  /** The largest number of workers that a gateway reports. */
  workers = 0;
  /** Before these times, no gateway counts as silent, and none needs a heartbeat. */
  #silentMs = Number.POSITIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#gateways.size;
  }

  get isFull(): boolean {
    return this.#gateways.size >= GATEWAYS_MAX;
  }

  has(gateway: string): boolean {
    return this.#gateways.has(gateway);
  }

  noteHeartbeat({ id, nextMs, lateMs, workers = 0 }: GatewayState, nowMs: number): void {
    const known = this.#gateways.get(id);
    if (known) {
      known.lastSeenMs = nowMs;
      known.nextMs = nextMs;
      known.lateMs = lateMs;
      known.workers = workers;
    } else {
      const dueMs = Number.NEGATIVE_INFINITY;
      const subject = gatewaySubject(id);
      this.#gateways.set(id, { id, subject, lastSeenMs: nowMs, nextMs, lateMs, workers, dueMs });
      this.#dueMs = dueMs;
    }
    this.#silentMs = Math.min(this.#silentMs, nowMs + silenceMax(nextMs, GATEWAY_SILENT_MS));
    this.workers = 0;
    for (const gateway of this.#gateways.values()) this.workers = Math.max(this.workers, gateway.workers);
  }

  subjectOf(gateway: string): string {
    return this.#gateways.get(gateway)?.subject ?? gatewaySubject(gateway);
  }

  /** Notes a message other than a heartbeat. */
  markSeen(gateway: string, nowMs: number): void {
    const known = this.#gateways.get(gateway);
    if (known) known.lastSeenMs = nowMs;
  }

  markAllSeen(nowMs: number): void {
    for (const gateway of this.#gateways.values()) gateway.lastSeenMs = nowMs;
  }

  forget(gateway: string): void {
    this.#gateways.delete(gateway);
  }

  silent(nowMs: number): readonly string[] {
    if (nowMs <= this.#silentMs) return NONE;
    this.#silentMs = Number.POSITIVE_INFINITY;
    const silent: string[] = [];
    for (const { id, lastSeenMs, nextMs } of this.#gateways.values()) {
      const silentMs = lastSeenMs + silenceMax(nextMs, GATEWAY_SILENT_MS);
      if (nowMs > silentMs) silent.push(id);
      if (silentMs < this.#silentMs) this.#silentMs = silentMs;
    }
    return silent;
  }

  /** Gateways that have not got the worker's state yet. */
  withoutState(): readonly string[] {
    const found: string[] = [];
    for (const { id, dueMs } of this.#gateways.values()) if (dueMs === Number.NEGATIVE_INFINITY) found.push(id);
    return found;
  }

  /** Gateways that need a heartbeat now. Any state sent to them counts as one. */
  due(nowMs: number): readonly string[] {
    if (nowMs < this.#dueMs) return NONE;
    this.#dueMs = Number.POSITIVE_INFINITY;
    const due: string[] = [];
    for (const { id, dueMs } of this.#gateways.values()) {
      if (nowMs >= dueMs) due.push(id);
      if (dueMs < this.#dueMs) this.#dueMs = dueMs;
    }
    return due;
  }

  /**
   * Notes that the gateway gets the worker's state now; returns the longest time until it gets the next one. With
   * windows on this worker, that is soon enough for WORKER_SILENT_MS; with credits, at most a second; otherwise, it grows with
   * the cluster.
   */
  noteSent(
    gateway: string,
    { credits, leases }: { readonly credits: readonly string[]; readonly leases: readonly string[] },
    nowMs: number,
  ): number {
    const known = this.#gateways.get(gateway);
    const isOlder = known?.nextMs === undefined;
    const idleMs = Math.max(heartbeatFor('gateways', this.#gateways.size), heartbeatFor('workers', this.workers));
    const { lateMs } = known ?? {};
    const leaseMs = lateMs === undefined ? HEARTBEAT_MS : Math.max(HEARTBEAT_MS, WORKER_SILENT_MS - lateMs);
    const creditMs = Math.min(2 * HEARTBEAT_MS, idleMs);
    const everyMs = isOlder ? HEARTBEAT_MS : leases.length > 0 ? leaseMs : credits.length > 0 ? creditMs : idleMs;
    // Half an interval of tolerance, because timers are inexact.
    if (known) {
      known.dueMs = nowMs + everyMs - HEARTBEAT_MS / 2;
      this.#dueMs = Math.min(this.#dueMs, known.dueMs);
    }
    return everyMs;
  }
}
