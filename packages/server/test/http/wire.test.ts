// File mode on the wire: input that no library would send, and what a caller must still see.
import assert from 'node:assert/strict';
import test from 'node:test';
import { errorResponse, LIMITS, type SentErrorCode } from '@faircopy/contract';
import { quiet } from '../../src/speech/testing/tones.ts';
import { FORM_TYPE, file, form, formHead, MODEL, wavOf } from './forms.ts';
import { RawClient } from './raw.ts';
import { rowsOnceThere, type Service, sharedService, startService } from './service.ts';

const shared = sharedService();
const CLIP = wavOf(quiet(0.5));
const MEGABYTE = 1024 * 1024;

const open = (service: Service = shared()) => new RawClient(service.port);
const requestHead = (headers: readonly string[], { key }: Service = shared()) => [
  'POST /v1/transcribe HTTP/1.1',
  'Host: localhost',
  `Authorization: Token ${key}`,
  `Content-Type: ${FORM_TYPE}`,
  ...headers,
];

/** Checks that the answer is the contract's error object, with its request id in the header. */
const refusal = async (client: RawClient, status: number, code: SentErrorCode) => {
  const answer = await client.answer();
  assert.ok(answer, `an answer, not a broken connection: ${client.received}`);
  assert.equal(answer.status, status, answer.body);
  const body = errorResponse.parse(JSON.parse(answer.body));
  assert.equal(body.error.code, code);
  assert.equal(answer.headers.get('x-request-id'), body.request_id);
  return { answer, body };
};

test('a form may arrive in chunks of one byte', async () => {
  const client = open();
  await client.head(requestHead(['Transfer-Encoding: chunked']));
  const body = form(MODEL, file(wavOf(quiet(0.01))));
  const chunks = Buffer.concat([...body].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])));
  await client.send(Buffer.concat([chunks, Buffer.from('0\r\n\r\n')]));
  assert.equal((await client.answer())?.status, 200);
  client.socket.destroy();
});

test('Expect: 100-continue is answered, then the form is accepted', async () => {
  const client = open();
  const body = form(MODEL, file(CLIP));
  await client.head(requestHead([`Content-Length: ${body.length}`, 'Expect: 100-continue']));
  assert.equal((await client.answer())?.status, 100);
  await client.send(body);
  assert.equal((await client.answer())?.status, 200);
  client.socket.destroy();
});

test('Expect: 100-continue with a wrong key or too large a body is refused before the body is sent', async () => {
  const wrongKey = open();
  await wrongKey.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: localhost',
    'Authorization: Token fc_no',
    `Content-Type: ${FORM_TYPE}`,
    'Content-Length: 1000',
    'Expect: 100-continue',
  ]);
  await refusal(wrongKey, 401, 'UNAUTHORIZED');
  await wrongKey.closed();

  const tooLarge = open();
  await tooLarge.head(requestHead([`Content-Length: ${60 * MEGABYTE}`, 'Expect: 100-continue']));
  await refusal(tooLarge, 413, 'FILE_TOO_LARGE');
  await tooLarge.closed();
});

test('a Content-Length that is too large is refused at once, and the client can read the response while sending', async () => {
  const client = open();
  await client.head(requestHead([`Content-Length: ${60 * MEGABYTE}`]));
  const chunk = Buffer.alloc(MEGABYTE);
  for (let sent = 0; sent < 8; sent += 1) await client.send(chunk);
  const { answer } = await refusal(client, 413, 'FILE_TOO_LARGE');
  assert.equal(answer.headers.get('connection'), 'close');
  client.socket.destroy();
});

test('a chunked body that is too large is refused while it arrives, and the client sees the 413', async () => {
  const client = open();
  await client.head(requestHead(['Transfer-Encoding: chunked']));
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  await client.send(chunk(formHead(MODEL, file(CLIP))));
  let sentBytes = 0;
  const piece = chunk(Buffer.alloc(MEGABYTE));
  while (sentBytes < 200 * MEGABYTE && !client.received.includes('\r\n\r\n') && !client.socket.destroyed) {
    await client.send(piece);
    sentBytes += MEGABYTE;
  }
  assert.ok(sentBytes >= LIMITS.fileBytesMax, `${sentBytes}`);
  assert.ok(sentBytes < 80 * MEGABYTE, `${sentBytes / MEGABYTE} MB were taken`);
  await refusal(client, 413, 'FILE_TOO_LARGE');
  client.socket.destroy();
});

test('an upload that does not arrive in time: 408, one row, nothing billed', async (t) => {
  const own = await startService(t, { config: { uploadTimeoutMs: 100 } });
  const client = open(own);
  await client.head(requestHead(['Content-Length: 100000'], own));
  await client.send(form(MODEL, file(CLIP)).subarray(0, 500));
  const { body } = await refusal(client, 408, 'REQUEST_TIMEOUT');
  assert.deepEqual(
    (await own.rows()).map((row) => [row.request_id, row.status, row.billedSeconds]),
    [[body.request_id, 'REQUEST_TIMEOUT', 0]],
  );
  client.socket.destroy();
});

test('malformed chunks in the body: 400 with the request id, one row', async (t) => {
  const own = await startService(t);
  const client = open(own);
  await client.head(requestHead(['Transfer-Encoding: chunked'], own));
  await client.send('5\r\nhello\r\nZZZ\r\n');
  const { body } = await refusal(client, 400, 'INVALID_REQUEST');
  assert.deepEqual(
    (await own.rows()).map((row) => row.request_id),
    [body.request_id],
  );
  client.socket.destroy();
});

test('a body shorter than its Content-Length: 400 with the request id, and the row is CLIENT_DISCONNECTED', async (t) => {
  const own = await startService(t);
  const client = open(own);
  await client.head(requestHead(['Content-Length: 100000'], own));
  client.socket.end(form(MODEL, file(CLIP)).subarray(0, 500));
  const { body } = await refusal(client, 400, 'INVALID_REQUEST');
  const [row] = await rowsOnceThere(own, 1);
  assert.equal(row?.request_id, body.request_id);
  assert.equal(row?.status, 'CLIENT_DISCONNECTED');
});

test('input that is not HTTP gets the JSON error object too', async () => {
  for (const lines of [
    ['hello there'],
    ['GET / HTTP/1.1', 'Host: x', 'bad header line'],
    ['GET / HTTP/9.9', 'Host: x'],
    ['POST /v1/transcribe HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Content-Length: 6'],
    ['POST /v1/transcribe HTTP/1.1', 'Host: x', 'Content-Length: -5'],
    ['POST /v1/transcribe HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', 'Content-Length: 6'],
    ['GET / HTTP/1.1', 'Host: x', `X-Large: ${'x'.repeat(70_000)}`],
    ['BREW /pot HTTP/1.1', 'Host: x'],
  ]) {
    const client = open();
    await client.head(lines);
    await refusal(client, 400, 'INVALID_REQUEST');
    await client.closed();
  }
});

test('an HTTP/1.1 request without Host is refused with the JSON error object on every path', async () => {
  for (const path of ['/healthz', '/nothing', '/v1/transcribe/stream']) {
    const client = open();
    await client.head([`GET ${path} HTTP/1.1`, 'Connection: close']);
    const { body } = await refusal(client, 400, 'INVALID_REQUEST');
    assert.match(body.error.message, /Host/);
    await client.closed();
  }
  const old = open();
  await old.head(['GET /healthz HTTP/1.0']);
  assert.equal((await old.answer())?.status, 200);
  await old.closed();
});

test('CONNECT is refused with the JSON error object', async () => {
  const client = open();
  await client.head(['CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443']);
  const { answer } = await refusal(client, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  await client.closed();
});

test('URLs that cannot be decoded get the JSON error object too', async () => {
  for (const path of ['/%zz', '/v1/%', '/v1/transcribe/%C0%80', '//', `/${'a'.repeat(8000)}`, '/v1/transcribe/']) {
    const client = open();
    await client.head([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close']);
    const answer = await client.answer();
    assert.ok(answer, path);
    assert.ok(answer.status === 400 || answer.status === 404, `${path}: ${answer.status}`);
    const { error, request_id } = errorResponse.parse(JSON.parse(answer.body));
    assert.equal(request_id, answer.headers.get('x-request-id'));
    if (path.includes('%')) assert.match(error.message, /cannot be decoded|nothing at this address/);
  }
});

test('two requests on one connection are both answered', async () => {
  const client = open();
  const body = form(MODEL, file(CLIP));
  for (let turn = 0; turn < 2; turn += 1) {
    await client.head(requestHead([`Content-Length: ${body.length}`]));
    await client.send(body);
    assert.equal((await client.answer())?.status, 200);
  }
  client.socket.destroy();
});

test('an unknown path is refused without waiting for the body', async () => {
  const client = open();
  await client.head(['POST /nothing HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9999999']);
  await refusal(client, 404, 'NOT_FOUND');
  client.socket.destroy();
});

test('two Host headers are refused, even when they agree', async () => {
  for (const second of ['localhost', 'elsewhere.example']) {
    const client = open();
    await client.head(['GET /healthz HTTP/1.1', 'Host: localhost', `hOST: ${second}`]);
    const { body } = await refusal(client, 400, 'INVALID_REQUEST');
    assert.match(body.error.message, /Host/);
    client.socket.destroy();
  }
});
