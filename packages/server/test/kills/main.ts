// The long version of the kill tests: `npm run test:kills -- [on SQLite] [on PostgreSQL] [seed] [--only server|data] [--jobs]`,
// numbers of kills. With --jobs they are for jobs and retries with idempotency keys alone.
import test from 'node:test';
import { parseArgs } from 'node:util';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { killJobsRepeatedly } from './kill-jobs.ts';
import { killServerRepeatedly } from './kill-server.ts';
import { killStorageRepeatedly } from './kill-storage.ts';
import { postgresPrograms, startOwnPostgres } from './own-postgres.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, jobs: { type: 'boolean' } },
});
const [sqliteKills = 250, postgresKills = 60, seed = Date.now() % 1_000_000] = positionals.map(Number);
const programs = postgresPrograms();

/** A long run shows how far it is. */
const onProgress = (kills: number): void => console.log(`# ${kills} kills so far`);

for (const [engine, kills] of [
  ['sqlite', values.jobs ? sqliteKills : 0],
  ['postgres', values.jobs ? postgresKills : 0],
] as const)
  test(`${kills} kills while jobs and retries are under way on ${engine}, seed ${seed}`, {
    skip: kills === 0 || (engine === 'postgres' && postgresAbsence),
  }, async (t) => {
    const database = await emptyDatabase(t, engine);
    t.diagnostic(JSON.stringify(await killJobsRepeatedly({ database, kills, seed, onProgress })));
  });

/** A quarter of the kills is for the data layer alone, where they are quickest. */
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
  const postgres = await startOwnPostgres(programs!);
  t.after(() => postgres.close());
  const database = { dataDir: 'unused', databaseUrl: postgres.databaseUrl };
  const killDatabase = (part: Parameters<typeof postgres.kill>[0]) => postgres.kill(part);
  const options = { database, kills: postgresServerKills, seed, killDatabase, onProgress };
  t.diagnostic(JSON.stringify(await killServerRepeatedly(options)));
});
