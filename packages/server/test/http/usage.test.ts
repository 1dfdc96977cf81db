// Tags on requests and keys, GET /v1/usage, and Deepgram's view of the same.
import assert from 'node:assert/strict';
import test from 'node:test';
import { keyRules, usageResponse } from '@faircopy/contract';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { client4 } from '../deepgram/clients.ts';
import { Realtime } from '../realtime/realtime.ts';
import { FORM_TYPE, field, file, form, MODEL, wavOf } from './forms.ts';
import { failure, rowsOnceThere, startService, success } from './service.ts';

const CLIP = wavOf(spoken(story(2)));
const AUDIO = file(CLIP);

test('tags of requests and keys are in rows and totals, and usage is filtered by them', async (t) => {
  const service = await startService(t);
  const usage = async (query: string, key = service.key) =>
    fetch(`${service.url}/v1/usage?${query}`, { headers: { authorization: `Token ${key}` } });
  const read = async (query: string) => usageResponse.parse(await (await usage(query)).json());
  const tagged = (...tags: string[]) => form(MODEL, ...tags.map((tag) => field('tag', tag)), AUDIO);

  await success(await service.post(tagged('meeting', 'berlin', 'meeting')));
  await success(await service.post(tagged('meeting')));
  await success(await service.post(form(MODEL, AUDIO)));
  await failure(await service.post(form(MODEL, field('tag', 'meeting'), file(Buffer.from('no audio')))));
  const { key } = await createKey(service.app.storage, {
    accountId: service.accountId,
    name: 'tagging',
    createdBy: null,
    rules: keyRules.parse({ tags: ['kiosk'] }),
  });
  await success(await service.post(tagged('berlin'), { authorization: `Token ${key}` }));

  const all = await read('by=model');
  assert.equal(all.total.requests, 5);
  assert.deepEqual(
    all.groups.map(({ group, requests }) => [group, requests]),
    [['svc-1.0-lite', 5]],
  );
  assert.deepEqual(
    all.records.map(({ tags }) => tags),
    [['berlin', 'kiosk'], ['meeting'], [], ['meeting'], ['berlin', 'meeting']],
  );
  const meetings = await read('tag=meeting');
  assert.deepEqual([meetings.total.requests, meetings.total.errors, meetings.records.length], [3, 1, 3]);
  assert.equal(meetings.total.billed_audio_seconds, 30);
  assert.equal((await read('tag=kiosk&limit=0')).total.requests, 1);
  assert.equal((await read('tag=nothing')).records.length, 0);

  const today = all.records.at(-1)!.created_at.slice(0, 10);
  const before = await read(`until=${today}T00:00:00Z`);
  assert.deepEqual([before.total.requests, before.records.length], [0, 0], 'the end of a range is excluded');
  assert.equal((await read(`since=${today}T00:00:00Z`)).total.requests, 5);
  const first = await read('tag=meeting&limit=2');
  const second = await read(`tag=meeting&limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.records, ...second.records].map(({ request_id }) => request_id),
    meetings.records.map(({ request_id }) => request_id),
  );
  assert.equal(second.next_cursor, null);

  for (const [query, field] of [
    ['by=colour', 'by'],
    ['limit=5000', 'limit'],
    ['colour=red', 'colour'],
    ['since=yesterday', 'since'],
    ['status=late', 'status.*success.*errors'],
  ] as const) {
    const response = await usage(query);
    assert.equal(response.status, 400);
    assert.match((await failure(response)).error.message, new RegExp(field));
  }
  for (const tag of ['x'.repeat(65), 'a,b', 'a\u0007b', '']) {
    const response = await service.post(tagged(tag));
    assert.equal(response.status, 400, tag);
    assert.match((await failure(response)).error.message, /"tag"/);
  }
  assert.equal((await service.post(tagged(...'abcdefghi'))).status, 400);
});

test("OpenAI's forms and realtime sessions take tags", async (t) => {
  const service = await startService(t);
  const { url, key } = service;
  const headers = { authorization: `Bearer ${key}`, 'content-type': FORM_TYPE };
  const ask = (...tags: string[]) => {
    const body = form(field('model', 'whisper-1'), ...tags.map((tag) => field('tag', tag)), file(CLIP, 'file'));
    return fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  };
  const answer = (await (await ask('meeting', 'berlin')).json()) as { warnings?: unknown };
  assert.equal(answer.warnings, undefined);
  const refused = await ask('a,b');
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /"param":"tag"/);
  const client = await new Realtime({ url, key }, 'intent=transcription&tag=phone&tag=berlin').opened();
  client.socket.close();
  await client.closed;
  await rowsOnceThere(service, 3);
  const usage = await fetch(`${url}/v1/usage`, { headers: { authorization: `Token ${key}` } });
  assert.deepEqual(
    usageResponse.parse(await usage.json()).records.map(({ tags }) => tags),
    [['berlin', 'phone'], [], ['berlin', 'meeting']],
  );
});

test("Deepgram's client reads projects and usage, by tag too", async (t) => {
  const service = await startService(t);
  const deepgram = client4(service);
  for (const tag of ['support', 'sales', 'support']) {
    const { error } = await deepgram.listen.prerecorded.transcribeFile(wavOf(spoken(story(2))), { tag: [tag] });
    assert.equal(error, null);
  }
  const { result } = await deepgram.manage.getProjects();
  const projectId = result?.projects[0]?.project_id ?? '';
  assert.equal(projectId, service.accountId);
  const summary = await deepgram.manage.getProjectUsageSummary(projectId, { end: '2999-01-01', tag: 'support' });
  assert.equal(summary.result?.results[0]?.requests, 2);
  assert.ok(Math.abs((summary.result?.results[0]?.total_hours ?? 0) - 30 / 3600) < 1e-9);
  const absent = await deepgram.manage.getProjectUsageSummary('another', { end: '2999-01-01' });
  assert.match(absent.error?.message ?? '', /no such project/);
});
