import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { sql } from '#kysely';
import { Lifecycle } from '../../lib/process/lifecycle.ts';
import { FILE_NAME, openStorage } from '../open.ts';
import { DiskWatch, type DiskWatchParts, releaseSpare, SPARE_FILE } from './disk-watch.ts';

const MB = 1024 * 1024;

/** A folder that is deleted after everything that uses it has been closed. */
const folderOf = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-watch-'));
  const lifecycle = new Lifecycle();
  lifecycle.onClose('folder', () => rm(folder, { recursive: true, force: true }));
  t.after(() => lifecycle.close());
  return { folder, lifecycle };
};

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;

/** A watch on a simulated volume. `next` sets the free space and resolves after a check that began later. */
const watching = ({ folder, lifecycle }: Awaited<ReturnType<typeof folderOf>>, parts: Partial<DiskWatchParts> = {}) => {
  const disk = { freeBytes: 1000 * MB, totalBytes: 10_000 * MB };
  const reports: string[] = [];
  let wake = () => {};
  const watch = new DiskWatch({
    folder,
    databaseFile: FILE_NAME,
    readVolume: async () => {
      wake();
      return { ...disk };
    },
    truncateLog: async () => {},
    report: (state) => reports.push(state),
    checkMs: 1,
    ...parts,
  });
  lifecycle.own('watch', watch);
  const begun = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const next = async (freeBytes: number) => {
    disk.freeBytes = freeBytes;
    // The current check may have read the old value. The next one begins only after it has ended.
    for (let checks = 0; checks < 3; checks++) await begun();
    return reports.at(-1);
  };
  return { next };
};

test('a spare file is kept while there is enough space, and deleted when a server starts on a full disk', async (t) => {
  const used = await folderOf(t);
  const { folder } = used;
  const { next } = watching(used);
  const spare = join(folder, SPARE_FILE);
  assert.equal(await next(1000 * MB), 'enough');
  assert.equal(await sizeOf(spare), 8 * MB);
  assert.equal(await next(100 * MB), 'short');
  assert.equal(await next(3 * MB), 'full');
  assert.equal(await sizeOf(spare), 8 * MB, 'kept for the next start');
  const volume = (freeBytes: number) => async () => ({ freeBytes, totalBytes: 10_000 * MB });
  assert.equal(await releaseSpare(folder, volume(100 * MB)), false);
  assert.equal(await sizeOf(spare), 8 * MB);
  assert.equal(await releaseSpare(folder, volume(0)), true);
  assert.equal(await sizeOf(spare), 0);
  assert.equal(await next(100 * MB), 'short');
  assert.equal(await sizeOf(spare), 0);
  await next(1000 * MB);
  assert.equal(await sizeOf(spare), 8 * MB);
});

test('a large write-ahead log is truncated when space is short', async (t) => {
  const used = await folderOf(t);
  const { folder } = used;
  const storage = used.lifecycle.own('storage', await openStorage({ dataDir: folder }));
  const log = join(folder, `${FILE_NAME}-wal`);
  await sql`create table filler (bytes blob)`.execute(storage.write);
  await sql`insert into filler values (zeroblob(${8 * MB}))`.execute(storage.write);
  assert.ok((await sizeOf(log)) > 8 * MB);
  const truncateLog = () => sql`pragma wal_checkpoint(truncate)`.execute(storage.write);
  const { next } = watching(used, { truncateLog });
  await next(1000 * MB);
  assert.ok((await sizeOf(log)) > 8 * MB);
  await next(100 * MB);
  assert.equal(await sizeOf(log), 0);
});
