import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import { emptyDatabase } from '../testing/engines.ts';
import { DataFolderInUseError, dataFolderHolder, lockDataFolder } from './data-folder-lock.ts';

const heldByAnother = async (folder: string) => {
  const child = fork(new URL('../testing/lock-entry.js', import.meta.url), [folder]);
  await once(child, 'message');
  return child;
};

test('a second server on a data folder is refused, with the pid of the first', async (t) => {
  const { dataDir } = await emptyDatabase(t, 'sqlite');
  const child = await heldByAnother(dataDir);
  await assert.rejects(lockDataFolder(dataDir), (error: DataFolderInUseError) => {
    assert.ok(error instanceof DataFolderInUseError);
    assert.equal(error.pid, child.pid);
    return true;
  });
  assert.equal(await dataFolderHolder(dataDir), child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await dataFolderHolder(dataDir), null);
  const lock = await lockDataFolder(dataDir);
  assert.equal(await dataFolderHolder(dataDir), process.pid);
  await lock.close();
  assert.equal(await dataFolderHolder(dataDir), null);
});

test('reading the holder of a folder creates no files', async (t) => {
  const { dataDir } = await emptyDatabase(t, 'sqlite');
  assert.equal(await dataFolderHolder(dataDir), null);
  assert.deepEqual(await readdir(dataDir), []);
});
