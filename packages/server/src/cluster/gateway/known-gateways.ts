// The other gateways of the cluster, from their heartbeats.
import { GATEWAYS_MAX, type GatewayState, waitingWindows } from '../messages.ts';
import { GATEWAY_SILENT_MS, silenceMax } from '../timing.ts';

interface Sums {
  readonly active: number;
  readonly waiting: number;
  readonly demand: number;
}

export class KnownGateways {
  #summed: Sums | undefined;
  readonly #gateways = new Map<string, { state: GatewayState; lastSeenMs: number }>();

  get states(): readonly GatewayState[] {
    return [...this.#gateways.values()].map(({ state }) => state);
  }

  get areWaiting(): boolean {
    return this.#sums.waiting > 0;
  }

  /** Gateways that use workers now or wait for them. */
  get active(): number {
    return this.#sums.active;
  }

  /** Running and waiting windows of all other gateways. */
  get demand(): number {
    return this.#sums.demand;
  }

  /** Read for every window, so cached until a gateway changes. */
  get #sums(): Sums {
    if (this.#summed) return this.#summed;
    const sums = { active: 0, waiting: 0, demand: 0 };
    for (const { state } of this.#gateways.values()) {
      const waiting = waitingWindows(state);
      sums.waiting += waiting;
      sums.demand += state.running + waiting;
      if (state.running + waiting > 0) sums.active += 1;
    }
    this.#summed = sums;
    return sums;
  }

  /** Returns whether the gateway knows more workers than before. */
  update(state: GatewayState, nowMs: number): boolean {
    this.#summed = undefined;
    const known = this.#gateways.get(state.id);
    if (state.isLeaving) this.#gateways.delete(state.id);
    else if (known || this.#gateways.size < GATEWAYS_MAX) this.#gateways.set(state.id, { state, lastSeenMs: nowMs });
    return (state.workers ?? 0) > (known?.state.workers ?? 0);
  }

  markAllSeen(nowMs: number): void {
    for (const gateway of this.#gateways.values()) gateway.lastSeenMs = nowMs;
  }

  dropSilent(nowMs: number): void {
    for (const [id, { lastSeenMs, state }] of this.#gateways)
      if (nowMs - lastSeenMs > silenceMax(state.nextMs, GATEWAY_SILENT_MS)) {
        this.#gateways.delete(id);
        this.#summed = undefined;
      }
  }
}
