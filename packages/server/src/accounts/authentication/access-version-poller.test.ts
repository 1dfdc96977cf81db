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

test('the first use reads, uses at the same time share the read, later ones need none', async (t) => {
  const { poller, state } = pollerOf(t);
  assert.deepEqual(await Promise.all([poller.current(), poller.current()]), [1, 1]);
  assert.equal(poller.current(), 1);
  assert.equal(state.reads, 1);
});

test('while in use it polls in the background; when idle it stops', async (t) => {
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

test('a version that grew old is read again before it is used, and not used when that fails', async (t) => {
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
