// Tests a disk that is full at start: the server starts, reports the cause, can delete, and recovers.
import assert from 'node:assert/strict';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { sql } from '#kysely';
import { quiet } from '../../src/speech/testing/tones.ts';
import { SPARE_FILE } from '../../src/storage/files/disk-watch.ts';
import { file, form, MODEL, wavOf } from '../http/forms.ts';
import { failure, type Service, startService } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';
import { smallDisk } from './small-disk.ts';

const CLIP = form(MODEL, file(wavOf(quiet(0.5))));
const KB = 1024;

const readyz = async ({ url }: Service) =>
  (await (await fetch(`${url}/readyz`)).json()) as { status: string; message?: string };

/** Starts a service whose folder outlives it. */
const started = async (t: TestContext, dataDir: string) => {
  const closers: (() => Promise<void>)[] = [];
  const service = await startService({ after: (close) => closers.push(close) }, { config: { dataDir } });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      for (const closer of closers) await closer();
    })();
    return closing;
  };
  t.after(close);
  return { service, close };
};

test('a server starts on a full disk, refuses with the cause, deletes, and recovers with space', async (t) => {
  const dataDir = smallDisk(t, 24);
  if (dataDir === undefined) return t.skip('mounting is not permitted here');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  };
  const fillTo = (bytes: number) => {
    const excess = freeBytes() - bytes;
    if (excess > 0) writeFileSync(join(dataDir, 'filler'), Buffer.alloc(excess, 1), { flag: 'a' });
  };
  const first = await started(t, dataDir);
  assert.equal((await first.service.post(CLIP)).status, 200);
  await sql`create table bulk (bytes blob)`.execute(first.service.app.storage.write);
  await sql`insert into bulk values (zeroblob(${4_000 * KB}))`.execute(first.service.app.storage.write);
  await eventually(
    () => existsSync(join(dataDir, SPARE_FILE)),
    (isThere) => isThere,
  );
  await first.close();
  fillTo(0);
  assert.equal(freeBytes(), 0);

  const second = await started(t, dataDir);
  assert.ok(!existsSync(join(dataDir, SPARE_FILE)));
  fillTo(600 * KB);
  const { message } = await eventually(
    () => readyz(second.service),
    ({ status }) => status === 'failed',
  );
  assert.equal(message, 'the disk of the data folder is full');
  const refused = await second.service.post(CLIP);
  assert.equal(refused.status, 503);
  assert.match((await failure(refused)).error.message, /disk of the data folder is full/);
  await sql`delete from bulk`.execute(second.service.app.storage.write);
  await sql`pragma wal_checkpoint(truncate)`.execute(second.service.app.storage.write);
  await second.close();

  const third = await started(t, dataDir);
  rmSync(join(dataDir, 'filler'));
  await eventually(
    async () => (await third.service.post(CLIP)).status,
    (status) => status === 200,
  );
  assert.equal((await readyz(third.service)).status, 'ready');
});
