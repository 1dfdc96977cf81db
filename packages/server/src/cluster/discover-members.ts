// Finds the gateways and workers of a cluster by listening on the bus for a moment.
import { setTimeout as wait } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { VERSION } from '../lib/process/version.ts';
import { type GatewayState, newId, readGatewayState, readToGateway, type WorkerState, write } from './messages.ts';
import { GATEWAYS_SUBJECT, gatewaySubject } from './subjects.ts';

export interface ClusterMembers {
  readonly gateways: readonly GatewayState[];
  readonly workers: readonly WorkerState[];
}

/** Workers answer only gateways: announces itself as one that is leaving, which gets their state but no credits. */
export const discoverMembers = async (connection: NatsConnection, listenMs: number): Promise<ClusterMembers> => {
  const id = newId();
  const gateways = new Map<string, GatewayState>();
  const workers = new Map<string, WorkerState>();
  const listen = (subject: string, read: (bytes: Uint8Array) => void): void => {
    connection.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (!fault) read(message.data);
        } catch {
          // Ignore unreadable messages of others.
        }
      },
    });
  };
  listen(GATEWAYS_SUBJECT, (bytes) => {
    const state = readGatewayState(bytes);
    if (!state.isLeaving) gateways.set(state.id, state);
  });
  listen(gatewaySubject(id), (bytes) => {
    const state = readToGateway(bytes);
    if (state.kind === 'worker') workers.set(state.id, state);
  });
  const us: GatewayState = {
    kind: 'gateway',
    version: VERSION,
    id,
    name: 'check',
    want: {},
    running: 0,
    slots: 0,
    isLeaving: true,
  };
  connection.publish(GATEWAYS_SUBJECT, write(us));
  await wait(listenMs);
  return { gateways: [...gateways.values()], workers: [...workers.values()] };
};
