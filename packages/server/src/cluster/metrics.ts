// Prometheus metrics of the cluster: a gateway's view of its workers, and a worker's view of itself.
import { Counter, Histogram } from 'prom-client';
import type { Log } from '../observability/log.ts';
import { type Metrics, RECOGNISER_SLOTS, RECOGNISER_SLOTS_BUSY, SECONDS_BUCKETS } from '../observability/metrics.ts';
import type { GatewayObserver } from './gateway/gateway-observer.ts';
import type { RemotePool } from './gateway/remote-pool.ts';
import type { WorkerLog } from './gateway/worker-log.ts';
import { REFUSED_REASONS } from './messages.ts';
import { Refusals } from './refusals.ts';
import type { WorkerObserver } from './worker/running-windows.ts';
import type { WorkerLink } from './worker/worker-link.ts';

export const watchRefusals = (metrics: Metrics, log: Log): Refusals => {
  const refused = new Counter({
    name: 'faircopy_cluster_messages_refused_total',
    help: 'Refused cluster messages, by reason.',
    labelNames: ['reason'],
    registers: [metrics.registry],
  });
  for (const reason of REFUSED_REASONS) refused.inc({ reason }, 0);
  return new Refusals({
    count: (reason) => refused.inc({ reason }),
    log: (facts, line) => log.warn(facts, line),
  });
};

/** Number of workers with their own label; further ones share the label `others`. */
const NAMED_WORKERS_MAX = 500;

export const watchGateway = (
  metrics: Metrics,
  workerLog: WorkerLog,
): GatewayObserver & { follow(pool: RemotePool): void } => {
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
  const changes = new Counter({
    name: 'faircopy_cluster_worker_changes_total',
    help: 'Workers that joined, began to leave, or were lost.',
    labelNames: ['change'],
    registers,
  });
  for (const change of ['joined', 'leaving', 'lost']) changes.inc({ change }, 0);
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
    workerChanged: (worker, change) => {
      changes.inc({ change });
      workerLog.note(worker, change);
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
      // Slots are counted on their own machine: gateways do not count those of workers.
      metrics.watch('faircopy_recogniser_slots', RECOGNISER_SLOTS, () => link.figures.slots);
      metrics.watch('faircopy_recogniser_slots_busy', RECOGNISER_SLOTS_BUSY, () => link.figures.busy);
      watch(
        'utilisation',
        'Busy share of the slots in the last half minute, from 0 to 1.',
        () => link.figures.utilisation,
      );
      watch('credits', 'Free slots that are lent to gateways.', () => link.figures.lent);
      watch('gateways', 'Known gateways.', () => link.figures.gateways);
    },
  };
};
