// For administrators: the gateways and workers of the cluster, with their load. Shows nothing on a server that stands alone.
import type { ClusterStatus } from '@faircopy/contract';
import { useEffect } from 'preact/hooks';
import { clusterStatus } from '../../api/cluster.ts';
import { count } from '../../parts/format.ts';
import { number, StackTable } from '../../parts/stack-table.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';

const REFRESH_MS = 2_000;

const STATES: Readonly<Record<ClusterStatus['workers'][number]['state'], readonly [text: string, tag: string]>> = {
  working: ['In service', 'tag-good'],
  draining: ['Finishing', ''],
  distrusted: ['Set aside', 'tag-bad'],
};

const Gateways = ({ gateways }: Pick<ClusterStatus, 'gateways'>) => (
  <StackTable heads={['Gateway', 'Version', number('Windows at work'), number('Windows waiting')]}>
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
  </StackTable>
);

const Workers = ({ workers }: Pick<ClusterStatus, 'workers'>) => (
  <StackTable heads={['Worker', 'State', 'Version', 'Tiers', number('Slots busy'), number('Windows done')]}>
    {workers.map((worker) => (
      <tr key={worker.id}>
        <th scope="row" class="name">
          <bdi>{worker.name}</bdi>
        </th>
        <td data-label="State">
          <span class={`tag ${STATES[worker.state][1]}`}>{STATES[worker.state][0]}</span>
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
  </StackTable>
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
            <p class="quiet">
              Gateways take requests and cut them into windows of at most 20 s; workers recognise these. A worker that
              is set aside answered nonsense, and gets nothing for a while.
            </p>
            {status.connected ? null : (
              <p class="notice notice-bad" role="alert">
                NATS cannot be reached: no worker gets any work from here. Check NATS_URL and that its server runs.
              </p>
            )}
            <Gateways gateways={status.gateways} />
            {status.workers.length === 0 ? (
              <Empty title="No worker is there">
                <p>
                  Start one on another machine, with the same NATS_URL: <code>faircopy worker</code>
                </p>
              </Empty>
            ) : (
              <Workers workers={status.workers} />
            )}
          </section>
        )
      }
    </Show>
  );
};
