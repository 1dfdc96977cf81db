import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../messages.ts';
import { gatewayStateOf } from '../testing/states.ts';
import { GATEWAY_SILENT_MS, HEARTBEAT_MS, silenceMax, WORKER_SILENT_MS } from '../timing.ts';
import { ServedGateways } from './served-gateways.ts';

const NOTHING = { credits: [], leases: [] };
const LEASE = { credits: [], leases: [newId()] };

/** A worker with this many gateways, all of which have got its state. */
const served = (count: number, held: { credits: string[]; leases: string[] } = NOTHING) => {
  const gateways = new ServedGateways();
  const names = Array.from({ length: count }, (_, nth) => `gateway-${nth}`);
  for (const name of names) gateways.noteHeartbeat(gatewayStateOf({ id: name, nextMs: HEARTBEAT_MS }), 0);
  for (const name of names) gateways.noteSent(name, held, 0);
  return gateways;
};

test('with few gateways, each gets every heartbeat', () => {
  assert.equal(served(3).due(HEARTBEAT_MS).length, 3);
});

test('with many gateways, those without credits and windows get fewer heartbeats, and know when', () => {
  const gateways = served(50);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), []);
  const nextMs = gateways.noteSent('gateway-0', NOTHING, 0);
  assert.ok(nextMs > HEARTBEAT_MS);
  assert.ok(gateways.due(nextMs).includes('gateway-0'));
  assert.equal(gateways.noteSent('gateway-1', LEASE, 0), HEARTBEAT_MS);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), ['gateway-1']);
});

test('a gateway that announces its tolerance gets heartbeats often enough that 2 s of silence mean a loss', () => {
  const gateways = served(1);
  gateways.noteHeartbeat(gatewayStateOf({ id: 'newer', nextMs: HEARTBEAT_MS, lateMs: 1_000 }), 0);
  assert.equal(gateways.noteSent('newer', LEASE, 0), 1_000);
  assert.equal(silenceMax(1_000, WORKER_SILENT_MS), WORKER_SILENT_MS);
  gateways.noteHeartbeat(gatewayStateOf({ id: 'strange', nextMs: HEARTBEAT_MS, lateMs: 60_000 }), 0);
  assert.equal(gateways.noteSent('strange', LEASE, 0), HEARTBEAT_MS);
});

test('an older gateway gets every heartbeat, whatever it holds', () => {
  const gateways = served(50);
  gateways.noteHeartbeat(gatewayStateOf({ id: 'old' }), 0);
  assert.deepEqual(gateways.withoutState(), ['old']);
  assert.equal(gateways.noteSent('old', NOTHING, 0), HEARTBEAT_MS);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), ['old']);
});

test('a state that was just sent replaces the heartbeat', () => {
  const gateways = served(1, LEASE);
  gateways.noteSent('gateway-0', LEASE, HEARTBEAT_MS - 10);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), []);
});

test('a gateway is silent when it misses the heartbeat that it announced', () => {
  const gateways = served(1);
  gateways.noteHeartbeat(gatewayStateOf({ id: 'rare', nextMs: 5_000 }), 0);
  assert.deepEqual(gateways.silent(GATEWAY_SILENT_MS + 1), ['gateway-0']);
  assert.deepEqual(gateways.silent(5_000 + GATEWAY_SILENT_MS), ['gateway-0', 'rare']);
});
