// A server whose tiers have no recogniser is not ready, and says why.
import assert from 'node:assert/strict';
import test from 'node:test';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { breakable } from '../../src/speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { startService } from './service.ts';

/** An engine whose recognisers serve only these tiers. */
const engineFor = (served: Set<ModelId>): ScriptedEngine => {
  const engine = new ScriptedEngine();
  const { recogniser } = engine;
  const capacity = {
    freeSlots: () => 1,
    serves: (tier: ModelId) => served.has(tier),
    isContended: false,
    setWaiting: () => undefined,
    onChange: () => undefined,
  };
  Object.defineProperty(engine, 'recogniser', { value: Object.assign(Object.create(recogniser), { capacity }) });
  return engine;
};

test('/readyz fails when no tier is served, and names the missing ones when some are', async (t) => {
  const served = new Set<ModelId>();
  const service = await startService(t, { engine: engineFor(served) });
  const ready = async (query = '') => {
    const response = await fetch(`${service.url}/readyz${query}`);
    return { code: response.status, body: (await response.json()) as { status: string; message?: string } };
  };
  const none = await ready();
  assert.equal(none.code, 503);
  assert.match(none.body.message ?? '', /svc-1\.0-max: no recogniser runs/);
  served.add('svc-1.0-lite');
  const some = await ready();
  assert.deepEqual([some.code, some.body.status], [200, 'degraded']);
  assert.equal((await ready('?tier=svc-1.0-lite')).code, 200);
  assert.equal((await ready('?tier=svc-1.0-max')).code, 503);
  for (const tier of MODEL_IDS) served.add(tier);
  assert.deepEqual((await ready()).body.status, 'ready');
});

test('/readyz fails while the models cannot be loaded', async (t) => {
  const engine = new ScriptedEngine();
  const recogniser = breakable(engine.recogniser);
  Object.defineProperty(engine, 'recogniser', { value: recogniser });
  const service = await startService(t, { engine });
  const ready = () => fetch(`${service.url}/readyz`);
  assert.equal((await ready()).status, 200);
  recogniser.setBroken(true);
  const broken = await ready();
  assert.equal(broken.status, 503);
  assert.match(((await broken.json()) as { message: string }).message, /no recogniser can load its models/);
  recogniser.setBroken(false);
  assert.equal((await ready()).status, 200);
});
