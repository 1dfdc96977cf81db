import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseRoomSettings } from '../../config/parse.ts';
import type { SpeechEvent } from '../engine-events.ts';
import { LocalRecogniser } from '../local-recogniser.ts';
import type { TierId } from '../recogniser.ts';
import { speechSettings } from '../settings.ts';
import { neededModels } from '../store/needed.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { storedModels } from '../testing/stored-models.ts';

const TIER: TierId = 'svc-1.0-lite';
const stored = await storedModels(neededModels([TIER]));
const PAGE_BYTES = 4_096;

test('an unused tier frees its memory, and is loaded again on demand', {
  skip: 'skip' in stored && stored.skip,
}, async (t) => {
  if (!('store' in stored)) return;
  const events: SpeechEvent[] = [];
  const config = parseRoomSettings(speechSettings, { FAIRCOPY_RECOGNISERS: '1', FAIRCOPY_UNLOAD_AFTER_MS: '1500' });
  const recogniser = new LocalRecogniser({
    config,
    tiers: [TIER],
    store: stored.store,
    onEvent: (event) => events.push(event),
  });
  t.after(() => recogniser.close());
  await recogniser.load(new AbortController().signal);
  const bytes = () => {
    const pid = recogniser.processes[0]?.pid ?? null;
    return pid === null ? 0 : Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  };
  const loadedBytes = bytes();
  while (!events.some((event) => event.type === 'process_ended')) await wait(50);
  await recogniser.ready();
  const unloadedBytes = bytes();
  const window = windowOf({ tier: TIER, samples: new Float32Array(16_000) });
  assert.equal((await recogniser.recognise(window, new AbortController().signal)).text, '');
  t.diagnostic([loadedBytes, unloadedBytes, bytes()].map((count) => `${Math.round(count / 2 ** 20)} MB`).join(' → '));
  assert.ok(unloadedBytes < 0.5 * loadedBytes, `${loadedBytes} → ${unloadedBytes}`);
  assert.deepEqual(
    events.map((event) => 'reason' in event && event.reason),
    ['unloaded'],
  );
});
