// The long version of the kill tests: `npm run test:kills -- [on SQLite] [on PostgreSQL] [seed]`, numbers of kills.
import test from 'node:test';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { killServerRepeatedly } from './kill-server.ts';
import { killStorageRepeatedly } from './kill-storage.ts';

const [sqliteKills = 250, postgresKills = 60, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);

for (const [engine, kills] of [
  ['sqlite', sqliteKills],
  ['postgres', postgresKills],
] as const)
  for (const [target, killRepeatedly] of [
    ['the data layer', killStorageRepeatedly],
    ['the server', killServerRepeatedly],
  ] as const)
    test(`${kills} kills of ${target} on ${engine}, seed ${seed}`, {
      skip: engine === 'postgres' && postgresAbsence,
    }, async (t) => {
      const report = await killRepeatedly(await emptyDatabase(t, engine), kills, seed);
      t.diagnostic(JSON.stringify(report));
    });
