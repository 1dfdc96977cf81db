// What every address has in common, and the pages outside the API.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { ERRORS, errorTableMarkdown, FILE_ERROR_CODES, successResponse } from '@faircopy/contract';
import { BUILD } from '../../src/lib/process/version.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { eventually } from '../stream/stream-server.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from './forms.ts';
import { failure, sharedService } from './service.ts';

const shared = sharedService();
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const get = (path: string, init: RequestInit = {}) => fetch(`${shared().url}${path}`, init);

test('every response has a unique x-request-id, and later ones sort after earlier ones', async () => {
  const ids: string[] = [];
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
    '/nothing',
    '/v1/transcribe',
  ])
    ids.push((await get(path)).headers.get('x-request-id')!);
  for (const id of ids) assert.match(id, ULID);
  assert.deepEqual(ids, [...new Set(ids)].sort());
});

test('a client cannot choose the request id', async () => {
  const response = await get('/healthz', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
  assert.match(response.headers.get('x-request-id')!, ULID);
});

test('an unknown path is NOT_FOUND for every method', async () => {
  for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'PUT']) {
    const response = await get('/v2/transcribe?token=x', { method });
    assert.equal(response.status, 404);
    assert.equal((await failure(response)).error.code, 'NOT_FOUND');
  }
});

test('a wrong method is METHOD_NOT_ALLOWED with Allow', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const response = await get('/v1/transcribe', { method });
    assert.equal(response.status, 405);
    assert.equal((await failure(response)).error.code, 'METHOD_NOT_ALLOWED');
    assert.equal(response.headers.get('allow'), 'OPTIONS, POST');
  }
  assert.equal((await get('/healthz', { method: 'POST' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('HEAD is GET without a body; OPTIONS says what is allowed', async () => {
  const head = await get('/healthz', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  assert.equal((await get('/nothing', { method: 'HEAD' })).status, 404);
  const options = await get('/v1/transcribe', { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'OPTIONS, POST');
});

test('browsers on other origins may use /v1 with a key, and nothing else', async () => {
  const preflight = await get('/v1/transcribe', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-headers')!, /authorization/);
  assert.match(preflight.headers.get('access-control-allow-methods')!, /POST/);
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
  const refused = await get('/v1/transcribe', { method: 'POST', headers: { origin: 'https://example.org' } });
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  const exposed = refused.headers.get('access-control-expose-headers')!.split(', ');
  for (const name of ['x-request-id', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    assert.ok(exposed.includes(name), name);
  for (const path of ['/console', '/console/api/session', '/metrics', '/healthz'])
    assert.equal(
      (await get(path, { headers: { origin: 'https://example.org' } })).headers.get('access-control-allow-origin'),
      null,
    );
});

test('the root path redirects to the console', async () => {
  const response = await get('/', { redirect: 'manual' });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), '/console');
  assert.match(response.headers.get('x-request-id')!, ULID);
});

test('a missing file of the console is NOT_FOUND, not the page', async () => {
  for (const path of ['/console/nope.js', '/console/deep/nope.css?v=1', '/console/assets/nope.js']) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.equal((await failure(response)).error.code, 'NOT_FOUND');
  }
});

test('/healthz, /readyz and the database', async () => {
  assert.deepEqual(await (await get('/healthz')).json(), { status: 'alive', version: BUILD });
  const tiers = { 'svc-1.0-lite': 'ready', 'svc-1.0-pro': 'ready', 'svc-1.0-max': 'ready' };
  assert.deepEqual(await (await get('/readyz')).json(), { status: 'ready', tiers });
  assert.equal((await get('/readyz?tier=svc-1.0-max')).status, 200);
  assert.equal((await get('/readyz?tier=other')).status, 503);
});

test('/metrics counts requests by mode, model and code, seconds, stages, queue, slots, lag and memory', async () => {
  await shared().post(form(MODEL, file(wavOf(spoken(['apple'])))));
  await shared().post(form(MODEL, file(Buffer.from('junk'))));
  // The page is cached for a second, and another test may just have requested it.
  const { response, page } = await eventually(
    async () => {
      const answer = await get('/metrics');
      return { response: answer, page: await answer.text() };
    },
    ({ page: text }) => text.includes('AUDIO_FORMAT_UNSUPPORTED'),
  );
  assert.match(response.headers.get('content-type')!, /^text\/plain/);
  for (const line of [
    /^faircopy_requests_total\{mode="file",model="svc-1.0-lite",code="success"\} 1$/m,
    /^faircopy_requests_total\{mode="file",model="svc-1.0-lite",code="AUDIO_FORMAT_UNSUPPORTED"\} 1$/m,
    /^faircopy_billed_seconds_total\{mode="file",model="svc-1.0-lite"\} 15$/m,
    /^faircopy_audio_seconds_total\{mode="file",model="svc-1.0-lite"\} 0\.36$/m,
    /^faircopy_stage_seconds_count\{mode="file",stage="recognition"\} 1$/m,
    /^faircopy_http_requests_total\{route="\/v1\/transcribe",method="POST",status="200"\} 1$/m,
    /^faircopy_queue_jobs 0$/m,
    /^faircopy_recogniser_slots 2$/m,
    /^faircopy_recogniser_slots_busy 0$/m,
    /^faircopy_open_sessions 0$/m,
    /^faircopy_open_streams 0$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
    /^process_resident_memory_bytes /m,
  ])
    assert.match(page, line);
  for (const secret of [shared().key, shared().accountId, 'apple']) assert.equal(page.includes(secret), false);
});

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<
    string,
    { post: { responses: Record<string, { content: Record<string, { examples: object }> }> } }
  >;
  readonly components: { readonly schemas: Record<string, { examples?: unknown[] }> };
}

test('/openapi.json is 3.1, resolves every reference, and has every error with an example', async () => {
  const document = (await (await get('/openapi.json')).json()) as OpenApi;
  assert.equal(document.openapi, '3.1.0');
  for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    assert.ok(document.components.schemas[name!], name);
  const { responses } = document.paths['/v1/transcribe']!.post;
  for (const code of FILE_ERROR_CODES)
    assert.ok(code in responses[String(ERRORS[code].httpStatus)]!.content['application/json']!.examples, code);
  const example = document.components.schemas.SuccessResponse!.examples![0];
  assert.equal(successResponse.safeParse(example).success, true);
});

test('the documents allow additional fields in responses', async () => {
  for (const path of ['/openapi.json', '/asyncapi.json'])
    assert.doesNotMatch(await (await get(path)).text(), /"additionalProperties":false/);
});

test('the documented error table matches the code', () => {
  const page = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8');
  const table = page.split('\n').filter((line) => line.startsWith('|'));
  assert.equal(table.join('\n'), errorTableMarkdown());
});

test('a form sent to the wrong path is refused without being read', async () => {
  const response = await get('/v1/transcribe/files', {
    method: 'POST',
    headers: { 'content-type': FORM_TYPE },
    body: form(MODEL, file(Buffer.alloc(1_000_000))),
  });
  assert.equal(response.status, 404);
});
