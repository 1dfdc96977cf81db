import assert from 'node:assert/strict';
import test from 'node:test';
import { bucketChaos } from './bucket-chaos.ts';
import { chaos } from './chaos.ts';

const SEED = 20_261_118;

// Short versions; `npm run test:watch` makes hundreds of kills.
test('a watcher killed while recordings grow and are renamed writes and bills each of them once', async () => {
  const report = await chaos({ recordings: 8, kills: 4, seed: SEED });
  assert.ok(report.renames > 0);
});

test('a watcher of a bucket killed while objects are replaced and renamed writes and bills each of them once', async () => {
  const { renames, replacements } = await bucketChaos({ recordings: 6, kills: 2, seed: SEED });
  assert.ok(renames > 0 && replacements > 0);
});
