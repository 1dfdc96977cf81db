import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '#kysely';
import { type Migration, migrate, NewerSchemaError } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openStorage } from './open.ts';
import { accountNames, addAccount } from './testing/accounts.ts';
import { emptyDatabase, onBothEngines, postgresAbsence } from './testing/engines.ts';

const applied = async (db: Parameters<typeof migrate>[1]): Promise<number[]> =>
  (await sql<{ version: number }>`select version from schema_migrations order by version`.execute(db)).rows.map(
    ({ version }) => version,
  );

const adding = (name: string, then: () => Promise<void> = async () => {}): Migration => ({
  version: MIGRATIONS.length + 1,
  name,
  async up({ schema }) {
    await schema.createTable(name).addColumn('id', 'integer').execute();
    await then();
  },
});

test('migrations are numbered in order, without gaps', () => {
  assert.deepEqual(
    MIGRATIONS.map(({ version }) => version),
    MIGRATIONS.map((_, index) => index + 1),
  );
});

for (const engine of ['sqlite', 'postgres'] as const)
  test(`several servers can start at once on an empty database (${engine})`, {
    skip: engine === 'postgres' && postgresAbsence,
  }, async (t) => {
    const options = await emptyDatabase(t, engine);
    const opened = await Promise.all(Array.from({ length: 5 }, () => openStorage(options)));
    assert.deepEqual(
      await applied(opened[0]!.write),
      MIGRATIONS.map(({ version }) => version),
    );
    await Promise.all(opened.map((storage) => storage.close()));
  });

onBothEngines('a migration is applied once and keeps the data', async (_t, { engine, storage }) => {
  await addAccount(storage.write, 'a');
  const more = [...MIGRATIONS, adding('later')];
  await migrate(engine, storage.write, more);
  await migrate(engine, storage.write, more);
  assert.deepEqual(
    await applied(storage.write),
    [...more.keys()].map((index) => index + 1),
  );
  assert.deepEqual(await accountNames(storage), ['a']);
});

onBothEngines('a failed migration is rolled back', async (_t, { engine, storage }) => {
  const failing = adding('broken', () => Promise.reject(new Error('half-way')));
  await assert.rejects(migrate(engine, storage.write, [...MIGRATIONS, failing]), /half-way/);
  await assert.rejects(sql`select * from broken`.execute(storage.write));
  assert.equal((await applied(storage.write)).length, MIGRATIONS.length);
});

onBothEngines('a newer schema is refused with a hint', async (_t, { storage, options }) => {
  await sql`insert into schema_migrations (version, name, applied_at_ms) values (99, 'future', 1)`.execute(
    storage.write,
  );
  await assert.rejects(openStorage(options), (thrown) => {
    assert.ok(thrown instanceof NewerSchemaError);
    assert.match(thrown.message, /version 99.*newer release/s);
    return true;
  });
});
