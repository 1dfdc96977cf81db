import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../messages.ts';
import { GATEWAY_SILENT_MS, HEARTBEAT_MS, LEASE_MS, silenceMax } from '../timing.ts';
import { ServedGateways } from './served-gateways.ts';

const NOTHING = { credits: [], leases: [] };
const LEASE = { credits: [], leases: [newId()] };
const state = (id: string, nextMs?: number, lateMs?: number) => ({
  ...({ kind: 'gateway', version: '1.2.3', id, name: id, want: {}, running: 0, slots: 1, isLeaving: false } as const),
  ...(nextMs !== undefined && { nextMs }),
  ...(lateMs !== undefined && { lateMs }),
});

/** A worker with so many gateways, which have all been told its state. */
const served = (count: number, held: { credits: string[]; leases: string[] } = NOTHING) => {
  const gateways = new ServedGateways();
  const names = Array.from({ length: count }, (_, nth) => `gateway-${nth}`);
  for (const name of names) gateways.heard(state(name, HEARTBEAT_MS), 0);
  for (const name of names) gateways.told(name, held, 0);
  return gateways;
};

test('with few gateways, each gets every heartbeat', () => {
  assert.equal(served(3).due(HEARTBEAT_MS).length, 3);
});

test('of many gateways, those without credits and windows get fewer heartbeats, and know when', () => {
  const gateways = served(50);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), []);
  const nextMs = gateways.told('gateway-0', NOTHING, 0);
  assert.ok(nextMs > HEARTBEAT_MS);
  assert.ok(gateways.due(nextMs).includes('gateway-0'));
  assert.equal(gateways.told('gateway-1', LEASE, 0), HEARTBEAT_MS);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), ['gateway-1']);
});

test('a gateway that says how late we may be hears of its windows so often that 2 s of silence mean a loss', () => {
  const gateways = served(1);
  gateways.heard(state('newer', HEARTBEAT_MS, 1_000), 0);
  assert.equal(gateways.told('newer', LEASE, 0), 1_000);
  assert.equal(silenceMax(1_000, LEASE_MS), LEASE_MS);
  gateways.heard(state('strange', HEARTBEAT_MS, 60_000), 0);
  assert.equal(gateways.told('strange', LEASE, 0), HEARTBEAT_MS);
});

test('an older gateway gets every heartbeat, whatever it holds', () => {
  const gateways = served(50);
  gateways.heard(state('old'), 0);
  assert.deepEqual(gateways.unknowing(), ['old']);
  assert.equal(gateways.told('old', NOTHING, 0), HEARTBEAT_MS);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), ['old']);
});

test('a state that was just sent stands for the heartbeat', () => {
  const gateways = served(1, LEASE);
  gateways.told('gateway-0', LEASE, HEARTBEAT_MS - 10);
  assert.deepEqual(gateways.due(HEARTBEAT_MS), []);
});

test('a gateway is silent when it misses what it announced itself', () => {
  const gateways = served(1);
  gateways.heard(state('rare', 5_000), 0);
  assert.deepEqual(gateways.silent(GATEWAY_SILENT_MS + 1), ['gateway-0']);
  assert.deepEqual(gateways.silent(5_000 + GATEWAY_SILENT_MS), ['gateway-0', 'rare']);
});
