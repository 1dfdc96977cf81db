// Jobs end to end: accepting, fetching, cancelling, listing.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { constantFlacFrame, nativeFlac } from '../audio/flac-writer.ts';
import { field, file, form, hum, MODEL, wavOf } from '../http/forms.ts';
import { failure, startService, success } from '../http/service.ts';
import { startJobService } from './job-service.ts';

const WORDS = story(4);
const WAV = wavOf(spoken(WORDS));
const CLIP = form(MODEL, file(WAV));

test("a job is accepted at once, and its result equals the file endpoint's", async (t) => {
  const service = await startJobService(t);
  service.engine.hold();
  const response = await service.submit(form(MODEL, field('include', 'segments'), file(WAV)));
  assert.equal(response.status, 202);
  const { job } = (await response.json()) as { job: { id: string; state: string } };
  assert.equal(response.headers.get('location'), `/v1/jobs/${job.id}`);
  assert.equal(job.state, 'waiting');
  service.engine.release();
  const { job: ended, answer } = await service.ended(job.id);
  assert.equal(ended.state, 'succeeded');
  const direct = await success(await service.post(form(MODEL, field('include', 'segments'), file(WAV))));
  assert.deepEqual({ ...answer, request_id: '' }, { ...direct, request_id: '' });
  assert.equal(answer?.request_id, job.id);
  const rows = await service.rows();
  assert.deepEqual(
    rows.map(({ request_id, status, billedSeconds }) => [request_id, status, billedSeconds]),
    [
      [job.id, 'success', 15],
      [direct.request_id, 'success', 15],
    ],
  );
});

test('with SQLite, jobs work without any setting and create their secret; an operator can turn them off', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-jobs-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const listed = async (jobs: boolean | undefined) => {
    const service = await startService(t, { config: { dataDir, jobs } });
    const response = await fetch(`${service.url}/v1/jobs`, { headers: { authorization: `Token ${service.key}` } });
    await service.app.close();
    return response.status;
  };
  const path = join(dataDir, 'faircopy.db.jobs-secret');
  assert.equal(await listed(false), 404);
  await assert.rejects(stat(path), { code: 'ENOENT' });
  assert.equal(await listed(undefined), 200);
  const secret = await readFile(path, 'utf8');
  assert.ok(secret.length >= 32);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await listed(undefined), 200);
  assert.equal(await readFile(path, 'utf8'), secret, 'the second start uses the same secret');
});

test('a file that cannot be transcribed is refused at once with the reason, and creates no job', async (t) => {
  const service = await startJobService(t);
  const text = await service.submit(form(MODEL, file(Buffer.from('just a text file, not a recording'))));
  assert.equal(text.status, 400);
  assert.equal((await failure(text)).error.code, 'AUDIO_FORMAT_UNSUPPORTED');
  const damaged = await service.submit(form(MODEL, file(Buffer.concat([WAV.subarray(0, 20), Buffer.alloc(64, 0x55)]))));
  assert.equal(damaged.status, 400);
  assert.deepEqual((await service.list()).jobs, []);
  const flac = nativeFlac(16_000, 1, [constantFlacFrame(1, 4096, 0), constantFlacFrame(1, 4096, 1)]);
  assert.equal((await service.submit(form(MODEL, file(Buffer.from(flac))))).status, 202, 'formats beyond the contract');
});

test('a job may be larger and longer than a file request, with its own limits', async (t) => {
  const service = await startJobService(t, {
    config: { jobsMaxFileMb: 1, jobsMaxDurationSeconds: 20, maxDurationSeconds: 5 },
  });
  const ten = await service.accepted(form(MODEL, file(wavOf(spoken(story(30))))));
  assert.equal((await service.ended(ten)).job.state, 'succeeded');
  const long = await service.submit(form(MODEL, file(wavOf(hum(25)))));
  assert.equal(long.status, 413);
  assert.equal((await failure(long)).error.code, 'AUDIO_TOO_LONG');
  const large = await service.submit(form(MODEL, file(Buffer.concat([WAV, Buffer.alloc(1024 * 1024)]))));
  assert.equal(large.status, 413);
  assert.match((await failure(large)).error.message, /1 MB/);
  const rows = await service.rows();
  assert.deepEqual(
    rows.map(({ status, billedSeconds }) => [status, billedSeconds]),
    [['success', 15]],
  );
});

test('an invalid job gets a 4xx, and nothing is stored', async (t) => {
  const service = await startJobService(t, { overrides: { receivers: { protocols: ['https:'] } } });
  const bad: [Buffer, RegExp][] = [
    [form(file(WAV)), /model/],
    [form(MODEL), /no file/],
    [form(MODEL, file(Buffer.alloc(0))), /empty/],
    [form(MODEL, field('webhook', 'no address'), file(WAV)), /webhook.*not valid/],
    [form(MODEL, field('webhook', 'http://example.com/'), file(WAV)), /Only https/],
    [form(MODEL, field('webhook', 'https://127.0.0.1/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://localhost:8443/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://[::1]/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://169.254.169.254/latest'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://10.1.2.3/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://0x7f.1/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://[::ffff:10.0.0.1]/'), file(WAV)), /not public/],
    [form(MODEL, field('webhook', 'https://user:pass@example.com/'), file(WAV)), /password/],
  ];
  for (const [body, message] of bad) {
    const response = await service.submit(body);
    assert.equal(response.status, 400, String(message));
    assert.match((await failure(response)).error.message, message);
  }
  assert.equal((await service.submit(CLIP, { authorization: 'Token wrong' })).status, 401);
  const { read } = service.app.storage;
  assert.deepEqual(await read.selectFrom('jobs').select('id').execute(), []);
  assert.deepEqual(await read.selectFrom('job_audio').select('job_id').execute(), []);
});

test('a waiting or running job can be cancelled; it is not billed and its audio is deleted', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  service.engine.hold();
  const running = await service.accepted(CLIP);
  await service.engine.until((engine) => engine.running > 0);
  const waiting = await service.accepted(CLIP);
  for (const id of [waiting, running]) {
    const response = await service.cancel(id);
    assert.equal(response.status, 200);
    assert.equal((await service.job(id)).job.state, 'cancelled');
    assert.equal((await service.cancel(id)).status, 200, 'cancelling again is allowed');
  }
  await service.engine.until((engine) => engine.running === 0);
  service.engine.release();
  const done = await service.accepted(CLIP);
  assert.equal((await service.ended(done)).job.state, 'succeeded');
  assert.equal((await failure(await service.cancel(done))).error.code, 'CONFLICT');
  assert.deepEqual(
    (await service.rows()).map(({ request_id }) => request_id),
    [done],
  );
  assert.deepEqual(await service.app.storage.read.selectFrom('job_audio').select('job_id').execute(), []);
});

test('only the key that created the job can read the result; other accounts do not see the job', async (t) => {
  const service = await startJobService(t);
  const { storage } = service.app;
  const { key: colleague } = await createKey(storage, { accountId: service.accountId, name: 'c', createdBy: null });
  const id = await service.accepted(CLIP);
  await service.ended(id);
  assert.equal((await service.get(id, colleague)).status, 403);
  const foreign = await fetch(`${service.url}/v1/jobs/${id}`, { headers: await service.stranger() });
  assert.equal(foreign.status, 404);
  assert.equal((await service.get('01K9ZQ5W0Q4T9Y6X2V8B3N7M1C')).status, 404);
  assert.equal((await service.get('nothing%00')).status, 404);
});

test('audio and results are encrypted at rest', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  const { read } = service.app.storage;
  service.engine.hold();
  const id = await service.accepted(form(MODEL, field('vocabulary', 'Zanzibar'), file(WAV)));
  await service.engine.until((engine) => engine.running > 0);
  const [part] = await read.selectFrom('job_audio').select('sealed').execute();
  assert.ok(part!.sealed.length > WAV.length);
  assert.ok(
    !Buffer.from(part!.sealed).includes('RIFF') && !Buffer.from(part!.sealed).includes(WAV.subarray(2_000, 2_040)),
  );
  service.engine.release();
  await service.ended(id);
  const row = await read.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  for (const bytes of [row.sealed_request, row.sealed_result!])
    for (const word of [...WORDS, 'Zanzibar', 'transcript']) assert.ok(!Buffer.from(bytes).includes(word));
  assert.deepEqual(await read.selectFrom('job_audio').select('job_id').execute(), []);
});

test('a retry with the same Idempotency-Key is the same job; another body is 422', async (t) => {
  const service = await startJobService(t);
  const headers = { 'idempotency-key': 'one' };
  const id = await service.accepted(CLIP, headers);
  const again = await service.submit(CLIP, headers);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(((await again.json()) as { job: { id: string } }).job.id, id);
  assert.equal((await service.submit(form(MODEL, file(wavOf(spoken(story(5))))), headers)).status, 422);
  await service.ended(id);
  assert.equal((await service.list()).jobs.length, 1);
  assert.equal((await service.rows()).length, 1);
});

test('jobs are listed newest first, page by page, by state', async (t) => {
  const service = await startJobService(t);
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await service.accepted(CLIP));
  for (const id of ids) await service.ended(id);
  const first = await service.list('?limit=3');
  assert.deepEqual(
    first.jobs.map(({ id }) => id),
    ids.slice(2).reverse(),
  );
  const second = await service.list(`?limit=3&before=${first.next_before}`);
  assert.deepEqual(
    second.jobs.map(({ id }) => id),
    ids.slice(0, 2).reverse(),
  );
  assert.equal(second.next_before, null);
  assert.equal((await service.list('?state=waiting')).jobs.length, 0);
  for (const query of ['?limit=0', '?limit=x', '?state=nothing', '?before=x']) {
    const response = await fetch(`${service.url}/v1/jobs${query}`, {
      headers: { authorization: `Token ${service.key}` },
    });
    assert.equal(response.status, 400, query);
  }
});
