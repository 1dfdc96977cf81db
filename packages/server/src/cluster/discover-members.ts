// Finds the gateways and workers of a cluster by listening on the bus for a moment.
import { setTimeout as wait } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { BUILD } from '../lib/process/version.ts';
import { type GatewayState, newId, readGatewayState, readToGateway, type WorkerState, write } from './messages.ts';
import { GATEWAYS_SUBJECT, gatewaySubject } from './subjects.ts';

export interface ClusterMembers {
  readonly gateways: readonly GatewayState[];
  readonly workers: readonly WorkerState[];
}

/**
 * Workers reply only to gateways, so this announces itself as a leaving gateway: workers then send their state, but no
 * credits. The NATS user of a worker may not do that; it only hears gateways, which report how many workers they know.
 */
export const discoverMembers = async (
  connection: NatsConnection,
  { listenMs, isWorker }: { readonly listenMs: number; readonly isWorker: boolean },
): Promise<ClusterMembers> => {
  const gateways = new Map<string, GatewayState>();
  const workers = new Map<string, WorkerState>();
  const listen = (subject: string, read: (bytes: Uint8Array) => void): void => {
    connection.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (!fault) read(message.data);
        } catch {
          // Ignore unreadable messages.
        }
      },
    });
  };
  listen(GATEWAYS_SUBJECT, (bytes) => {
    const state = readGatewayState(bytes);
    if (!state.isLeaving) gateways.set(state.id, state);
  });
  if (!isWorker) {
    const id = newId();
    listen(gatewaySubject(id), (bytes) => {
      const state = readToGateway(bytes);
      if (state.kind === 'worker') workers.set(state.id, state);
    });
    const nothing = { want: {}, running: 0, slots: 0 };
    const us: GatewayState = { kind: 'gateway', version: BUILD, id, name: 'check', ...nothing, isLeaving: true };
    connection.publish(GATEWAYS_SUBJECT, write(us));
  }
  await wait(listenMs);
  return { gateways: [...gateways.values()], workers: [...workers.values()] };
};
