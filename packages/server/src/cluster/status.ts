// The cluster as one gateway sees it, for administrators.
import type { ClusterStatus } from '@faircopy/contract';
import type { RemotePool } from './gateway/remote-pool.ts';
import { waitingWindows } from './messages.ts';

export const clusterStatus = (pool: RemotePool, isConnected: boolean): ClusterStatus => ({
  connected: isConnected,
  gateways: [pool.state, ...pool.otherGateways].map((state, position) => ({
    id: state.id,
    name: state.name,
    version: state.version,
    is_this: position === 0,
    waiting_windows: waitingWindows(state),
    running_windows: state.running,
  })),
  workers: pool.workers.map((worker) => ({
    id: worker.state.id,
    name: worker.state.name,
    version: worker.state.version,
    tiers: worker.state.tiers,
    slots: worker.state.slots,
    busy: worker.state.busy,
    speeds: Object.fromEntries(
      worker.state.tiers.flatMap((tier) => {
        const speed = worker.speed(tier);
        return speed === undefined ? [] : [[tier, speed]];
      }),
    ),
    state: pool.isDistrusted(worker) ? 'distrusted' : worker.state.isDraining ? 'draining' : 'working',
    windows_done: worker.state.done,
    windows_here: worker.windows,
  })),
});
