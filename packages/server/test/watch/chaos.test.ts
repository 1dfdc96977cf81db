import assert from 'node:assert/strict';
import test from 'node:test';
import { chaos } from './chaos.ts';

// A short version; `npm run test:watch` makes hundreds of kills.
test('a watcher killed while recordings grow and are renamed writes and bills each of them once', async () => {
  const report = await chaos({ recordings: 8, kills: 4, seed: 20_261_118 });
  assert.ok(report.renames > 0);
});
