// Metrics and logs of remote tiers.
import { Counter, Gauge } from 'prom-client';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RemoteTierObserver } from './remote-tier.ts';

export const watchRemoteTiers = (metrics: Metrics, log: Log): RemoteTierObserver => {
  const registers = [metrics.registry];
  const windows = new Counter({
    name: 'faircopy_remote_tier_windows_total',
    help: "Windows sent to a tier's own server, by outcome.",
    labelNames: ['model', 'outcome'],
    registers,
  });
  const open = new Gauge({
    name: 'faircopy_remote_tier_open_circuits',
    help: "1 while requests to a tier's own server are paused after failures.",
    labelNames: ['model'],
    registers,
  });
  return {
    answered: (model, outcome) => windows.inc({ model, outcome }),
    circuit: (model, state, why) => {
      open.set({ model }, state === 'open' ? 1 : 0);
      if (state === 'open') log.warn({ model, why }, 'remote tier failed; pausing requests to its server');
      else log.info({ model }, 'remote tier works again');
    },
  };
};
