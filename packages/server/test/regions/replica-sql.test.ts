import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sql } from '#kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { setVocabulary } from '../../src/accounts/vocabulary/vocabulary.ts';
import { readAccessVersion } from '../../src/storage/access-version.ts';
import { openStorage } from '../../src/storage/open.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { applyReplicaSql } from './replica-sql.ts';

/** A region that receives changes. `apply` changes a table like PostgreSQL's replication does. */
const replica = async (t: TestContext) => {
  const storage = await openStorage(await emptyDatabase(t, 'postgres'));
  t.after(() => storage.close());
  await applyReplicaSql(storage);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(storage.read);
  const apply = (change: (table: (name: string) => string) => string) =>
    storage.write.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`set local search_path = ''`.execute(trx);
      await sql.raw(change((name) => `${rows[0]!.schema}.${name}`)).execute(trx);
    });
  return { storage, apply };
};

test('servers notice replicated changes of every table', { skip: postgresAbsence }, async (t) => {
  const { storage, apply } = await replica(t);
  const { id: accountId } = await createAccount(storage, 'replicated');
  await createKey(storage, { accountId, name: 'replicated', createdBy: null });
  await setVocabulary(storage, accountId, ['Faircopy']);
  await apply((table) => `insert into ${table('budgets')} values ('${accountId}', '', 1000, null, 80, 1)`);
  for (const name of ['vocabulary_terms', 'budgets', 'api_keys', 'accounts']) {
    const before = await readAccessVersion(storage.read);
    await apply((table) => `delete from ${table(name)}`);
    assert.ok((await readAccessVersion(storage.read)) > before, name);
  }
});

test('a replicated budget is exact, also after it was removed for a while', { skip: postgresAbsence }, async (t) => {
  const { storage, apply } = await replica(t);
  const meter = new LedgerMeter(storage);
  const record = () => meter.record(entry({ isRefusable: true }));
  const setDaySeconds = (seconds: number) =>
    apply((table) => `insert into ${table('budgets')} values ('account-1', '', ${seconds * 1000}, null, 80, 1)`);
  await record();
  await setDaySeconds(30);
  await record();
  await assert.rejects(record(), { code: 'BUDGET_EXCEEDED' });
  await apply((table) => `delete from ${table('budgets')}`);
  await record();
  await setDaySeconds(60);
  await record();
  await assert.rejects(record(), { code: 'BUDGET_EXCEEDED' });
  await meter.close();
});
