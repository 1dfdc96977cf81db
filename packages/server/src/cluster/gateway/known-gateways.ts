// The other gateways, as they announce themselves on the bus.
import { type GatewayState, waitingWindows } from '../messages.ts';
import { GATEWAY_SILENT_MS, silenceMax } from '../timing.ts';

/** As many as a worker serves. */
const GATEWAYS_MAX = 64;

export class KnownGateways {
  readonly #gateways = new Map<string, { state: GatewayState; lastSeenMs: number }>();

  get states(): readonly GatewayState[] {
    return [...this.#gateways.values()].map(({ state }) => state);
  }

  get areWaiting(): boolean {
    for (const { state } of this.#gateways.values()) if (waitingWindows(state) > 0) return true;
    return false;
  }

  /** Gateways that use workers now or wait for them. */
  get active(): number {
    let count = 0;
    for (const { state } of this.#gateways.values()) if (state.running > 0 || waitingWindows(state) > 0) count += 1;
    return count;
  }

  /** Windows that they run or that wait there. */
  get demand(): number {
    let windows = 0;
    for (const { state } of this.#gateways.values()) windows += state.running + waitingWindows(state);
    return windows;
  }

  update(state: GatewayState, nowMs: number): void {
    if (state.isLeaving) this.#gateways.delete(state.id);
    else if (this.#gateways.size < GATEWAYS_MAX || this.#gateways.has(state.id))
      this.#gateways.set(state.id, { state, lastSeenMs: nowMs });
  }

  markSeen(nowMs: number): void {
    for (const gateway of this.#gateways.values()) gateway.lastSeenMs = nowMs;
  }

  dropSilent(nowMs: number): void {
    for (const [id, { lastSeenMs, state }] of this.#gateways)
      if (nowMs - lastSeenMs > silenceMax(state.nextMs, GATEWAY_SILENT_MS)) this.#gateways.delete(id);
  }
}
