import assert from 'node:assert/strict';
import test from 'node:test';
import { natsAbsence } from '../../src/cluster/testing/own-nats.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { runFaults } from './fault-run.ts';

// A short run; `npm run test:cluster` runs hundreds of faults.
test('a cluster with killed and disconnected parts answers every request once', {
  skip: natsAbsence || postgresAbsence,
}, async (t) => {
  const database = await emptyDatabase(t, 'postgres');
  const kinds = [
    'worker killed',
    'gateway killed',
    'NATS restarted',
    'worker cut off',
    'worker talks garbage',
  ] as const;
  const report = await runFaults({ database, faults: 4, seed: 20_261_116, isFar: false, kinds });
  assert.equal(
    Object.values(report.faults).reduce((sum, count) => sum + count, 0),
    4,
  );
  assert.ok(report.successes > 0);
});
