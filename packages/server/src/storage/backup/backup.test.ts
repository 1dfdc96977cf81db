import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openStorage, type Storage } from '../open.ts';
import { accountNamesIn, addAccount } from '../testing/accounts.ts';
import { emptyDatabase } from '../testing/engines.ts';
import { BackupError, backUp, verifyBackup } from './backup.ts';
import { restore } from './restore.ts';

const running = async (t: TestContext): Promise<{ dataDir: string; storage: Storage; file: string }> => {
  const { dataDir } = await emptyDatabase(t, 'sqlite');
  const elsewhere = await emptyDatabase(t, 'sqlite');
  const storage = await openStorage({ dataDir });
  await addAccount(storage.write, 'a');
  return { dataDir, storage, file: join(elsewhere.dataDir, 'copy.db') };
};

test('a backup taken during writes can be restored elsewhere', async (t) => {
  const { dataDir, storage, file } = await running(t);
  const copying = backUp(dataDir, file);
  await addAccount(storage.write, 'later');
  const contents = await copying;
  await storage.close();
  assert.equal((await verifyBackup(file)).accounts, contents.accounts);
  const fresh = await emptyDatabase(t, 'sqlite');
  await restore(fresh.dataDir, file);
  assert.equal((await accountNamesIn(fresh.dataDir)).length, contents.accounts);
  assert.deepEqual(await readdir(join(file, '..')), ['copy.db']);
});

test('nothing is replaced without --force, and the old database is kept', async (t) => {
  const { dataDir, storage, file } = await running(t);
  await backUp(dataDir, file);
  await assert.rejects(backUp(dataDir, file), BackupError);
  await addAccount(storage.write, 'b');
  await storage.close();
  await assert.rejects(restore(dataDir, file), BackupError);
  assert.deepEqual(await accountNamesIn(dataDir), ['a', 'b']);
  const restored = await restore(dataDir, file, { force: true });
  assert.ok('previous' in restored);
  assert.deepEqual(await accountNamesIn(dataDir), ['a']);
  assert.equal((await verifyBackup(restored.previous!)).accounts, 2);
});

test('a damaged backup is refused and changes nothing', async (t) => {
  const { dataDir, storage, file } = await running(t);
  await backUp(dataDir, file);
  await storage.close();
  const bytes = await readFile(file);
  const before = await readdir(dataDir);
  for (const damaged of [bytes.subarray(0, bytes.length / 2), Buffer.from('no database at all'), Buffer.alloc(0)]) {
    await writeFile(file, damaged);
    await assert.rejects(restore(dataDir, file, { force: true }), BackupError);
  }
  bytes.fill(0xff, 4096 * 3, 4096 * 6);
  await writeFile(file, bytes);
  await assert.rejects(restore(dataDir, file, { force: true }), BackupError);
  assert.deepEqual(await accountNamesIn(dataDir), ['a']);
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.endsWith('.db')),
    before.filter((name) => name.endsWith('.db')),
  );
});
