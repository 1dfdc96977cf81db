import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { AccessWatch } from './access-watch.ts';

const watchOf = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const state = { version: 1, reads: 0, nowMs: 0, failing: false };
  const read = async () => {
    state.reads++;
    if (state.failing) throw new Error('away');
    return state.version;
  };
  const watch = new AccessWatch(read, { now: () => 0, monotonicMs: () => state.nowMs });
  t.after(() => watch.close());
  return { watch, state };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first use reads, uses at the same time share the read, later ones need none', async (t) => {
  const { watch, state } = watchOf(t);
  assert.deepEqual(await Promise.all([watch.current(), watch.current()]), [1, 1]);
  assert.equal(watch.current(), 1);
  assert.equal(state.reads, 1);
});

test('while in use it polls in the background; when idle it stops', async (t) => {
  const { watch, state } = watchOf(t);
  await watch.current();
  state.version = 2;
  t.mock.timers.tick(250);
  await turn();
  assert.equal(state.reads, 2);
  assert.equal(watch.current(), 2);
  for (let tick = 0; tick < 10; tick++) {
    t.mock.timers.tick(250);
    await turn();
  }
  assert.equal(state.reads, 3);
});

test('a version that grew old is read again before it is used, and not used when that fails', async (t) => {
  const { watch, state } = watchOf(t);
  await watch.current();
  state.version = 2;
  state.nowMs = 799;
  assert.equal(watch.current(), 1);
  state.nowMs = 800;
  assert.equal(await watch.current(), 2);
  state.nowMs = 1600;
  state.failing = true;
  await assert.rejects(async () => watch.current(), /away/);
  state.failing = false;
  assert.equal(await watch.current(), 2);
});
