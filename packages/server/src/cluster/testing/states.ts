// States of workers and gateways for tests, with optional changes. Without `nextMs`, they are those of older versions.
import { type GatewayState, newId, type WorkerState } from '../messages.ts';

export const workerStateOf = (changes: Partial<WorkerState> = {}): WorkerState => ({
  kind: 'worker',
  version: '1.2.3',
  id: newId(),
  name: 'worker',
  tiers: ['svc-1.0-lite'],
  slots: 1,
  busy: 0,
  done: 0,
  isDraining: false,
  connections: 1,
  credits: [],
  recalled: [],
  leases: [],
  ...changes,
});

export const gatewayStateOf = (changes: Partial<GatewayState> = {}): GatewayState => ({
  kind: 'gateway',
  version: '1.2.3',
  id: newId(),
  name: 'gateway',
  want: {},
  running: 0,
  slots: 1,
  isLeaving: false,
  ...changes,
});
