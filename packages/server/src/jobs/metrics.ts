// Reports the jobs that run and wait to Prometheus.
import { MODEL_IDS } from '@faircopy/contract';
import { Gauge } from 'prom-client';
import type { Metrics } from '../observability/metrics.ts';
import type { JobRunner } from './job-runner.ts';

export const watchJobs = (metrics: Metrics, runner: Pick<JobRunner, 'running' | 'waiting'>): void => {
  metrics.watch('faircopy_jobs_running', 'Jobs that this server runs.', () => runner.running);
  // Starts workers for an absent tier, whose jobs are not claimed and so have no windows that wait.
  new Gauge({
    name: 'faircopy_jobs_waiting',
    help: 'Jobs that are due, by tier. Servers with the same database report the same jobs.',
    labelNames: ['model'],
    registers: [metrics.registry],
    collect() {
      for (const model of MODEL_IDS) this.set({ model }, runner.waiting.get(model) ?? 0);
    },
  });
};
