// Opens the clock, log, metrics, readiness and traces, which every other part uses.
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { type Clock, systemClock } from '../lib/time/clock.ts';
import { createLog, type Log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { openTracer } from '../observability/open-tracer.ts';
import { Readiness } from '../observability/readiness.ts';
import type { Tracer } from '../observability/tracer.ts';
import type { Setup } from './setup.ts';

export interface Base extends Setup {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly tracer: Tracer;
}

export const openObservability = async (setup: Setup): Promise<Base> => {
  const { config, overrides, lifecycle } = setup;
  const log = overrides.log ?? createLog(config);
  const readiness = new Readiness();
  const instance = config.nodeName ?? hostname();
  // Every open stream adds a listener.
  setMaxListeners(0, readiness.draining);
  return {
    ...setup,
    clock: overrides.clock ?? systemClock,
    log,
    metrics: new Metrics(),
    readiness,
    tracer: lifecycle.own('tracing', await openTracer(config, instance, (text) => log.warn(text))),
  };
};
