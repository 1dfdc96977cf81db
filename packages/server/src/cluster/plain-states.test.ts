import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { gatewayState, newId, readGatewayState, readToGateway, workerState, write } from './messages.ts';
import { isPlainGatewayState, isPlainWorkerState } from './plain-states.ts';

const WORKER = {
  kind: 'worker',
  version: '1.2.3',
  id: newId(),
  name: 'worker-1',
  tiers: ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'],
  slots: 4,
  busy: 1,
  done: 17,
  speeds: { 'svc-1.0-lite': 12.3 },
  isDraining: false,
  connections: 1,
  credits: [newId(), newId()],
  recalled: [],
  leases: [newId()],
  nextMs: 1_000,
} as const;
const GATEWAY = {
  kind: 'gateway',
  version: '1.2.3',
  id: newId(),
  name: 'gateway-1',
  want: { 'svc-1.0-lite': 0, 'svc-1.0-pro': 3, 'svc-1.0-max': 0 },
  running: 12,
  slots: 100,
  workers: 1_000,
  isLeaving: false,
  nextMs: 20_000,
  lateMs: 1_000,
} as const;

/** Values of every kind, and at and beyond every limit. */
const values = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    0.5,
    1_024,
    1_025,
    60_000,
    60_001,
    1e6,
    1e6 + 1,
    1e9,
    1e9 + 1,
    1e300,
    '',
    'worker',
    'gateway',
  ),
  fc.constantFrom(null, true, [], {}, [newId()], [newId(), 'x'], ['svc-1.0-max'], { 'svc-1.0-max': 2 }, { other: 1 }),
  fc.constantFrom('x'.repeat(50), 'x'.repeat(51), 'x'.repeat(200), 'x'.repeat(201), newId(), `${newId()}\n`),
  fc.constant(Array.from({ length: 1_025 }, newId)),
  fc.jsonValue(),
);
const changes = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names, 'unknown', '__proto__'), fc.option(values, { nil: undefined })), {
    maxLength: 2,
  });
/** A state as it arrives: with changed or missing fields, and parsed from JSON. */
const changed = (state: object, some: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  JSON.parse(JSON.stringify({ ...state, ...Object.fromEntries(some) })) as Record<string, unknown>;

test('a state accepted without the schema is valid, and the schema parses it to the same value', () => {
  fc.assert(
    fc.property(changes(Object.keys(WORKER)), (some) => {
      const state = changed(WORKER, some);
      if (isPlainWorkerState(state)) assert.deepEqual(workerState.parse(state), state);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(changes([...Object.keys(GATEWAY), 'background']), (some) => {
      const state = changed(GATEWAY, some);
      if (isPlainGatewayState(state)) assert.deepEqual(gatewayState.parse(state), state);
    }),
    { numRuns: 2_000 },
  );
});

test('states of this version are accepted without the schema', () => {
  assert.ok(isPlainWorkerState(WORKER));
  assert.ok(isPlainGatewayState(GATEWAY));
  assert.ok(isPlainGatewayState({ ...GATEWAY, background: { 'svc-1.0-max': 2 } }));
  assert.deepEqual(readToGateway(write(workerState.parse(WORKER))), WORKER);
  assert.deepEqual(readGatewayState(write(gatewayState.parse(GATEWAY))), GATEWAY);
});

test('an unusual state is left to the schema', () => {
  const { nextMs: _, ...older } = WORKER;
  assert.equal(isPlainWorkerState(older), false);
  assert.deepEqual(readToGateway(Buffer.from(JSON.stringify({ ...older, unknown: 1 }))), older);
  assert.throws(() => readToGateway(Buffer.from(JSON.stringify({ ...WORKER, slots: 0 }))), /slots/);
});
