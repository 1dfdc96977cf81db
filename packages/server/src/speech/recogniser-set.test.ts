import assert from 'node:assert/strict';
import test from 'node:test';
import { deferred } from '../lib/time/deferred.ts';
import type { Recognition, TierId } from './recogniser.ts';
import { RecogniserSet } from './recogniser-set.ts';
import { RemoteTier } from './remote-tier/remote-tier.ts';
import { remoteTiersSetting } from './remote-tier/settings.ts';
import { breakable, recognitionOf, windowOf } from './testing/recogniser-fixtures.ts';

const LITE: TierId = 'svc-1.0-lite';
const PRO: TierId = 'svc-1.0-pro';
const MAX: TierId = 'svc-1.0-max';
const never = () => new AbortController().signal;

/** Local recognisers of lite and pro, with one slot. */
const localOf = () => {
  const answer = deferred<Recognition>();
  return { slots: 1, tiers: [LITE, PRO], recognise: () => answer.promise, close: async () => {}, answer };
};

test('a window can take the slot of one that runs on recognisers of its tier', async () => {
  const local = localOf();
  const settings = remoteTiersSetting.parse(JSON.stringify({ [MAX]: { url: 'http://127.0.0.1:1/v1', model: 'm' } }));
  const remote = new RemoteTier({
    tier: MAX,
    settings: settings[MAX]!,
    clock: { now: () => 0, monotonicMs: () => 0 },
    observer: { answered: () => {}, circuit: () => {} },
  });
  const set = new RecogniserSet({ local, remote: [remote] });
  const [here, there] = [windowOf({ tier: LITE }), windowOf({ tier: MAX })];
  const stop = new AbortController();
  const running = [set.recognise(here, never()), set.recognise(there, stop.signal)];
  const tiers = (window: typeof here) => [LITE, PRO, MAX].filter((tier) => set.couldReplace(window, tier as TierId));
  assert.deepEqual([tiers(here), tiers(there)], [[LITE, PRO], [MAX]]);
  stop.abort();
  local.answer.resolve(recognitionOf());
  await Promise.allSettled(running);
});

test('broken local recognisers get no windows: workers do, until they work again', async () => {
  const used: string[] = [];
  const recogniserOf = (name: string) => ({
    slots: 2,
    recognise: async () => {
      used.push(name);
      return recognitionOf();
    },
    close: async () => {},
  });
  const local = Object.assign(breakable(recogniserOf('local')), { tiers: [LITE] });
  const set = new RecogniserSet({ local, workers: recogniserOf('worker') });
  let changes = 0;
  set.onChange(() => {
    changes += 1;
  });
  assert.deepEqual([set.slots, set.freeSlots(LITE)], [4, 4]);
  local.setBroken(true);
  assert.deepEqual([set.slots, set.freeSlots(LITE), changes], [2, 2, 1]);
  await set.recognise(windowOf(), never());
  local.setBroken(false);
  await set.recognise(windowOf(), never());
  assert.deepEqual([used, changes], [['worker', 'local'], 2]);
  const alone = new RecogniserSet({ local });
  assert.ok(alone.serves(LITE));
  local.setBroken(true);
  assert.equal(alone.serves(LITE), false);
});
