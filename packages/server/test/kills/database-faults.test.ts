// Tests database failures: every caller gets 503 and is not billed, and the service recovers without a restart.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from '#kysely';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { postgresProxy } from '../../src/storage/testing/postgres-proxy.ts';
import { assertSumsAgree } from '../../src/usage/testing/ledger.ts';
import { file, form, MODEL, wavOf } from '../http/forms.ts';
import { failure, type Service, startService, success } from '../http/service.ts';
import { eventually, rejection } from '../stream/stream-server.ts';
import { smallDisk } from './small-disk.ts';

const CLIP = form(MODEL, file(wavOf(spoken(story(3)))));

const streamAddress = ({ url, key }: Service): string =>
  `${url.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite`;

/** Checks that concurrent files and a stream get 503 with Retry-After. Omit the stream if every write waits long. */
const assertRefused = async (service: Service, { withStream = true } = {}): Promise<void> => {
  const before = await unavailable(service);
  const responses = await Promise.all(Array.from({ length: 4 }, () => service.post(CLIP)));
  for (const response of responses) {
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) >= 1);
    assert.equal((await failure(response)).error.code, 'SERVICE_UNAVAILABLE');
  }
  if (withStream) assert.equal((await rejection(streamAddress(service))).status, 503);
  assert.equal((await unavailable(service)) - before, withStream ? 5 : 4, 'every refusal is counted');
};

/** Refusals in the metrics, with and without a usage row. */
const unavailable = async ({ app }: Service): Promise<number> => {
  const { text } = await app.metrics.page();
  const lines = text.matchAll(/^faircopy_requests(?:_refused)?_total\{[^}]*code="SERVICE_UNAVAILABLE"[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
};

/** Checks that the service recovers without a restart, and that refused requests are not billed. */
const assertRecovers = async (service: Service, successesBefore: number): Promise<void> => {
  await eventually(
    async () => (await service.post(CLIP)).status,
    (status) => status === 200,
  );
  // After an uncertain commit, the ledger is reconciled a moment later.
  const rows = await eventually(
    () => service.rows(),
    (all) => all.filter(({ status }) => status === 'success').length === successesBefore + 1,
  );
  for (const { status, billedSeconds } of rows) assert.ok(status === 'success' || billedSeconds === 0);
  await assertSumsAgree(service.app.storage);
};

test('a read-only database: 503 for files and streams, and recovery', async (t) => {
  const service = await startService(t);
  await success(await service.post(CLIP));
  for (const table of ['usage_records', 'stream_leases'])
    await sql`create trigger ${sql.raw(`no_${table}`)} before insert on ${sql.raw(table)}
      begin select raise(abort, 'attempt to write a readonly database'); end`.execute(service.app.storage.write);
  await assertRefused(service);
  for (const table of ['usage_records', 'stream_leases'])
    await sql`drop trigger ${sql.raw(`no_${table}`)}`.execute(service.app.storage.write);
  await assertRecovers(service, 1);
});

test('a disk that fills up during a commit: 503, and recovery once there is space', async (t) => {
  const dataDir = smallDisk(t, 3);
  if (dataDir === undefined) return t.skip('mounting is not permitted here');
  const service = await startService(t, { config: { dataDir } });
  await success(await service.post(CLIP));
  // Free pages in the write-ahead log are used up first.
  const filler = join(dataDir, 'filler');
  const fill = () => {
    try {
      writeFileSync(filler, Buffer.alloc(4_096), { flag: 'a' });
      return true;
    } catch {
      return false;
    }
  };
  while (fill());
  let successes = 1;
  for (let nth = 0; nth < 500; nth++) {
    if ((await service.post(CLIP)).status !== 200) break;
    successes += 1;
  }
  const responses = await Promise.all(Array.from({ length: 4 }, () => service.post(CLIP)));
  assert.ok(responses.some(({ status }) => status === 503));
  successes += responses.filter(({ status }) => status === 200).length;
  rmSync(filler);
  await eventually(
    async () => (await service.post(CLIP)).status,
    (status) => status === 200,
  );
  await eventually(
    () => service.rows(),
    (rows) => rows.filter(({ status }) => status === 'success').length === successes + 1,
  );
  await assertSumsAgree(service.app.storage);
});

test('a slow disk delays responses and loses none; a stuck disk gives 503', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'faircopy-slow-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startService(t, { config: { dataDir } });
  // A held write lock delays every commit, like a slow disk.
  const other = new DatabaseSync(join(dataDir, 'faircopy.db'));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const waiting = Array.from({ length: 3 }, () => service.post(CLIP));
  await service.engine.until(({ asked }) => asked.filter(({ state }) => state === 'answered').length >= 3);
  await wait(2_000);
  other.exec('COMMIT');
  for (const response of await Promise.all(waiting)) await success(response);
  other.exec('BEGIN IMMEDIATE');
  await assertRefused(service, { withStream: false });
  other.exec('COMMIT');
  await assertRecovers(service, 3);
});

test('PostgreSQL whose name does not resolve: 503 for files and streams, and recovery', {
  skip: postgresAbsence,
}, async (t) => {
  const proxy = await postgresProxy(await emptyDatabase(t, 'postgres'));
  t.after(() => proxy.close());
  const url = new URL(proxy.options.databaseUrl!);
  url.hostname = 'localhost';
  const service = await startService(t, { config: { databaseUrl: url.href } });
  await success(await service.post(CLIP));
  const lost = t.mock.method(dns, 'lookup', (name: string, ...rest: unknown[]) => {
    const callback = rest.at(-1) as (failure: Error) => void;
    process.nextTick(callback, Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }));
  });
  proxy.set('shut');
  proxy.set('open');
  // The test's own requests use IP addresses, so the mock does not affect them.
  await assertRefused(service);
  lost.mock.restore();
  await assertRecovers(service, 1);
});
