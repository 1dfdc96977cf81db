// What files and streams share: the same usage rows, metrics and log lines, however a call ends.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { Faircopy } from '@faircopy/client';
import { type Clock, systemClock } from '../../src/lib/time/clock.ts';
import { createLog } from '../../src/observability/log.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { file, form, formHead, hum, MODEL, wavOf } from '../http/forms.ts';
import { RawClient } from '../http/raw.ts';
import { rowsOnceThere, type Service, type ServiceOptions, startService } from '../http/service.ts';
import { connect, eventually, rejection } from '../stream/stream-server.ts';

const WORDS = story(6);
const SPEECH = pcm16Bytes(spoken(WORDS));
const DAY_MS = 24 * 60 * 60 * 1000;

type LogLine = Readonly<Record<string, unknown>>;
type LoggedService = Service & { lines(message: string): LogLine[] };

const start = async (t: TestContext, options: ServiceOptions = {}): Promise<LoggedService> => {
  const written: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => written.push(line) });
  const service = await startService(t, { ...options, overrides: { log, ...options.overrides } });
  const lines = (message: string) =>
    written.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === message);
  return { ...service, lines };
};

const counted = async ({ app }: Service, name: string): Promise<string[]> =>
  (await app.metrics.page()).text.split('\n').filter((line) => line.startsWith(`${name}{`) && !line.endsWith(' 0'));

const stream = ({ url, key }: Service) => new Faircopy({ baseUrl: url, apiKey: key, retries: 0 }).stream();
const handshakeUrl = ({ url }: Service, query = '') =>
  `${url.replace('http', 'ws')}/v1/transcribe/stream?model=svc-1.0-lite${query}`;

test('a call belongs to the day it began, in both modes', async (t) => {
  let ahead = 0;
  const clock: Clock = { now: () => systemClock.now() + ahead, monotonicMs: () => systemClock.monotonicMs() };
  const service = await start(t, { overrides: { clock } });
  const live = stream(service);
  await live.send(SPEECH);
  service.engine.hold();
  const answer = service.post(form(MODEL, file(wavOf(spoken(WORDS)))));
  await service.engine.until(() => service.engine.running > 0);
  const beganBeforeMs = systemClock.now();
  ahead = DAY_MS;
  service.engine.release();
  await Promise.all([answer, live.finish()]);
  const rows = await service.app.storage.read.selectFrom('usage_records').selectAll().execute();
  assert.deepEqual(rows.map(({ mode, status }) => `${mode} ${status}`).sort(), ['file success', 'stream success']);
  for (const { created_at_ms } of rows) assert.ok(created_at_ms <= beganBeforeMs);
});

test('a bug inside a session is INTERNAL_ERROR in both modes, logged once with its request id and stack', async (t) => {
  const engine = new ScriptedEngine({
    before: function bugOfOurs() {
      throw new TypeError('a bug of ours');
    },
  });
  const service = await start(t, { engine });
  const response = await service.post(form(MODEL, file(wavOf(spoken(WORDS)))));
  assert.equal(response.status, 500);
  const { error, request_id } = (await response.json()) as {
    error: { code: string; message: string };
    request_id: string;
  };
  assert.equal(error.code, 'INTERNAL_ERROR');
  assert.doesNotMatch(error.message, /bug of ours/);
  const live = stream(service);
  await live.send(SPEECH);
  const ended = await live.finish().then(
    () => assert.fail('the stream had a result'),
    (reason: { code: string; requestId: string }) => reason,
  );
  assert.equal(ended.code, 'INTERNAL_ERROR');
  const rows = await rowsOnceThere(service, 2);
  assert.deepEqual(
    rows.map(({ status, billedSeconds }) => `${status} ${billedSeconds}`),
    ['INTERNAL_ERROR 0', 'INTERNAL_ERROR 0'],
  );
  const failures = service.lines('request failed');
  assert.deepEqual(new Set(failures.map(({ requestId }) => requestId)), new Set([request_id, ended.requestId]));
  assert.equal(failures.length, 2, 'each failure is logged once');
  for (const { err } of failures) assert.match(JSON.stringify(err), /TypeError.*bugOfOurs[^(]*\([^)]+:\d+:\d+\)/);
});

test('a call is counted when its row is durable, and by the answer the caller got', async (t) => {
  const service = await start(t);
  await service.app.storage.write.schema.dropTable('usage_records').execute();
  assert.equal((await service.post(form(MODEL, file(wavOf(spoken(WORDS)))))).status, 503);
  const live = stream(service);
  await live.send(SPEECH);
  await assert.rejects(live.finish(), { code: 'SERVICE_UNAVAILABLE' });
  const requests = await counted(service, 'faircopy_requests_total');
  assert.equal(requests.filter((line) => line.includes('code="success"')).length, 0, requests.join('\n'));
  assert.equal(requests.filter((line) => line.includes('code="SERVICE_UNAVAILABLE"')).length, 2, requests.join('\n'));
  assert.deepEqual(await counted(service, 'faircopy_billed_seconds_total'), []);
  assert.equal(service.lines('a usage row was not written').length, 2);
});

test('both modes log how a call ended in one line: ids and numbers, no text', async (t) => {
  const service = await start(t);
  await service.post(form(MODEL, file(wavOf(spoken(WORDS)))));
  const live = stream(service);
  await live.send(SPEECH);
  await live.finish();
  const lines = service.lines('call ended');
  assert.deepEqual(
    lines.map(({ mode, model, status, billedSeconds }) => [mode, model, status, billedSeconds]),
    [
      ['file', 'svc-1.0-lite', 'success', 15],
      ['stream', 'svc-1.0-max', 'success', 15],
    ],
  );
  for (const line of lines) {
    assert.equal(line.accountId, service.accountId);
    for (const word of WORDS) assert.doesNotMatch(JSON.stringify(line), new RegExp(`"[^"]*\\b${word}\\b`));
  }
});

test('a refused handshake is counted once and logged once', async (t) => {
  const service = await start(t);
  const { status } = await rejection(handshakeUrl(service, '&token=fc_wrong'));
  assert.equal(status, 401);
  const line = 'faircopy_http_requests_total{route="/v1/transcribe/stream",method="GET",status="401"} 1';
  await eventually(
    () => counted(service, 'faircopy_http_requests_total'),
    (lines) => lines.length > 0,
  );
  assert.deepEqual(await counted(service, 'faircopy_http_requests_total'), [line]);
  assert.equal(service.lines('request').length, 1);
});

test('an upload that is refused early is counted by the status that the caller saw, even if the caller disconnects', async (t) => {
  const service = await start(t);
  const client = new RawClient(service.port);
  await client.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: test',
    'Authorization: Token fc_wrong',
    'Content-Type: multipart/form-data; boundary=faircopy-test-boundary',
    'Content-Length: 1000000',
  ]);
  await client.send(formHead(MODEL, file(wavOf(hum(1)))));
  assert.equal((await client.answer())?.status, 401);
  client.socket.end();
  await client.closed();
  await eventually(
    () => service.lines('request'),
    (lines) => lines.length > 0,
  );
  assert.deepEqual(await counted(service, 'faircopy_http_requests_total'), [
    'faircopy_http_requests_total{route="/v1/transcribe",method="POST",status="401"} 1',
  ]);
  assert.deepEqual(service.lines('unreadable request'), []);
  assert.doesNotMatch(client.received, /HTTP\/1\.1/, 'one answer only');
});

test('a handshake may send its key in the Authorization header', async (t) => {
  const service = await start(t);
  const socket = await connect(handshakeUrl(service), { headers: { authorization: `Token ${service.key}` } });
  socket.send(JSON.stringify({ type: 'close_stream' }));
  const { code, messages } = await socket.ending;
  assert.equal(code, 1000);
  assert.equal(messages[0]?.type, 'result');
});
