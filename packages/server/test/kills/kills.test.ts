import assert from 'node:assert/strict';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { killServerRepeatedly } from './kill-server.ts';
import { killStorageRepeatedly } from './kill-storage.ts';

// The short version; `npm run test:kills` does hundreds.
onBothEngines('a server killed under load loses no answered request and doubles none', async (_t, { options }) => {
  const report = await killStorageRepeatedly(options, 5, 20_261_115);
  assert.equal(report.kills, 5);
});

onBothEngines(
  'every success that the real server sent before it was killed is in the ledger',
  async (_t, { options }) => {
    const report = await killServerRepeatedly(options, 2, 20_261_115);
    assert.equal(report.kills, 2);
  },
);
