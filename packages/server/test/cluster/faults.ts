// The faults that a test injects into a cluster. Each function starts and ends its fault.
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { assertOutage, assertReady } from './outages.ts';

export const FAULTS = [
  'worker killed',
  'gateway killed',
  'NATS killed',
  'NATS restarted',
  'worker stopped',
  'worker cut off',
  'gateway cut off',
  'worker talks garbage',
  'noise on the subjects',
  'no workers',
  'no NATS',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Long enough for the worker to be given up, so that it wakes up with a stale lease. */
const STOPPED_MS = 10_000;

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;

const actions: Record<FaultKind, (cluster: Cluster, random: Random) => Promise<void>> = {
  'worker killed': async ({ workers }, random) => {
    const worker = pick(workers, random);
    await worker.kill();
    await wait(random() * 2_000);
    await worker.start();
  },
  'gateway killed': async ({ gateways }, random) => {
    const gateway = pick(gateways, random);
    await gateway.kill();
    await wait(random() * 1_000);
    await gateway.start();
  },
  'NATS killed': async ({ nats }, random) => {
    await nats.kill();
    await wait(random() * 4_000);
    await nats.start();
  },
  'NATS restarted': async ({ nats }) => {
    await nats.kill();
    await nats.start();
  },
  'worker stopped': async ({ workers }, random) => {
    const worker = pick(workers, random);
    worker.suspend();
    await wait(STOPPED_MS);
    worker.resume();
  },
  'worker cut off': async ({ workers }, random) => {
    const { cable } = pick(workers, random);
    await cable.cut();
    await wait(500 + random() * 5_000);
    await cable.mend();
  },
  'gateway cut off': async ({ gateways }, random) => {
    const { cable } = pick(gateways, random);
    await cable.cut();
    await wait(500 + random() * 5_000);
    await cable.mend();
  },
  'worker talks garbage': async ({ workers }, random) => {
    const worker = pick(workers, random);
    await worker.ask('garbage');
    await wait(random() * 2_000);
    await worker.ask('sense');
  },
  'noise on the subjects': async ({ nats, workers }, random) => {
    const { connect } = await import('@nats-io/transport-node');
    const connection = await connect({ servers: `127.0.0.1:${nats.port}`, timeout: 2_000, reconnect: false });
    const subjects = ['faircopy.gateways', ...workers.map(({ greeting }) => `faircopy.worker.${greeting}`)];
    for (let nth = 0; nth < 50; nth++) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 2_000) }, () => Math.floor(random() * 256));
      connection.publish(pick(subjects, random), bytes);
    }
    await connection.flush();
    await connection.close();
  },
  'no workers': async ({ workers, gateways }) => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await assertOutage(
      gateways.map(({ greeting }) => greeting),
      /no worker serves it/,
    );
    await Promise.all(workers.map((worker) => worker.start()));
    await assertReady(gateways.map(({ greeting }) => greeting));
  },
  'no NATS': async ({ nats, gateways }) => {
    await nats.kill();
    await assertOutage(
      gateways.map(({ greeting }) => greeting),
      /NATS is not connected/,
    );
    await nats.start();
    await assertReady(gateways.map(({ greeting }) => greeting));
  },
};

/** The machine that a fault needs exclusively, so that two faults do not overlap; an outage needs all of them. */
export const victimOf = (kind: FaultKind): 'worker' | 'gateway' | 'NATS' | 'all' => {
  if (kind.startsWith('no ')) return 'all';
  if (kind.startsWith('worker')) return 'worker';
  return kind.startsWith('gateway') ? 'gateway' : 'NATS';
};

/** Injects a fault; resolves when it is over. */
export const injectFault = (kind: FaultKind, cluster: Cluster, random: Random): Promise<void> =>
  actions[kind](cluster, random);
