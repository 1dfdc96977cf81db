// The long kill tests: `npm run test:kills -- [kills on SQLite] [kills on PostgreSQL] [seed] [--only server|data] [--jobs]`.
// With --jobs, all kills happen during jobs and retries with idempotency keys.
import test from 'node:test';
import { parseArgs } from 'node:util';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { killJobsRepeatedly } from './kill-jobs.ts';
import { killServerRepeatedly } from './kill-server.ts';
import { killStorageRepeatedly } from './kill-storage.ts';
import { postgresPrograms, startTestPostgres } from './test-postgres.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, jobs: { type: 'boolean' } },
});
const [sqliteKills = 250, postgresKills = 60, seed = Date.now() % 1_000_000] = positionals.map(Number);
const programs = postgresPrograms();

/** Shows progress in long runs. */
const onProgress = (kills: number): void => console.log(`# ${kills} kills so far`);

for (const [engine, kills] of [
  ['sqlite', values.jobs ? sqliteKills : 0],
  ['postgres', values.jobs ? postgresKills : 0],
] as const)
  test(`${kills} kills during jobs and retries on ${engine}, seed ${seed}`, {
    skip: kills === 0 || (engine === 'postgres' && postgresAbsence),
  }, async (t) => {
    const database = await emptyDatabase(t, engine);
    t.diagnostic(JSON.stringify(await killJobsRepeatedly({ database, kills, seed, onProgress })));
  });

/** A quarter of the kills target the data layer alone, where they are fastest. */
const ofDataLayer = (kills: number): number =>
  values.jobs || values.only === 'server' ? 0 : values.only === 'data' ? kills : Math.floor(kills / 4);

for (const [engine, kills] of [
  ['sqlite', ofDataLayer(sqliteKills)],
  ['postgres', ofDataLayer(postgresKills)],
] as const)
  test(`${kills} kills of the data layer on ${engine}, seed ${seed}`, {
    skip: kills === 0 || (engine === 'postgres' && postgresAbsence),
  }, async (t) => {
    const report = await killStorageRepeatedly(await emptyDatabase(t, engine), kills, seed);
    t.diagnostic(JSON.stringify(report));
  });

const sqliteServerKills = values.jobs ? 0 : sqliteKills - ofDataLayer(sqliteKills);
test(`${sqliteServerKills} kills of the server and its parts on SQLite, seed ${seed}`, {
  skip: sqliteServerKills === 0,
}, async (t) => {
  const database = await emptyDatabase(t, 'sqlite');
  t.diagnostic(JSON.stringify(await killServerRepeatedly({ database, kills: sqliteServerKills, seed, onProgress })));
});

const postgresServerKills = values.jobs ? 0 : postgresKills - ofDataLayer(postgresKills);
test(`${postgresServerKills} kills of the server, its parts and its PostgreSQL, seed ${seed}`, {
  skip: postgresServerKills === 0 || (programs === undefined && 'PostgreSQL is not installed'),
}, async (t) => {
  const postgres = await startTestPostgres(programs!);
  t.after(() => postgres.close());
  const database = { dataDir: 'unused', databaseUrl: postgres.databaseUrl };
  const killDatabase = (part: Parameters<typeof postgres.kill>[0]) => postgres.kill(part);
  const options = { database, kills: postgresServerKills, seed, killDatabase, onProgress };
  t.diagnostic(JSON.stringify(await killServerRepeatedly(options)));
});
