// Reports whether the server can serve each tier now, and if not, why: for /readyz and the metrics.
import { Gauge } from 'prom-client';
import { cachedFor } from '../../lib/time/cached-for.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Readiness } from '../../observability/readiness.ts';

export interface ReadySources {
  readonly readiness: Readiness;
  /** Checks by their failure message. A failed check rejects, or resolves to false or to another message. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** The tiers on offer, each with the reason why it cannot be served now; null when it can. */
  readonly tiers?: () => ReadonlyMap<string, string | null>;
}

export interface ReadyReport {
  readonly status: string;
  readonly isReady: boolean;
  readonly message?: string;
  /** As in the sources; empty while the server is not ready for another reason. */
  readonly tiers: ReadonlyMap<string, string | null>;
}

/** A probe should fail soon when the database hangs, instead of hanging with it. */
const PING_TIMEOUT_MS = 2_000;
/** Anyone can send probes without a key, so all probes within this time share one ping of the database. */
const PING_KEPT_MS = 1_000;

const NO_TIERS: ReadonlyMap<string, string | null> = new Map();

export const readyReporter = (sources: ReadySources): (() => Promise<ReadyReport>) => {
  const { readiness, checks, tiers = () => NO_TIERS } = sources;
  const faults = Object.entries(checks).map(([message, ping]) =>
    cachedFor(PING_KEPT_MS, () => faultInTime(message, ping)),
  );
  return async () => {
    if (readiness.state !== 'ready')
      return { status: readiness.state, isReady: false, message: readiness.message, tiers: NO_TIERS };
    for (const fault of faults) {
      const message = await fault();
      if (message !== null) return { status: 'failed', isReady: false, message, tiers: NO_TIERS };
    }
    const offered = tiers();
    const missing = [...offered].filter(([, reason]) => reason !== null);
    if (missing.length === 0) return { status: 'ready', isReady: true, tiers: offered };
    const message = missing.map(([tier, reason]) => `${tier}: ${reason}`).join('; ');
    // A server with one working tier is still useful: taking it out of rotation would make things worse.
    const isReady = missing.length < offered.size;
    return { status: isReady ? 'degraded' : 'failed', isReady, message, tiers: offered };
  };
};

/** Gauges for alerts. A server that is not ready gets no requests, so failed requests would not reveal it. */
export const watchReadiness = (
  { registry }: Metrics,
  report: () => Promise<ReadyReport>,
  offered: readonly string[],
): void => {
  new Gauge({
    name: 'faircopy_ready',
    help: '1 while /readyz answers 200, else 0.',
    registers: [registry],
    async collect() {
      this.set((await report()).isReady ? 1 : 0);
    },
  });
  if (offered.length === 0) return;
  new Gauge({
    name: 'faircopy_tier_ready',
    help: '1 while the tier can be served, else 0.',
    labelNames: ['model'],
    registers: [registry],
    async collect() {
      const { tiers } = await report();
      for (const model of offered) this.set({ model }, tiers.get(model) === null ? 1 : 0);
    },
  });
};

const faultInTime = async (message: string, ping: () => Promise<unknown>): Promise<string | null> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(message), PING_TIMEOUT_MS);
  });
  const fault = ping().then(
    (result) => (typeof result === 'string' ? result : result === false ? message : null),
    () => message,
  );
  try {
    return await Promise.race([fault, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
