// Injects faults into a cluster: `npm run test:cluster -- [faults] [seed]`. Needs NATS and PostgreSQL.
import test from 'node:test';
import { natsAbsence } from '../../src/cluster/testing/own-nats.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { smallDisk } from '../kills/small-disk.ts';
import { DISK_MB, runDiskFull } from './disk-full.ts';
import { runFaults } from './fault-run.ts';

const [faults = 300, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const OUTAGES = ['no workers', 'no NATS'] as const;
const onProgress = (count: number): void => console.log(`# ${count} faults so far`);

// A third of the faults run with some machines on a long and lossy cable.
for (const [count, isFar] of [
  [faults - Math.floor(faults / 3), false],
  [Math.floor(faults / 3), true],
] as const)
  test(`${count} faults in a cluster${isFar ? ', parts of it 50 ms away with losses' : ''}, seed ${seed}`, {
    skip: natsAbsence || postgresAbsence,
  }, async (t) => {
    const database = await emptyDatabase(t, 'postgres');
    t.diagnostic(JSON.stringify(await runFaults({ database, faults: count, seed, isFar, onProgress })));
  });

test('outages show in readiness and metrics: no workers, no NATS', {
  skip: natsAbsence || postgresAbsence,
}, async (t) => {
  const database = await emptyDatabase(t, 'postgres');
  const options = { database, kinds: OUTAGES, faults: OUTAGES.length, isEachOnce: true, seed, isFar: false };
  t.diagnostic(JSON.stringify(await runFaults(options)));
});

test('outages show in readiness and metrics: disk full', { skip: natsAbsence }, async (t) => {
  const folder = smallDisk(t, DISK_MB);
  if (folder === undefined) t.skip('mounting is not permitted here');
  else await runDiskFull(t, folder);
});
