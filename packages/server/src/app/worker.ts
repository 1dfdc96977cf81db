// The composition root of a worker: recognisers, the link to gateways, health and metrics. No database.
import '../lib/process/no-telemetry.ts';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { watchRefusals, watchWorker } from '../cluster/metrics.ts';
import { NatsBus } from '../cluster/nats-bus.ts';
import { WorkerLink } from '../cluster/worker/worker-link.ts';
import { addHealth } from '../endpoints/operations/health.ts';
import { addMetrics } from '../endpoints/operations/metrics.ts';
import { readyReporter, watchReadiness } from '../endpoints/operations/ready-report.ts';
import { listenHost } from '../lib/net/listen-fault.ts';
import { Lifecycle } from '../lib/process/lifecycle.ts';
import { BUILD } from '../lib/process/version.ts';
import { systemClock } from '../lib/time/clock.ts';
import { createLog, type Log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { Readiness } from '../observability/readiness.ts';
import { LocalRecogniser } from '../speech/local-recogniser.ts';
import type { Recogniser } from '../speech/recogniser.ts';
import { openModelStore } from '../speech/store/open.ts';
import type { StoreEvent } from '../speech/store/store.ts';
import { closeWhenDraining, createHttp } from '../transport/http/server.ts';
import { urlOf } from '../transport/http/url-of.ts';
import type { Config } from './config.ts';

export interface WorkerOverrides {
  readonly log?: Log;
  /** Replaces the real models. */
  readonly recogniser?: Recogniser & { load(signal: AbortSignal): Promise<void> };
  readonly onStore?: (event: StoreEvent) => void;
}

export interface Worker {
  /** Its id in the cluster, new with every start. */
  readonly id: string;
  readonly http: FastifyInstance;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly figures: WorkerLink['figures'];
  /** Whether NATS is connected. */
  readonly isConnected: boolean;
  /** Serves health and metrics; resolves to the address. */
  listen(): Promise<string>;
  /** Loads the models, then lends its slots. */
  warm(): Promise<void>;
  /** Takes no new windows, finishes running ones within the grace period, then closes every part. */
  close(): Promise<void>;
}

export const createWorker = async (config: Config, overrides: WorkerOverrides = {}): Promise<Worker> => {
  const lifecycle = new Lifecycle();
  const log = overrides.log ?? createLog(config);
  const metrics = new Metrics();
  const readiness = new Readiness();
  const recogniser = lifecycle.own(
    'recognisers',
    overrides.recogniser ??
      new LocalRecogniser({
        config,
        tiers: config.models,
        store: openModelStore(config, overrides.onStore),
        onEvent: (event) => log.warn(event, 'speech engine'),
      }),
  );
  const loading = new AbortController();
  lifecycle.onClose('loading', () => loading.abort(new Error('the worker was closed')));

  const name = config.nodeName ?? hostname();
  log.info({ version: BUILD, instance: name }, 'the worker starts');
  const bus = lifecycle.own('NATS', new NatsBus(config, `faircopy worker ${name}`, log));
  const observer = watchWorker(metrics);
  const link = new WorkerLink({
    bus,
    recogniser,
    name,
    observer,
    tiers: config.models,
    version: BUILD,
    clock: systemClock,
    refusals: watchRefusals(metrics, log),
  });
  observer.follow(link);

  const http = createHttp({ config, log, metrics });
  closeWhenDraining(http, readiness);
  const report = readyReporter({
    readiness,
    checks: {
      'NATS is not connected': async () => bus.isConnected,
      'no recogniser can load its models': async () => !recogniser.isBroken,
      'no gateway can use this worker': async () => link.refusal ?? true,
    },
  });
  addHealth(http, report);
  watchReadiness(metrics, report, []);
  addMetrics(http, { metrics, token: config.metricsToken });
  await http.ready();
  lifecycle.onClose('http', () => http.close());
  let isLending = false;
  lifecycle.onClose('windows', async () => {
    const timer = setTimeout(() => link.close(), config.shutdownGraceMs);
    if (isLending) await link.drain();
    clearTimeout(timer);
    link.close();
  });

  return {
    id: link.id,
    http,
    readiness,
    log,
    metrics,
    get figures() {
      return link.figures;
    },
    get isConnected() {
      return bus.isConnected;
    },
    listen: async () => {
      await http.listen({ port: config.port, host: listenHost(config.host) });
      return urlOf(http);
    },
    warm: async () => {
      await bus.start();
      await recogniser.load(loading.signal);
      link.start();
      isLending = true;
      readiness.ready();
    },
    close: () => {
      readiness.drain();
      return lifecycle.close();
    },
  };
};
