// How jobs are run: priorities, turns, limits, restarts and failures.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import type { Capacity } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { field, file, form, hum, MODEL, wavOf } from '../http/forms.ts';
import { startJobService } from './job-service.ts';

const WORDS = story(4);
const CLIP = form(MODEL, file(wavOf(spoken(WORDS))));

test('live requests have priority: a job yields its recogniser and continues afterwards', async (t) => {
  const engine = new ScriptedEngine({ slots: 1 });
  const service = await startJobService(t, { engine });
  engine.hold();
  const id = await service.accepted(CLIP);
  await engine.until(({ running }) => running > 0);
  const live = service.post(form(MODEL, file(wavOf(spoken(story(3))))));
  await engine.until(({ asked }) => asked.length > 1);
  assert.equal(engine.asked[0]!.state, 'aborted');
  assert.equal(engine.asked[1]!.window.requestId === id, false);
  engine.release();
  assert.equal((await live).status, 200);
  const { answer } = await service.ended(id);
  assert.equal(answer?.result.transcript, WORDS.join(' '));
});

test('accounts take turns: many jobs of one do not delay the first of another', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  service.engine.hold();
  const many = [];
  for (let n = 0; n < 6; n++) many.push(await service.accepted(CLIP));
  const single = await service.accepted(CLIP, await service.stranger());
  service.engine.release();
  for (const id of many) await service.ended(id);
  const ends = await service.app.storage.read
    .selectFrom('jobs')
    .select(['id', 'ended_at_ms'])
    .orderBy('ended_at_ms')
    .execute();
  const order = ends.map(({ id }) => id);
  assert.ok(order.indexOf(single) <= 2, `it was number ${order.indexOf(single)}`);
});

test('jobs and their audio are limited per account, and audio in total', async (t) => {
  const service = await startJobService(t, { config: { jobsMaxWaiting: 2, jobsConcurrency: 1 } });
  service.engine.hold();
  await service.accepted(CLIP);
  await service.accepted(CLIP);
  const refused = await service.submit(CLIP);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await service.submit(CLIP, await service.stranger())).status, 202);
  const two = await startJobService(t, { config: { jobsMaxTotalMb: 4 } });
  two.engine.hold();
  const megabyte = form(MODEL, file(wavOf(hum(34))));
  await two.accepted(megabyte);
  assert.equal((await two.submit(CLIP)).status, 429);
  const three = await startJobService(t, { config: { jobsMaxTotalMb: 1 } });
  three.engine.hold();
  await three.accepted(megabyte);
  assert.equal((await three.submit(CLIP, await three.stranger())).status, 503);
});

test('a job whose key is revoked before it runs fails and is not billed', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  const { storage } = service.app;
  const { key, listing } = await createKey(storage, { accountId: service.accountId, name: 'r', createdBy: null });
  service.engine.hold();
  await service.accepted(CLIP);
  await service.engine.until((engine) => engine.running > 0);
  const id = await service.accepted(CLIP, { authorization: `Token ${key}` });
  await revokeKey(storage, service.accountId, listing.id);
  service.engine.release();
  const { job } = await service.ended(id);
  assert.deepEqual([job.state, job.error?.code], ['failed', 'UNAUTHORIZED']);
  const row = (await service.rows()).find(({ request_id }) => request_id === id);
  assert.deepEqual([row?.status, row?.billedSeconds], ['UNAUTHORIZED', 0]);
});

test('jobs survive a stop: running ones are requeued and restarted by the next server', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-jobs-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startJobService(t, { config: { dataDir } });
  first.engine.hold();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await first.accepted(CLIP));
  await first.engine.until(({ running }) => running > 0);
  await first.app.close();
  const second = await startJobService(t, { config: { dataDir } });
  for (const id of ids) {
    const { answer } = await second.ended(id, first.key);
    assert.equal(answer?.result.transcript, WORDS.join(' '));
  }
  assert.deepEqual((await second.rows()).map(({ request_id }) => request_id).sort(), ids.sort());
});

test('a job of a tier without recognisers waits, takes no slot and costs no attempt', async (t) => {
  const engine = new ScriptedEngine();
  const served = new Set<string>(['svc-1.0-lite']);
  const capacity: Capacity = {
    freeSlots: (tier) => (served.has(tier) ? 1 - engine.running : 0),
    serves: (tier) => served.has(tier),
    couldReplace: (running, tier) => running.tier === tier,
    isContended: false,
    setWaiting: () => undefined,
    onChange: () => undefined,
  };
  Object.assign(engine.recogniser, { capacity });
  const service = await startJobService(t, { engine, config: { jobsConcurrency: 1 }, overrides: { engine } });
  const absent = await service.accepted(form(field('model', 'svc-1.0-max'), file(wavOf(spoken(WORDS)))));
  for (let n = 0; n < 2; n++) assert.equal((await service.ended(await service.accepted(CLIP))).job.state, 'succeeded');
  assert.equal((await service.job(absent)).job.state, 'waiting');
  const { text } = await service.app.metrics.page();
  assert.match(text, /faircopy_jobs_waiting\{model="svc-1.0-max"\} 1/, 'the autoscaler sees the job');

  served.add('svc-1.0-max');
  assert.equal((await service.ended(absent)).job.state, 'succeeded');
  const { attempts } = await service.app.storage.read
    .selectFrom('jobs')
    .select('attempts')
    .where('id', '=', absent)
    .executeTakeFirstOrThrow();
  assert.equal(attempts, 1);
});

test('a job that cannot be read is retried, then fails, and delays no other', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  service.engine.hold();
  const blocker = await service.accepted(CLIP);
  await service.engine.until((engine) => engine.running > 0);
  const [unreadable, worn, good] = [
    await service.accepted(CLIP),
    await service.accepted(CLIP),
    await service.accepted(CLIP),
  ];
  const { write } = service.app.storage;
  const foreign = Buffer.from('sealed with another secret, or damaged');
  await write.updateTable('jobs').set({ sealed_request: foreign }).where('id', '=', unreadable).execute();
  await write.updateTable('jobs').set({ attempts: 10 }).where('id', '=', worn).execute();
  service.engine.release();
  for (const id of [blocker, good]) assert.equal((await service.ended(id)).job.state, 'succeeded');
  const { job } = await service.ended(worn);
  assert.deepEqual([job.state, job.error?.code], ['failed', 'INTERNAL_ERROR']);
  assert.equal((await service.job(unreadable)).job.state, 'waiting', 'another server may have the right secret');
  await write.updateTable('jobs').set({ attempts: 9, due_at_ms: 0 }).where('id', '=', unreadable).execute();
  assert.equal((await service.ended(unreadable)).job.state, 'failed');
  const billed = (await service.rows()).filter(({ billedSeconds }) => billedSeconds > 0);
  assert.deepEqual(billed.map(({ request_id }) => request_id).sort(), [blocker, good].sort());
});
