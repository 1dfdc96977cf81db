import assert from 'node:assert/strict';
import test from 'node:test';
import { Kysely, sql } from '#kysely';
import { openStorage } from './open.ts';
import { postgresDialect } from './postgres.ts';
import { emptyDatabase, postgresAbsence } from './testing/engines.ts';
import { postgresProxy } from './testing/postgres-proxy.ts';

const one = (db: Kysely<unknown>) => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one);

test('a silent network times out one statement, not all that follow', {
  skip: postgresAbsence,
}, async (t) => {
  const proxy = await postgresProxy(await emptyDatabase(t, 'postgres'));
  const dialect = await postgresDialect({
    url: proxy.options.databaseUrl!,
    connectionsMax: 1,
    statementMsMax: 100,
    plans: 'any',
  });
  const db = new Kysely<unknown>({ dialect });
  t.after(async () => {
    await db.destroy();
    await proxy.close();
  });
  assert.equal(await one(db), 1);
  proxy.set('silent');
  await assert.rejects(one(db), /timeout/);
  proxy.set('open');
  assert.equal(await one(db), 1);
});

test('a late statement is cancelled, and the connection stays usable', {
  skip: postgresAbsence,
}, async (t) => {
  const { databaseUrl } = await emptyDatabase(t, 'postgres');
  const db = new Kysely<unknown>({
    dialect: await postgresDialect({ url: databaseUrl!, connectionsMax: 1, statementMsMax: 50, plans: 'any' }),
  });
  t.after(() => db.destroy());
  await assert.rejects(sql`select pg_sleep(30)`.execute(db), /statement timeout/);
  assert.equal(await one(db), 1);
});

test('a storage may be opened without a limit for statements', { skip: postgresAbsence }, async (t) => {
  const { databaseUrl } = await emptyDatabase(t, 'postgres');
  const sleepIn = async (statementMsMax: number) => {
    const storage = await openStorage({ dataDir: '', databaseUrl, statementMsMax });
    t.after(() => storage.close());
    await sql`select pg_sleep(0.2)`.execute(storage.write);
  };
  await assert.rejects(sleepIn(20), /statement timeout/);
  await sleepIn(0);
});

test('sums, counts and times are numbers', { skip: postgresAbsence }, async (t) => {
  const { databaseUrl } = await emptyDatabase(t, 'postgres');
  const db = new Kysely<unknown>({
    dialect: await postgresDialect({ url: databaseUrl!, connectionsMax: 1, statementMsMax: 5_000, plans: 'any' }),
  });
  t.after(() => db.destroy());
  const { rows } = await sql`select 9007199254740991::bigint as a, sum(x) as b, count(*) as c
    from (values (1.5::numeric), (2)) as t (x)`.execute(db);
  assert.deepEqual(rows[0], { a: Number.MAX_SAFE_INTEGER, b: 3.5, c: 2 });
});
