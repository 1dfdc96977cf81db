import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { AccessVersionPoller } from './access-version-poller.ts';

const pollerOf = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const state = { version: 1, reads: 0, nowMs: 0, failing: false };
  const read = async () => {
    state.reads++;
    if (state.failing) throw new Error('away');
    return state.version;
  };
  const poller = new AccessVersionPoller(read, { now: () => 0, monotonicMs: () => state.nowMs });
  t.after(() => poller.close());
  return { poller, state };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('concurrent first uses share one read, and later uses need none', async (t) => {
  const { poller, state } = pollerOf(t);
  assert.deepEqual(await Promise.all([poller.current(), poller.current()]), [1, 1]);
  assert.equal(poller.current(), 1);
  assert.equal(state.reads, 1);
});

test('it polls while in use and stops when idle', async (t) => {
  const { poller, state } = pollerOf(t);
  await poller.current();
  state.version = 2;
  t.mock.timers.tick(250);
  await turn();
  assert.equal(state.reads, 2);
  assert.equal(poller.current(), 2);
  for (let tick = 0; tick < 10; tick++) {
    t.mock.timers.tick(250);
    await turn();
  }
  assert.equal(state.reads, 3);
});

test('it polls while there is a listener, which gets every version', async (t) => {
  const { poller, state } = pollerOf(t);
  const heard: number[] = [];
  const unsubscribe = poller.subscribe(async (version) => void heard.push(version));
  for (let tick = 0; tick < 3; tick++) {
    t.mock.timers.tick(250);
    await turn();
    state.version++;
  }
  assert.deepEqual(heard, [1, 2, 3]);
  state.failing = true;
  t.mock.timers.tick(250);
  await turn();
  state.failing = false;
  t.mock.timers.tick(250);
  await turn();
  assert.deepEqual(heard, [1, 2, 3, 4]);
  unsubscribe();
  const { reads } = state;
  for (let tick = 0; tick < 3; tick++) {
    t.mock.timers.tick(250);
    await turn();
  }
  assert.ok(state.reads <= reads + 1);
  assert.equal(heard.length, 4);
});

test('a stale version is read again, and never used if that fails', async (t) => {
  const { poller, state } = pollerOf(t);
  await poller.current();
  state.version = 2;
  state.nowMs = 799;
  assert.equal(poller.current(), 1);
  state.nowMs = 800;
  assert.equal(await poller.current(), 2);
  state.nowMs = 1600;
  state.failing = true;
  await assert.rejects(async () => poller.current(), /away/);
  state.failing = false;
  assert.equal(await poller.current(), 2);
});
