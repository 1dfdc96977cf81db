// For administrators: the gateways and workers of the cluster, with their load. Shows nothing on a server that stands alone.
import type { ClusterStatus } from '@faircopy/contract';
import { useEffect } from 'preact/hooks';
import { clusterStatus } from '../../api/cluster.ts';
import { count } from '../../parts/format.ts';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';

const REFRESH_MS = 2_000;

const Gateways = ({ gateways }: Pick<ClusterStatus, 'gateways'>) => (
  <div class="table-frame">
    <table class="stack">
      <thead>
        <tr>
          <th>Gateway</th>
          <th>Version</th>
          <th class="number">Windows at work</th>
          <th class="number">Windows waiting</th>
        </tr>
      </thead>
      <tbody>
        {gateways.map((gateway) => (
          <tr key={gateway.id}>
            <th scope="row" class="name">
              <bdi>{gateway.name}</bdi> {gateway.is_this ? <span class="tag">this one</span> : null}
            </th>
            <td data-label="Version">{gateway.version}</td>
            <td data-label="Windows at work" class="number">
              {count(gateway.running_windows)}
            </td>
            <td data-label="Windows waiting" class="number">
              {count(gateway.waiting_windows)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Workers = ({ workers }: Pick<ClusterStatus, 'workers'>) => (
  <div class="table-frame">
    <table class="stack">
      <thead>
        <tr>
          <th>Worker</th>
          <th>State</th>
          <th>Version</th>
          <th>Tiers</th>
          <th class="number">Slots busy</th>
          <th class="number">Windows done</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker.id}>
            <th scope="row" class="name">
              <bdi>{worker.name}</bdi>
            </th>
            <td data-label="State">
              <span class="tag">{worker.state}</span>
            </td>
            <td data-label="Version">{worker.version}</td>
            <td data-label="Tiers">{worker.tiers.join(', ')}</td>
            <td data-label="Slots busy" class="number">
              {count(worker.busy)} of {count(worker.slots)}
            </td>
            <td data-label="Windows done" class="number">
              {count(worker.windows_done)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Cluster = () => {
  const cluster = useLoad(clusterStatus, []);
  useEffect(() => {
    const timer = setInterval(cluster.reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [cluster.reload]);
  // Most servers stand alone: nothing is announced that may not be there.
  if (cluster.load.state === 'loading') return null;
  return (
    <Show of={cluster} what="the cluster">
      {(status) =>
        status === null ? null : (
          <section>
            <h2>Cluster</h2>
            {status.connected ? null : <p role="alert">NATS cannot be reached: no worker gets any work from here.</p>}
            <Gateways gateways={status.gateways} />
            {status.workers.length === 0 ? <p>No worker is there.</p> : <Workers workers={status.workers} />}
          </section>
        )
      }
    </Show>
  );
};
