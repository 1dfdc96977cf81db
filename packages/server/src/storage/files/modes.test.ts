import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { openStorage } from '../open.ts';
import { emptyDatabase } from '../testing/engines.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const modesIn = async (folder: string) =>
  Promise.all((await readdir(folder)).sort().map(async (name) => [name, await modeOf(join(folder, name))]));
const skip = process.platform === 'win32' && 'Windows has no such modes';

test('a new database is readable by its user only, with any umask', { skip }, async (t) => {
  const { dataDir: parent } = await emptyDatabase(t, 'sqlite');
  const umask = process.umask(0o000);
  t.after(() => process.umask(umask));
  const dataDir = join(parent, 'data');
  const storage = await openStorage({ dataDir });
  await storage.read.selectFrom('accounts').selectAll().execute();
  assert.equal(await modeOf(dataDir), '700');
  assert.deepEqual(await modesIn(dataDir), [
    ['faircopy.db', '600'],
    ['faircopy.db-shm', '600'],
    ['faircopy.db-wal', '600'],
  ]);
  await storage.close();
});

test('files and a folder that other users can read are restricted at the next start, with a notice', {
  skip,
}, async (t) => {
  const { dataDir: parent } = await emptyDatabase(t, 'sqlite');
  const dataDir = join(parent, 'data');
  await (await openStorage({ dataDir })).close();
  await chmod(dataDir, 0o755);
  await chmod(join(dataDir, 'faircopy.db'), 0o644);
  const notices: string[] = [];
  const storage = await openStorage({ dataDir, onNotice: (text) => notices.push(text) });
  assert.deepEqual(await modesIn(dataDir).then((modes) => modes[0]), ['faircopy.db', '600']);
  assert.equal(await modeOf(dataDir), '700');
  assert.equal(notices.length, 2, notices.join('\n'));
  for (const notice of notices) assert.match(notice, /is readable by other users \(mode 0(755|644)\); changed to/);
  await storage.close();
  const silent: string[] = [];
  await (await openStorage({ dataDir, onNotice: (text) => silent.push(text) })).close();
  assert.deepEqual(silent, []);
});

test('a folder with other files keeps its mode, with a notice', { skip }, async (t) => {
  const { dataDir: parent } = await emptyDatabase(t, 'sqlite');
  const dataDir = join(parent, 'shared');
  await mkdir(dataDir, { mode: 0o755 });
  await writeFile(join(dataDir, 'notes.txt'), '');
  const notices: string[] = [];
  const storage = await openStorage({ dataDir, onNotice: (text) => notices.push(text) });
  assert.equal(await modeOf(dataDir), '755');
  assert.match(notices.join('\n'), /left unchanged/);
  assert.equal(await modeOf(join(dataDir, 'faircopy.db')), '600');
  await storage.close();
});
