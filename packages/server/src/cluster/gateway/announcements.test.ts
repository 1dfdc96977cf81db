import assert from 'node:assert/strict';
import test from 'node:test';
import type { Bus } from '../bus.ts';
import { type GatewayState, newId, readGatewayState, type Want, type WorkerState } from '../messages.ts';
import { GATEWAYS_SUBJECT, workerSubject } from '../subjects.ts';
import { gatewayStateOf, workerStateOf } from '../testing/states.ts';
import { HEARTBEAT_MS } from '../timing.ts';
import { Announcements } from './announcements.ts';
import { KnownWorkers } from './known-workers.ts';

const LITE = 'svc-1.0-lite';
const worker = (isOlder: boolean): WorkerState => workerStateOf(isOlder ? {} : { nextMs: HEARTBEAT_MS });

const setUp = (count: number, olderCount = 0) => {
  const workers = new KnownWorkers();
  for (let nth = 0; nth < count; nth++) workers.add(worker(nth < olderCount), 0);
  const sent: { subject: string; state: GatewayState }[] = [];
  const bus: Bus = {
    isConnected: true,
    publish: (subject, bytes) => sent.push({ subject, state: readGatewayState(bytes) }),
    subscribe: () => {},
    listen: () => {},
    close: async () => {},
  };
  let nowMs = 0;
  let want: Want = {};
  let background: Want = {};
  const id = newId();
  const state = () => gatewayStateOf({ id, want, background });
  const announcements = new Announcements({
    bus,
    workers,
    state,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
  });
  return {
    workers,
    unused: (of: WorkerState) => announcements.creditsUnused(of),
    wait: (windows: number) => {
      want = { [LITE]: windows };
      announcements.windowsWait({ want, background });
    },
    waitInBackground: (windows: number) => {
      background = { [LITE]: windows };
      announcements.windowsWait({ want, background });
    },
    /** Messages sent during this many heartbeats. */
    heartbeats: (beats: number) => {
      sent.length = 0;
      for (let nth = 0; nth < beats; nth++) {
        nowMs += HEARTBEAT_MS;
        announcements.heartbeat();
      }
      return sent;
    },
    sent,
  };
};

test('waiting background windows are announced at once, and firm ones that wait after them', () => {
  const { wait, waitInBackground, sent } = setUp(3);
  waitInBackground(4);
  waitInBackground(5);
  wait(1);
  wait(2);
  assert.deepEqual(
    sent.map(({ state }) => [state.want[LITE] ?? 0, state.background?.[LITE]]),
    [
      [0, 4],
      [1, 5],
    ],
  );
});

test('a small cluster gets every heartbeat, and newly waiting windows at once', () => {
  const { wait, heartbeats, sent } = setUp(3);
  assert.deepEqual(
    heartbeats(4).map(({ subject }) => subject),
    Array(4).fill(GATEWAYS_SUBJECT),
  );
  sent.length = 0;
  wait(2);
  wait(3);
  assert.deepEqual(
    sent.map(({ subject, state }) => [subject, state.want[LITE]]),
    [[GATEWAYS_SUBJECT, 2]],
  );
});

test('a large cluster gets fewer heartbeats, which announce when the next one comes', () => {
  const all = setUp(1_000).heartbeats(120);
  assert.ok(all.length > 0 && all.length <= 4, `${all.length} of 120`);
  assert.ok(all.every(({ subject, state }) => subject === GATEWAYS_SUBJECT && state.nextMs === 40 * HEARTBEAT_MS));
});

test('while workers join, a large cluster gets more heartbeats, so that new workers soon know every gateway', () => {
  const { heartbeats, workers } = setUp(1_000);
  heartbeats(1);
  assert.equal(heartbeats(20).length, 0);
  workers.add(worker(false), 0);
  assert.equal(heartbeats(20).length, 1);
});

test('one older worker is enough to keep heartbeats frequent', () => {
  assert.equal(setUp(1_000, 1).heartbeats(40).length, 40);
});

test('in a large cluster, some workers are asked at once, then others; all are informed when nothing waits', () => {
  const { wait, heartbeats, sent } = setUp(1_000);
  heartbeats(1);
  sent.length = 0;
  wait(5);
  const first = new Set(sent.map(({ subject }) => subject));
  assert.ok(first.size > 0 && first.size < 100 && !first.has(GATEWAYS_SUBJECT));
  const second = new Set(heartbeats(1).map(({ subject }) => subject));
  assert.ok([...second].every((subject) => !first.has(subject)));
  wait(0);
  const informed = heartbeats(1);
  assert.deepEqual(new Set(informed.map(({ subject }) => subject)), new Set([...first, ...second]));
  assert.ok(informed.every(({ state }) => state.want[LITE] === 0));
});

test('a worker that lends credits nobody waits for is informed once, and again when windows wait', () => {
  const { wait, unused, sent, workers } = setUp(3, 1);
  const [older, newer] = workers.all.map(({ state }) => state);
  wait(2);
  sent.length = 0;
  unused(newer!);
  assert.equal(sent.length, 0, 'windows do wait');
  wait(0);
  for (const state of [older!, newer!, newer!]) unused(state);
  assert.deepEqual(
    sent.map(({ subject, state }) => [subject, state.want[LITE]]),
    [[workerSubject(newer!.id), 0]],
  );
  sent.length = 0;
  wait(1);
  assert.deepEqual(
    sent.map(({ subject, state }) => [subject, state.want[LITE]]),
    [[workerSubject(newer!.id), 1]],
  );
});
