// Connects a gateway with the workers over NATS.
import type { ClusterStatus } from '@faircopy/contract';
import { BUILD } from '../../lib/process/version.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { watchGateway, watchRefusals } from '../metrics.ts';
import { NatsBus } from '../nats-bus.ts';
import type { ClusterSettings } from '../settings.ts';
import { clusterStatus } from '../status.ts';
import { RemotePool } from './remote-pool.ts';
import { WorkerLog } from './worker-log.ts';

export interface Workers {
  readonly pool: RemotePool;
  status(): ClusterStatus;
  close(): Promise<void>;
}

export const openWorkers = async (
  config: ClusterSettings,
  { log, metrics, name }: { readonly log: Log; readonly metrics: Metrics; readonly name: string },
): Promise<Workers> => {
  const bus = new NatsBus(config, `faircopy gateway ${name}`, log);
  const observer = watchGateway(metrics, new WorkerLog(log, () => systemClock.monotonicMs()));
  const pool = new RemotePool({
    bus,
    name,
    version: BUILD,
    clock: systemClock,
    refusals: watchRefusals(metrics, log),
    observer,
  });
  observer.follow(pool);
  pool.start();
  try {
    await bus.start();
  } catch (cause) {
    await pool.close();
    throw cause;
  }
  return {
    pool,
    status: () => clusterStatus(pool, bus.isConnected),
    // The engine may have closed the pool already; the pool's last messages must leave before the connection ends.
    close: async () => {
      await pool.close();
      await bus.close();
    },
  };
};
