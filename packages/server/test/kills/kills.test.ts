import assert from 'node:assert/strict';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { killJobsRepeatedly } from './kill-jobs.ts';
import { killServerRepeatedly } from './kill-server.ts';
import { killStorageRepeatedly } from './kill-storage.ts';

// A short version; `npm run test:kills` makes hundreds of kills.
onBothEngines(
  'a data layer killed under load loses no answered request and duplicates none',
  async (_t, { options }) => {
    const report = await killStorageRepeatedly(options, 3, 20_261_115);
    assert.equal(report.kills, 3);
  },
);

onBothEngines(
  'a server killed whole and in parts answers every client, and its ledger matches their outcomes',
  async (_t, { options }) => {
    const report = await killServerRepeatedly({ database: options, kills: 5, seed: 20_261_115 });
    assert.equal(
      Object.values(report.kills).reduce((sum, count) => sum + count, 0),
      5,
    );
    assert.ok(report.successes > 0);
  },
);

onBothEngines('jobs and retried requests end once and are billed once across server kills', async (_t, { options }) => {
  const report = await killJobsRepeatedly({ database: options, kills: 2, seed: 20_261_116 });
  assert.ok(report.jobs > 0 && report.keyedFiles > 0);
});
