// The gateways that a worker serves: when each was heard, and when it needs to hear from the worker again.
import type { GatewayState } from '../messages.ts';
import { gatewaySubject } from '../subjects.ts';
import { GATEWAY_SILENT_MS, HEARTBEAT_MS, heartbeatFor, LEASE_MS, silenceMax } from '../timing.ts';

/** More than any cluster has; on an open bus, anybody can announce gateways. */
const GATEWAYS_MAX = 64;

/** Asked twice a second, mostly in vain. */
const NONE: readonly string[] = [];

interface ServedGateway {
  readonly id: string;
  /** What is sent to it goes there. */
  readonly subject: string;
  lastSeenMs: number;
  /** As it announced; absent from older versions, which expect every heartbeat. */
  nextMs: number | undefined;
  /** How late our heartbeats may be; absent from older versions. */
  lateMs: number | undefined;
  /** Workers that it knows; 0 when it does not say. */
  workers: number;
  /** When it needs our next heartbeat. */
  dueMs: number;
}

export class ServedGateways {
  readonly #gateways = new Map<string, ServedGateway>();
  /** Workers that the gateways know. */
  workers = 0;
  /** Until then, no gateway counts as silent, and before that, none needs a heartbeat. */
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

  heard({ id, nextMs, lateMs, workers = 0 }: GatewayState, nowMs: number): void {
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

  /** It sent something other than its state. */
  seen(gateway: string, nowMs: number): void {
    const known = this.#gateways.get(gateway);
    if (known) known.lastSeenMs = nowMs;
  }

  allSeen(nowMs: number): void {
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

  /** Those that never heard from us. */
  unknowing(): readonly string[] {
    const unknowing: string[] = [];
    for (const { id, dueMs } of this.#gateways.values()) if (dueMs === Number.NEGATIVE_INFINITY) unknowing.push(id);
    return unknowing;
  }

  /** Those that need a heartbeat now. Any state that is sent is one. */
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
   * Our state goes to the gateway now; returns when it hears from us again at the latest. A gateway whose windows we hold
   * hears us often, one that could spend a credit half as often, the others now and then.
   */
  told(
    gateway: string,
    { credits, leases }: { readonly credits: readonly string[]; readonly leases: readonly string[] },
    nowMs: number,
  ): number {
    const known = this.#gateways.get(gateway);
    const isOlder = known?.nextMs === undefined;
    const idleMs = Math.max(heartbeatFor('gateways', this.#gateways.size), heartbeatFor('workers', this.workers));
    const { lateMs } = known ?? {};
    const leaseMs = lateMs === undefined ? HEARTBEAT_MS : Math.max(HEARTBEAT_MS, LEASE_MS - lateMs);
    const creditMs = Math.min(2 * HEARTBEAT_MS, idleMs);
    const everyMs = isOlder ? HEARTBEAT_MS : leases.length > 0 ? leaseMs : credits.length > 0 ? creditMs : idleMs;
    // Timers are not exact: the heartbeat before that is not early.
    if (known) {
      known.dueMs = nowMs + everyMs - HEARTBEAT_MS / 2;
      this.#dueMs = Math.min(this.#dueMs, known.dueMs);
    }
    return everyMs;
  }
}
