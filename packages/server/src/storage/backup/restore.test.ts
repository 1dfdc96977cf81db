import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chown, copyFile, link, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { LOCK_FILES, lockDataFolder } from '../files/data-folder-lock.ts';
import { FILE_NAME, openStorage, type Storage } from '../open.ts';
import { accountNamesIn, addAccount } from '../testing/accounts.ts';
import { emptyDatabase } from '../testing/engines.ts';
import { BackupError, backUp, verifyBackup } from './backup.ts';
import { applyStagedRestore, type Restored, restore, STAGED_NAME } from './restore.ts';

const isRoot = process.getuid?.() === 0;

/** A database with account "a" in its copy, and "b" added after the copy was made. */
const withCopy = async (t: TestContext): Promise<{ dataDir: string; file: string; storage: Storage }> => {
  const { dataDir } = await emptyDatabase(t, 'sqlite');
  const file = join((await emptyDatabase(t, 'sqlite')).dataDir, 'copy.db');
  const storage = await openStorage({ dataDir });
  await addAccount(storage.write, 'a');
  await backUp(dataDir, file);
  await addAccount(storage.write, 'b');
  return { dataDir, file, storage };
};

test('with a running server, the backup is staged and restored at the next start', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  const lock = await lockDataFolder(dataDir);
  await assert.rejects(restore(dataDir, file), /--force/);
  const staged = await restore(dataDir, file, { force: true });
  assert.ok('staged' in staged);
  assert.deepEqual([staged.pid, staged.contents.accounts], [process.pid, 1]);
  // The running server keeps its database.
  await addAccount(storage.write, 'c');
  await storage.close();
  await lock.close();
  const { previous } = (await applyStagedRestore(dataDir))!;
  assert.deepEqual(await accountNamesIn(dataDir), ['a']);
  assert.equal((await verifyBackup(previous!)).accounts, 3);
  assert.equal(await applyStagedRestore(dataDir), null);
  assert.equal((await stat(join(dataDir, FILE_NAME))).mode & 0o777, 0o600);
});

test('a backup staged by root belongs to the owner of the folder', { skip: !isRoot && 'needs root' }, async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  await storage.close();
  await chown(dataDir, 65_534, 65_534);
  await restore(dataDir, file, { force: true });
  for (const name of [FILE_NAME, LOCK_FILES[0]]) assert.equal((await stat(join(dataDir, name))).uid, 65_534, name);
});

test('a second staged backup replaces the first', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  const lock = await lockDataFolder(dataDir);
  await restore(dataDir, file, { force: true });
  await backUp(dataDir, file, { force: true });
  await restore(dataDir, file, { force: true });
  await storage.close();
  await lock.close();
  assert.equal((await applyStagedRestore(dataDir))!.contents.accounts, 2);
});

test('a staged backup that is damaged is reported, and the database stays', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  const lock = await lockDataFolder(dataDir);
  await restore(dataDir, file, { force: true });
  await storage.close();
  await lock.close();
  const staged = join(dataDir, STAGED_NAME);
  await writeFile(staged, (await readFile(staged)).subarray(0, 5000));
  await assert.rejects(applyStagedRestore(dataDir), (error: Error) => {
    assert.ok(error instanceof BackupError);
    assert.match(error.message, /Delete .*faircopy\.db\.restore to keep the current database/);
    return true;
  });
  assert.deepEqual(await accountNamesIn(dataDir), ['a', 'b']);
});

test("rows in the source's write-ahead log are restored", async (t) => {
  const { dataDir, storage } = await withCopy(t);
  const elsewhere = (await emptyDatabase(t, 'sqlite')).dataDir;
  for (const suffix of ['', '-wal'])
    await copyFile(join(dataDir, `${FILE_NAME}${suffix}`), join(elsewhere, `x.db${suffix}`));
  await storage.close();
  const fresh = (await emptyDatabase(t, 'sqlite')).dataDir;
  await restore(fresh, join(elsewhere, 'x.db'));
  assert.deepEqual(await accountNamesIn(fresh), ['a', 'b']);
  await assert.rejects(restore(fresh, join(fresh, FILE_NAME), { force: true }), /the database itself/);
});

test('a corrupt database is replaced and kept under another name', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  await storage.close();
  const damage = Buffer.from('no database any more'.repeat(500));
  await writeFile(join(dataDir, FILE_NAME), damage);
  const { previous } = (await restore(dataDir, file, { force: true })) as Restored;
  assert.deepEqual(await accountNamesIn(dataDir), ['a']);
  assert.deepEqual(await readFile(previous!), damage);
});

test('a restore while a command reads is refused and not staged', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  await assert.rejects(restore(dataDir, file, { force: true }), /in use by another command/);
  await storage.close();
  assert.equal(await applyStagedRestore(dataDir), null);
  assert.deepEqual(await accountNamesIn(dataDir), ['a', 'b']);
});

test('an interrupted restore is resumed', async (t) => {
  const { dataDir, file, storage } = await withCopy(t);
  const lock = await lockDataFolder(dataDir);
  await restore(dataDir, file, { force: true });
  await storage.close();
  await lock.close();
  const { mtimeMs } = await stat(join(dataDir, STAGED_NAME));
  const at = new Date(Math.floor(mtimeMs)).toISOString().replace(/[-:.]/g, '');
  const previous = join(dataDir, `${FILE_NAME}.before-restore-${at}`);
  await link(join(dataDir, FILE_NAME), previous);
  assert.equal((await applyStagedRestore(dataDir))!.previous, previous);
  assert.deepEqual(await accountNamesIn(dataDir), ['a']);
  assert.equal((await verifyBackup(previous)).accounts, 2);
});

/** Reads a copy, because a connection of this process could keep the file locked. */
const accountsIn = async (t: TestContext, dataDir: string): Promise<number> => {
  const elsewhere = (await emptyDatabase(t, 'sqlite')).dataDir;
  for (const suffix of ['', '-wal'])
    await copyFile(join(dataDir, `${FILE_NAME}${suffix}`), join(elsewhere, `x.db${suffix}`)).catch((cause) => {
      if (suffix === '') throw cause;
    });
  return (await verifyBackup(join(elsewhere, 'x.db'))).accounts;
};

test('after a kill at any moment, the database is either the old or the new one', async (t) => {
  const { dataDir: made, file, storage } = await withCopy(t);
  const lock = await lockDataFolder(made);
  await restore(made, file, { force: true });
  await storage.close();
  await lock.close();
  const entry = new URL('../testing/restore-entry.js', import.meta.url);
  const seen = new Set<number>();
  for (const delayMs of [0, 1, 2, 3, 5, 8, 13]) {
    const { dataDir } = await emptyDatabase(t, 'sqlite');
    for (const name of [FILE_NAME, STAGED_NAME]) await copyFile(join(made, name), join(dataDir, name));
    const child = fork(entry, [dataDir]);
    await once(child, 'message');
    const gone = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), delayMs);
    await gone;
    const accounts = await accountsIn(t, dataDir);
    seen.add(accounts);
    const isStaged = (await readdir(dataDir)).includes(STAGED_NAME);
    assert.equal(accounts, isStaged ? 2 : 1);
    await applyStagedRestore(dataDir);
    assert.equal(await accountsIn(t, dataDir), 1);
  }
  t.diagnostic(`accounts found after the kills: ${[...seen].join(' and ')}`);
});
