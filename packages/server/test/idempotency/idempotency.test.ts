// Idempotency keys at the endpoints: one answer, one request id and one bill per key.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { PATHS } from '@faircopy/contract';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { deferred } from '../../src/lib/time/deferred.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { BOUNDARY, FORM_TYPE, field, file, form, formHead, MODEL, wavOf } from '../http/forms.ts';
import { RawClient } from '../http/raw.ts';
import { failure, rowsOnceThere, type Service, startService, success } from '../http/service.ts';

const WORDS = story(4);
const WAV = wavOf(spoken(WORDS));
const CLIP = form(MODEL, file(WAV));
const OTHER_WAV = wavOf(spoken(story(5)));
const OTHER = form(MODEL, file(OTHER_WAV));

const keyed = (key: string) => ({ 'idempotency-key': key });

test('a retry gets the same answer and request id, and is neither transcribed nor billed again', async (t) => {
  const service = await startService(t);
  const first = await service.post(CLIP, keyed('one'));
  const body = await first.text();
  const asked = service.engine.asked.length;
  // Another field order and another boundary are the same request.
  const boundary = 'another-boundary';
  const again = form(file(WAV), MODEL).toString('latin1').replaceAll(BOUNDARY, boundary);
  const retry = await service.post(Buffer.from(again, 'latin1'), {
    ...keyed('one'),
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
  assert.equal(retry.status, 200);
  assert.equal(await retry.text(), body);
  assert.equal(retry.headers.get('x-request-id'), JSON.parse(body).request_id);
  assert.equal(retry.headers.get('idempotent-replayed'), 'true');
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.equal(service.engine.asked.length, asked);
  const rows = await service.rows();
  assert.deepEqual(
    rows.map(({ request_id, billedSeconds }) => [request_id, billedSeconds]),
    [[JSON.parse(body).request_id, 15]],
  );
});

test('another idempotency key or API key is another request', async (t) => {
  const service = await startService(t);
  const ids = new Set<string>();
  for (const key of ['a', 'b']) ids.add((await success(await service.post(CLIP, keyed(key)))).request_id);
  const { key } = await createKey(service.app.storage, {
    accountId: service.accountId,
    name: 'second',
    createdBy: null,
  });
  ids.add((await success(await service.post(CLIP, { ...keyed('a'), authorization: `Token ${key}` }))).request_id);
  assert.equal(ids.size, 3);
  assert.equal((await service.rows()).length, 3);
});

test('another body with the same key is 422 and changes nothing', async (t) => {
  const service = await startService(t);
  const { request_id } = await success(await service.post(CLIP, keyed('one')));
  for (const body of [
    OTHER,
    form(MODEL, field('language', 'de'), file(WAV)),
    form(field('model', 'svc-1.0-max'), file(WAV)),
  ]) {
    const response = await service.post(body, keyed('one'));
    assert.equal(response.status, 422);
    assert.equal((await failure(response)).error.code, 'IDEMPOTENCY_KEY_REUSED');
  }
  assert.equal((await success(await service.post(CLIP, keyed('one')))).request_id, request_id);
  assert.equal((await service.rows()).length, 1);
});

test('of two concurrent requests the second waits, and both get the same answer', async (t) => {
  const service = await startService(t);
  service.engine.hold();
  const posts = [service.post(CLIP, keyed('one'))];
  await service.engine.until((engine) => engine.running > 0);
  posts.push(service.post(CLIP, keyed('one')), service.post(OTHER, keyed('one')));
  await wait(200);
  service.engine.release();
  const [first, second, other] = await Promise.all(posts);
  assert.equal(await first!.text(), await second!.text());
  assert.equal(other!.status, 422);
  const rows = await service.rows();
  assert.equal(rows.length, 1);
});

test('a failure is not kept: the retry is a new request', async (t) => {
  const service = await startService(t);
  const junk = form(MODEL, file(Buffer.from('no audio at all, only text')));
  const first = await failure(await service.post(junk, keyed('one')));
  const second = await failure(await service.post(junk, keyed('one')));
  assert.equal(first.error.code, 'AUDIO_FORMAT_UNSUPPORTED');
  assert.notEqual(first.request_id, second.request_id);
  const third = await success(await service.post(CLIP, keyed('one')));
  const rows = await rowsOnceThere(service, 3);
  assert.deepEqual(
    rows.map(({ billedSeconds }) => billedSeconds),
    [0, 0, 15],
  );
  assert.equal(rows[2]!.request_id, third.request_id);
});

test('when the first request fails, the waiting one is transcribed', async (t) => {
  let failed = false;
  const gate = deferred<void>();
  const engine = new ScriptedEngine({
    slots: 2,
    before: async (_job, nth) => {
      if (nth > 0) return;
      await gate.promise;
      failed = true;
      throw new Error('the recogniser fails');
    },
  });
  const service = await startService(t, { engine });
  const first = service.post(CLIP, keyed('one'));
  await engine.until(({ running }) => running > 0);
  const second = service.post(CLIP, keyed('one'));
  await wait(200);
  gate.resolve();
  assert.equal((await first).status, 500);
  const answer = await success(await second);
  assert.ok(failed);
  assert.equal(answer.result.transcript, WORDS.join(' '));
  const rows = await rowsOnceThere(service, 2);
  assert.deepEqual(rows.map(({ status }) => status).sort(), ['INTERNAL_ERROR', 'success']);
});

/** A request whose connection is cut during recognition. */
const leave = async ({ port, key, engine }: Service, idempotencyKey: string): Promise<RawClient> => {
  const client = new RawClient(port);
  await client.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: test',
    `Authorization: Token ${key}`,
    `Content-Type: ${FORM_TYPE}`,
    `Idempotency-Key: ${idempotencyKey}`,
    `Content-Length: ${CLIP.length}`,
  ]);
  await client.send(CLIP);
  await engine.until(({ running }) => running > 0);
  return client;
};

test('an answer that was lost in transit is sent again', async (t) => {
  const service = await startService(t);
  service.engine.hold();
  const client = await leave(service, 'lost');
  const retry = service.post(CLIP, keyed('lost'));
  await wait(200);
  client.socket.destroy();
  await wait(100);
  service.engine.release();
  const answer = await success(await retry);
  assert.equal(answer.result.transcript, WORDS.join(' '));
  const rows = await service.rows();
  assert.deepEqual(
    rows.map(({ request_id, status }) => [request_id, status]),
    [[answer.request_id, 'success']],
  );
});

test('a caller who disconnects without a retry is not billed, and can retry later', async (t) => {
  const service = await startService(t);
  service.engine.hold();
  const client = await leave(service, 'left');
  client.socket.destroy();
  const [row] = await rowsOnceThere(service, 1);
  assert.deepEqual([row!.status, row!.billedSeconds], ['CLIENT_DISCONNECTED', 0]);
  service.engine.release();
  const answer = await success(await service.post(CLIP, keyed('left')));
  assert.notEqual(answer.request_id, row!.request_id);
});

test('a stalled upload yields to its retry', async (t) => {
  const service = await startService(t);
  const client = new RawClient(service.port);
  await client.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: test',
    `Authorization: Token ${service.key}`,
    `Content-Type: ${FORM_TYPE}`,
    'Idempotency-Key: stuck',
    'Content-Length: 5000000',
  ]);
  await client.send(formHead(MODEL, file(WAV.subarray(0, 1_000))));
  // The server has received it once its claim exists.
  for (;;) {
    const rows = await service.app.storage.read.selectFrom('idempotency_keys').select('hash').execute();
    if (rows.length > 0) break;
  }
  assert.equal((await success(await service.post(CLIP, keyed('stuck')))).result.transcript, WORDS.join(' '));
  assert.equal((await client.answer())?.status, 408);
  client.socket.destroy();
});

test('a malformed key is refused', async (t) => {
  const service = await startService(t);
  for (const key of ['', 'with space', 'x'.repeat(256)]) {
    const response = await service.post(CLIP, keyed(key));
    assert.equal(response.status, 400);
    assert.match((await failure(response)).error.message, /Idempotency-Key/);
  }
  assert.equal((await service.rows()).length, 0);
  assert.equal((await service.app.storage.read.selectFrom('idempotency_keys').select('hash').execute()).length, 0);
});

test('compatible endpoints keep answers too: forms, events and raw audio', async (t) => {
  const service = await startService(t);
  const openAi = (body: Buffer, key: string) =>
    fetch(`${service.url}${PATHS.openAiTranscriptions}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': FORM_TYPE, ...keyed(key) },
      body,
    });
  const listen = (body: Buffer, key: string, query = 'model=nova-3') =>
    fetch(`${service.url}${PATHS.deepgramListen}?${query}`, {
      method: 'POST',
      headers: { authorization: `Token ${service.key}`, 'content-type': 'audio/wav', ...keyed(key) },
      body,
    });
  const audio = file(WAV, 'file');
  const cases: [string, () => Promise<Response>, () => Promise<Response>][] = [
    ['json', () => openAi(form(MODEL, audio), 'a'), () => openAi(form(MODEL, file(OTHER_WAV, 'file')), 'a')],
    [
      'vtt',
      () => openAi(form(MODEL, field('response_format', 'vtt'), audio), 'b'),
      () => openAi(form(MODEL, audio), 'b'),
    ],
    ['events', () => openAi(form(MODEL, field('stream', 'true'), audio), 'c'), () => openAi(form(MODEL, audio), 'c')],
    ['listen', () => listen(WAV, 'd'), () => listen(WAV, 'd', 'model=nova-3&utterances=true')],
    [
      'channels',
      () => listen(WAV, 'e', 'model=nova-3&multichannel=true'),
      () => listen(OTHER_WAV, 'e', 'model=nova-3&multichannel=true'),
    ],
  ];
  for (const [name, send, sendOther] of cases) {
    const first = await send();
    assert.equal(first.status, 200, name);
    const body = await first.text();
    const again = await send();
    assert.equal(await again.text(), body, name);
    for (const header of ['x-request-id', 'content-type', 'dg-request-id'])
      assert.equal(again.headers.get(header), first.headers.get(header), `${header} of ${name}`);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await sendOther()).status, 422, name);
  }
  assert.equal((await service.rows()).length, cases.length);
});

test('too many waiting requests with the same key are refused', async (t) => {
  const service = await startService(t);
  service.engine.hold();
  const first = service.post(CLIP, keyed('one'));
  await service.engine.until((engine) => engine.running > 0);
  const others = Array.from({ length: 10 }, () => service.post(CLIP, keyed('one')));
  const refused = await Promise.any(others.map(async (post) => ((await post).status === 429 ? 429 : Promise.reject())));
  assert.equal(refused, 429);
  service.engine.release();
  const statuses = (await Promise.all([first, ...others])).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 9);
  assert.equal(statuses.filter((status) => status === 429).length, 2);
});
