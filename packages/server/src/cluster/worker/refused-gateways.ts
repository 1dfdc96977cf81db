// Gateways of incompatible versions. They get the worker's state now and then, so that they can report the refusal.
import { GATEWAYS_MAX, type GatewayState, incompatibleVersion } from '../messages.ts';
import { GATEWAY_SILENT_MS } from '../timing.ts';

const ANSWER_EVERY_MS = 5_000;

interface RefusedGateway {
  readonly state: GatewayState;
  readonly lastSeenMs: number;
  readonly answeredMs: number;
}

export class RefusedGateways {
  readonly #gateways = new Map<string, RefusedGateway>();

  /** Notes a heartbeat; returns whether the gateway should get the worker's state now. */
  note(state: GatewayState, nowMs: number): boolean {
    for (const [id, { lastSeenMs }] of this.#gateways)
      if (nowMs - lastSeenMs > GATEWAY_SILENT_MS) this.#gateways.delete(id);
    const known = this.#gateways.get(state.id);
    if (!known && this.#gateways.size >= GATEWAYS_MAX) return false;
    const isDue = !known || nowMs - known.answeredMs >= ANSWER_EVERY_MS;
    this.#gateways.set(state.id, { state, lastSeenMs: nowMs, answeredMs: isDue ? nowMs : known.answeredMs });
    return isDue;
  }

  /** Why the present gateways cannot use this worker; null when none was refused. */
  reason(ours: string, nowMs: number): string | null {
    const found = [...this.#gateways.values()].find(({ lastSeenMs }) => nowMs - lastSeenMs <= GATEWAY_SILENT_MS);
    return found ? incompatibleVersion('gateway', found.state, ours).message : null;
  }
}
