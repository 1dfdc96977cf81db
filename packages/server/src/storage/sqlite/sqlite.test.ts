import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sql } from '#kysely';
import { openStorage, type Storage } from '../open.ts';
import { accountNames, addAccount } from '../testing/accounts.ts';
import { emptyDatabase } from '../testing/engines.ts';
import { SqliteThread } from './sqlite-thread.ts';

const opened = async (t: TestContext): Promise<Storage> => {
  const storage = await openStorage(await emptyDatabase(t, 'sqlite'));
  t.after(() => storage.close());
  return storage;
};

test('a commit survives a power cut', async (t) => {
  const { write } = await opened(t);
  const pragma = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(write)).rows[0] as object)[0];
  assert.equal(await pragma('journal_mode'), 'wal');
  assert.equal(await pragma('synchronous'), 2);
  assert.equal(await pragma('foreign_keys'), 1);
});

test('a long query blocks neither the event loop nor a write', async (t) => {
  const storage = await opened(t);
  let done = false;
  const long =
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n`
      .execute(storage.report)
      .then(() => {
        done = true;
      });
  await addAccount(storage.write, 'a');
  assert.equal(done, false);
  await long;
});

test('a failed transaction is rolled back, and waiting callers continue', async (t) => {
  const storage = await opened(t);
  const failing = storage.write.transaction().execute(async (trx) => {
    await addAccount(trx, 'a');
    await addAccount(trx, 'a');
  });
  const waiting = addAccount(storage.write, 'b');
  await assert.rejects(failing, /UNIQUE/);
  await waiting;
  assert.deepEqual(await accountNames(storage), ['b']);
});

test('a thread that dies in a transaction rolls it back; later statements run in a new thread', async (t) => {
  const storage = await opened(t);
  const broken = storage.write.transaction().execute(async (trx) => {
    await addAccount(trx, 'a');
    // A moved or damaged file makes writes fail as read-only, and the thread is replaced.
    await sql`pragma query_only = on`.execute(trx);
    await assert.rejects(addAccount(trx, 'x'), /readonly/);
    await addAccount(trx, 'b');
  });
  await assert.rejects(broken, /readonly/);
  await addAccount(storage.write, 'c');
  assert.deepEqual(await accountNames(storage), ['c']);
});

test('a read connection cannot write', async (t) => {
  const storage = await opened(t);
  await assert.rejects(addAccount(storage.read, 'a'), /readonly/);
  assert.deepEqual(await accountNames(storage), []);
});

test('a query on a closed database fails at once', async (t) => {
  const storage = await openStorage(await emptyDatabase(t, 'sqlite'));
  const waiting = Promise.allSettled(Array.from({ length: 20 }, (_, n) => addAccount(storage.write, `${n}`)));
  await storage.close();
  await waiting;
  await assert.rejects(storage.write.selectFrom('accounts').selectAll().execute());
});

test('a thread that ends fails every pending request', async (t) => {
  const { dataDir } = await emptyDatabase(t, 'sqlite');
  const thread = new SqliteThread({ path: `${dataDir}/x.db`, access: 'write', lockWaitMs: 1_000 });
  await thread.ready;
  const ask = () => thread.send({ kind: 'statement', sql: 'select 1', parameters: [] });
  const answers = Promise.allSettled(Array.from({ length: 50 }, ask));
  await thread.discard('ended by the test');
  for (const answer of await answers) assert.equal(answer.status, 'rejected');
  await assert.rejects(thread.send({ kind: 'rollback' }), /ended by the test/);
});

test('a file that is not a database is refused', async (t) => {
  const { writeFile } = await import('node:fs/promises');
  const options = await emptyDatabase(t, 'sqlite');
  await writeFile(
    `${options.dataDir}/faircopy.db`,
    'this is not a database, but long enough to be looked at'.repeat(100),
  );
  await assert.rejects(openStorage(options), /not a database/);
});
