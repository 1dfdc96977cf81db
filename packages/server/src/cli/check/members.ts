// Checks the cluster's members: a gateway needs workers for its tiers, and a worker needs gateways that can use it.
import type { Config } from '../../app/config.ts';
import type { ClusterMembers } from '../../cluster/discover-members.ts';
import { isCompatible } from '../../cluster/versions.ts';
import { BUILD } from '../../lib/process/version.ts';
import { localTiers } from '../../speech/engine.ts';
import type { Finding } from './finding.ts';

const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'cluster', verdict, says });

const otherVersions = (what: string, members: readonly { readonly name: string; readonly version: string }[]) =>
  members.map(({ name, version }) =>
    finding('warn', `the ${what} ${name} has version ${version}, which does not work with ${BUILD}`),
  );

/** Fails when a tier that only workers recognise has no worker. */
export const workersFor = (config: Config, { gateways, workers }: ClusterMembers): Finding[] => {
  const others = workers.filter(({ version }) => !isCompatible(BUILD, version));
  const usable = workers.filter((worker) => !others.includes(worker) && !worker.isDraining);
  const slots = usable.reduce((sum, worker) => sum + worker.slots, 0);
  const there = `${gateways.length} gateways and ${usable.length} workers with ${slots} slots found`;
  const local = localTiers(config);
  const missing = config.models.filter(
    (tier) => !local.includes(tier) && !usable.some(({ tiers }) => tiers.includes(tier)),
  );
  // While its server answers, a remote tier needs no worker.
  const unserved = missing.filter((tier) => config.remoteTiers[tier] === undefined);
  const unreplaced = missing.filter((tier) => config.remoteTiers[tier]?.fallback === true);
  const judged =
    unserved.length > 0
      ? finding('fail', `${there}; none recognises ${unserved.join(', ')}, and this server has no recognisers for it`)
      : unreplaced.length > 0
        ? finding('warn', `${there}; none can replace the remote server of ${unreplaced.join(', ')}`)
        : finding('ok', there);
  return [judged, ...otherVersions('worker', others)];
};

/** Fails when there are gateways, but none of them can use this worker. */
export const gatewaysFor = ({ gateways }: ClusterMembers): Finding[] => {
  const others = gateways.filter(({ version }) => !isCompatible(BUILD, version));
  const usable = gateways.length - others.length;
  const workers = Math.max(0, ...gateways.map((gateway) => gateway.workers ?? 0));
  const there = `${usable} gateways and ${workers} workers found`;
  if (gateways.length === 0) return [finding('warn', `${there}; a worker waits for a gateway`)];
  return [finding(usable > 0 ? 'ok' : 'fail', there), ...otherVersions('gateway', others)];
};
