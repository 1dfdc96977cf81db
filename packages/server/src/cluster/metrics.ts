// Metrics of gateways and workers about each other.
import { Counter, Gauge, Histogram } from 'prom-client';
import { type Metrics, SECONDS_BUCKETS } from '../observability/metrics.ts';
import type { GatewayObserver } from './gateway/gateway-observer.ts';
import type { RemotePool } from './gateway/remote-pool.ts';
import type { RefusalSinks } from './refusals.ts';
import type { WorkerLink, WorkerObserver } from './worker/worker-link.ts';

export const refusalCounter = (metrics: Metrics): RefusalSinks['count'] => {
  const refused = new Counter({
    name: 'faircopy_cluster_messages_refused_total',
    help: 'Refused cluster messages, by reason.',
    labelNames: ['reason'],
    registers: [metrics.registry],
  });
  return (reason) => refused.inc({ reason });
};

/** Workers with their own label; others are counted together. */
const NAMED_WORKERS_MAX = 500;

export const watchGateway = (metrics: Metrics): GatewayObserver & { follow(pool: RemotePool): void } => {
  const registers = [metrics.registry];
  const windows = new Counter({
    name: 'faircopy_cluster_windows_total',
    help: 'Windows answered by workers, by worker name.',
    labelNames: ['worker'],
    registers,
  });
  const lost = new Counter({
    name: 'faircopy_cluster_redeliveries_total',
    help: 'Windows lost by workers and put back into the queue, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const leases = new Counter({
    name: 'faircopy_cluster_leases_lost_total',
    help: 'Windows whose worker became silent or no longer had them.',
    registers,
  });
  const seconds = new Histogram({
    name: 'faircopy_cluster_window_seconds',
    help: 'Time from sending a window to a worker to its answer.',
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const names = new Set<string>();
  return {
    windowDone: (worker, tookMs) => {
      if (names.size < NAMED_WORKERS_MAX) names.add(worker);
      windows.inc({ worker: names.has(worker) ? worker : 'others' });
      seconds.observe(tookMs / 1000);
    },
    windowLost: (reason) => {
      lost.inc({ reason });
      if (reason === 'silent' || reason === 'not_listed' || reason === 'not_received') leases.inc();
    },
    follow: (pool) => {
      const watch = (name: string, help: string, read: () => number) =>
        metrics.watch(`faircopy_cluster_${name}`, help, read);
      watch('workers', 'Known workers.', () => pool.workers.length);
      watch('gateways', 'Known other gateways.', () => pool.otherGateways.length);
      watch('credits', 'Free slots that workers lend to this gateway.', () => pool.credits);
      watch('windows_running', 'Windows running on workers.', () => pool.running);
    },
  };
};

export const watchWorker = (metrics: Metrics): WorkerObserver & { follow(link: WorkerLink): void } => {
  const registers = [metrics.registry];
  const windows = new Counter({
    name: 'faircopy_worker_windows_total',
    help: 'Windows accepted by this worker, by outcome.',
    labelNames: ['model', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'faircopy_worker_window_seconds',
    help: 'Recognition time of a window on this worker.',
    labelNames: ['model'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  return {
    windowEnded: (model, outcome, tookMs) => {
      windows.inc({ model, outcome });
      seconds.observe({ model }, tookMs / 1000);
    },
    follow: (link) => {
      const watch = (name: string, help: string, read: () => number) =>
        metrics.watch(`faircopy_worker_${name}`, help, read);
      watch('slots', 'Windows that this worker can recognise at the same time.', () => link.figures.slots);
      watch('slots_busy', 'Windows being recognised.', () => link.figures.busy);
      watch('credits', 'Free slots that are lent to gateways.', () => link.figures.lent);
      watch('gateways', 'Known gateways.', () => link.figures.gateways);
      new Gauge({
        name: 'faircopy_worker_info',
        help: 'Always 1; the version is its label.',
        labelNames: ['version'],
        registers,
      }).set({ version: link.version }, 1);
    },
  };
};
