// The gateways and workers of the cluster, with their load. Empty on a server without a cluster.
import type { ClusterStatus } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { Tag, type TagState } from '../../components/tag.tsx';
import { count } from '../../format.ts';
import { useLoad, usePolling } from '../../hooks/use-load.ts';

const REFRESH_MS = 2_000;

const STATES: Readonly<Record<ClusterStatus['workers'][number]['state'], TagState>> = {
  working: ['Active', 'good'],
  draining: ['Draining', 'neutral'],
  distrusted: ['Distrusted', 'bad'],
};

const Gateways = ({ gateways }: Pick<ClusterStatus, 'gateways'>) => (
  <DataTable
    rows={gateways}
    keyOf={({ id }) => id}
    columns={[
      {
        title: 'Gateway',
        class: 'name',
        isRowHeader: true,
        cell: ({ name, is_this }) => (
          <>
            <bdi>{name}</bdi> {is_this ? <span class="tag">this one</span> : null}
          </>
        ),
      },
      { title: 'Version', cell: ({ version }) => version },
      { title: 'Windows running', class: 'number', cell: ({ running_windows }) => count(running_windows) },
      { title: 'Windows waiting', class: 'number', cell: ({ waiting_windows }) => count(waiting_windows) },
    ]}
  />
);

/** Speed: seconds of audio that a slot recognises per second. */
const tierWithSpeed = (tier: string, speed: number | undefined): string =>
  speed === undefined ? tier : `${tier} (${speed.toFixed(1)}×)`;

const Workers = ({ workers }: Pick<ClusterStatus, 'workers'>) => (
  <DataTable
    rows={workers}
    keyOf={({ id }) => id}
    columns={[
      { title: 'Worker', class: 'name', isRowHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
      { title: 'State', cell: ({ state }) => <Tag state={STATES[state]} /> },
      { title: 'Version', cell: ({ version }) => version },
      {
        title: 'Tiers',
        cell: ({ tiers, speeds }) => tiers.map((tier) => tierWithSpeed(tier, speeds[tier])).join(', '),
      },
      { title: 'Slots busy', class: 'number', cell: ({ busy, slots }) => `${count(busy)} of ${count(slots)}` },
      { title: 'Windows done', class: 'number', cell: ({ windows_done }) => count(windows_done) },
    ]}
  />
);

export const Cluster = () => {
  const cluster = useLoad(api.clusterStatus, []);
  usePolling(cluster.reload, REFRESH_MS);
  // Most servers have no cluster, so do not announce that one is loading.
  if (cluster.load.state === 'loading') return null;
  return (
    <Show of={cluster} what="the cluster">
      {(status) =>
        status === null ? null : (
          <section>
            <h2>Cluster</h2>
            <p class="muted">
              Gateways receive requests and split them into windows of at most 20 s; workers recognise the windows. A
              distrusted worker has sent invalid answers and gets no windows for a while.
            </p>
            {status.connected ? null : (
              <p class="notice notice-bad" role="alert">
                NATS is unreachable, so this server cannot use any worker. Check NATS_URL and the NATS server.
              </p>
            )}
            <Gateways gateways={status.gateways} />
            {status.workers.length === 0 ? (
              <Empty title="No workers">
                <p>
                  Start one on another machine with the same NATS_URL: <code>faircopy worker</code>
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
