// Tests writes while another process holds SQLite's write lock: waits in the queue must not add up.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from '#kysely';
import { FILE_NAME, openStorage, type Storage } from '../open.ts';
import type { Database } from '../schema.ts';
import { accountNames, addAccount } from '../testing/accounts.ts';
import { emptyDatabase } from '../testing/engines.ts';
import { SqliteError } from './sqlite-thread.ts';

/** A database with another connection that can take its write lock. */
const opened = async (t: TestContext, lockWaitMs: number) => {
  const options = { ...(await emptyDatabase(t, 'sqlite')), lockWaitMs };
  const storage = await openStorage(options);
  t.after(() => storage.close());
  const other = new DatabaseSync(join(options.dataDir, FILE_NAME));
  t.after(() => other.close());
  return { storage, lock: () => other.exec('BEGIN IMMEDIATE'), unlock: () => other.exec('ROLLBACK') };
};

const addInTransaction = (db: Database, id: string) => db.transaction().execute((trx) => addAccount(trx, id));

/** How long the next write would wait for the lock. */
const nextWaitMs = async ({ write }: Storage): Promise<number> =>
  Number((await sql<{ timeout: number }>`pragma busy_timeout`.execute(write)).rows[0]?.timeout);

test('writes that wait behind one that cannot get the lock fail with it, and later ones hardly wait', async (t) => {
  const lockWaitMs = 1_000;
  const { storage, lock, unlock } = await opened(t, lockWaitMs);
  assert.equal(await nextWaitMs(storage), lockWaitMs);
  lock();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? addInTransaction : addAccount)(storage.write, `${n}`)),
  );
  const causes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
  assert.ok(causes[0] instanceof SqliteError && causes[0].sqliteCode === 5, String(causes[0]));
  assert.deepEqual([...new Set(causes)], [causes[0]], 'one wait for all');
  assert.ok((await nextWaitMs(storage)) < lockWaitMs);
  await assert.rejects(addInTransaction(storage.write, 'still locked'), /locked/);
  assert.ok((await nextWaitMs(storage)) < lockWaitMs, 'reading does not prove that the lock is free');

  unlock();
  await Promise.all(['a', 'b', 'c'].map((id) => addInTransaction(storage.write, id)));
  assert.equal(await nextWaitMs(storage), lockWaitMs);
  assert.deepEqual(await accountNames(storage), ['a', 'b', 'c']);
});

test('a write waits for a lock that is released in time', async (t) => {
  const { storage, lock, unlock } = await opened(t, 60_000);
  lock();
  const writing = Promise.all(['a', 'b'].map((id) => addInTransaction(storage.write, id)));
  // Reads do not need the lock.
  await storage.read.selectFrom('accounts').select('id').execute();
  unlock();
  await writing;
});
