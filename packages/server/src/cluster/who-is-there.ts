// Listens on the bus for a moment: which gateways and workers are there?
import { setTimeout as wait } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { VERSION } from '../lib/process/version.ts';
import { type GatewayState, newId, readGatewayState, readToGateway, type WorkerState, write } from './messages.ts';
import { GATEWAYS_SUBJECT, gatewaySubject } from './subjects.ts';

export interface Present {
  readonly gateways: readonly GatewayState[];
  readonly workers: readonly WorkerState[];
}

/** Workers speak to gateways only: as one that is about to leave we are told once, and lent nothing. */
export const whoIsThere = async (connection: NatsConnection, listenMs: number): Promise<Present> => {
  const id = newId();
  const gateways = new Map<string, GatewayState>();
  const workers = new Map<string, WorkerState>();
  const listen = (subject: string, read: (bytes: Uint8Array) => void): void => {
    connection.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (!fault) read(message.data);
        } catch {
          // Messages of others may be anything; those that cannot be read are nobody's.
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
    ...({ kind: 'gateway', version: VERSION, id, name: 'check', want: {}, running: 0, slots: 0 } as const),
    isLeaving: true,
  };
  connection.publish(GATEWAYS_SUBJECT, write(us));
  await wait(listenMs);
  return { gateways: [...gateways.values()], workers: [...workers.values()] };
};
