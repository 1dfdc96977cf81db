// Refusals that come before the body has arrived reach clients that send everything before they read.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { type AddressInfo, connect, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { setLimits } from '../../src/accounts/accounts.ts';
import { parseConfig } from '../../src/app/config.ts';
import { Fault } from '../../src/lib/fault.ts';
import { silentLog } from '../../src/observability/log.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { quiet } from '../../src/speech/testing/tones.ts';
import { LINGER_LIMITS, type LingerLimits } from '../../src/transport/http/lingering-close.ts';
import { createHttp } from '../../src/transport/http/server.ts';
import { eventually } from '../stream/stream-server.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from './forms.ts';
import { RawClient } from './raw.ts';
import { type Service, sharedService, startService } from './service.ts';

const MB = 1024 * 1024;
const WRONG_KEY = 'fc_wrong';
const shared = sharedService();

interface Upload {
  readonly path?: string;
  readonly type?: string;
  readonly key?: string;
  readonly headers?: readonly string[];
  readonly body: Buffer | readonly Buffer[];
  /** The length that the client claims, if it is not the true one. */
  readonly length?: number;
}

const headOf = ({
  path = '/v1/transcribe',
  type = FORM_TYPE,
  key = shared().key,
  headers = [],
  body,
  length,
}: Upload) => [
  `POST ${path} HTTP/1.1`,
  'Host: test',
  `Authorization: Token ${key}`,
  `Content-Type: ${type}`,
  ...(Buffer.isBuffer(body) ? [`Content-Length: ${length ?? body.length}`] : ['Transfer-Encoding: chunked']),
  ...headers,
];

const chunkOf = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Sends everything before it reads, then returns what it reads until the server ends the connection. */
const writesAllFirst = async (upload: Upload, bytesPerSecond = Infinity, { port }: Service = shared()) => {
  const client = new RawClient(port);
  client.socket.pause();
  await client.head(headOf(upload));
  const pieces = Buffer.isBuffer(upload.body) ? [upload.body] : [...upload.body.map(chunkOf), Buffer.from('0\r\n\r\n')];
  const pieceBytes = Number.isFinite(bytesPerSecond) ? bytesPerSecond / 10 : 4 * MB;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += pieceBytes) {
      await client.send(piece.subarray(at, at + pieceBytes));
      if (Number.isFinite(bytesPerSecond)) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  assert.ok(!client.socket.destroyed, 'the connection broke while the client was sending');
  client.socket.resume();
  const answer = await client.answer();
  await client.closed();
  return { status: answer?.status, connection: answer?.headers.get('connection'), rest: client.received };
};

const refusedWith = (status: number) => ({ status, connection: 'close', rest: '' });

test('401: a form, a raw body and a chunked body of 24 MB, at full speed', async () => {
  const audio = Buffer.alloc(24 * MB);
  const key = WRONG_KEY;
  assert.deepEqual(await writesAllFirst({ key, body: form(MODEL, file(audio)) }), refusedWith(401));
  assert.deepEqual(await writesAllFirst({ key, path: '/v1/listen', type: 'audio/wav', body: audio }), refusedWith(401));
  const pieces = Array.from({ length: 24 }, (_, at) => audio.subarray(at * MB, (at + 1) * MB));
  assert.deepEqual(await writesAllFirst({ key, body: pieces }), refusedWith(401));
});

test('413: a form with a length, and a chunked one, 60 MB at full speed', async () => {
  const body = form(MODEL, file(Buffer.alloc(60 * MB)));
  assert.deepEqual(await writesAllFirst({ body }), refusedWith(413));
  const pieces = Array.from({ length: 60 }, (_, at) => body.subarray(at * MB, (at + 1) * MB));
  assert.deepEqual(await writesAllFirst({ body: pieces }), refusedWith(413));
});

test('429: an account over its limit of files', async (t) => {
  const service = await startService(t);
  await setLimits(service.app.storage, service.accountId, { maxUploads: 0 });
  const body = form(MODEL, file(Buffer.alloc(30 * MB)));
  assert.deepEqual(await writesAllFirst({ key: service.key, body }, undefined, service), refusedWith(429));
});

test('503: a service that is not ready', async (t) => {
  const service = await startService(t, { warm: false });
  const body = form(MODEL, file(Buffer.alloc(30 * MB)));
  assert.deepEqual(await writesAllFirst({ key: service.key, body }, undefined, service), refusedWith(503));
});

test('401 and 413 at 1 MB/s', async () => {
  const body = form(MODEL, file(Buffer.alloc(3.5 * MB)));
  const slow = (upload: Upload) => writesAllFirst(upload, MB);
  const answers = await Promise.all([slow({ key: WRONG_KEY, body }), slow({ body, length: 60 * MB })]);
  assert.deepEqual(answers, [refusedWith(401), refusedWith(413)]);
});

test('a client that asks for 100-continue and sends without waiting sees the refusal', async () => {
  const body = form(MODEL, file(Buffer.alloc(30 * MB)));
  const upload = { key: WRONG_KEY, body, headers: ['Expect: 100-continue'] };
  assert.deepEqual(await writesAllFirst(upload), refusedWith(401));
});

test('requests behind a refused one on the same connection are not served', async () => {
  const { key, rows } = shared();
  const before = (await rows()).length;
  const good = { key, body: form(MODEL, file(wavOf(quiet(0.5)))) };
  const request = (upload: Upload & { body: Buffer }) =>
    Buffer.concat([Buffer.from(`${headOf(upload).join('\r\n')}\r\n\r\n`), upload.body]);
  for (const headers of [[], ['Expect: 100-continue'], ['Upgrade: websocket', 'Connection: upgrade']]) {
    const client = new RawClient(shared().port);
    const refused = { key: WRONG_KEY, body: form(MODEL, file(Buffer.alloc(2 * MB))) };
    await client.send(Buffer.concat([request(refused), request({ ...good, headers })]));
    assert.equal((await client.answer())?.status, 401);
    await client.closed();
    assert.equal(client.received, '');
  }
  assert.equal((await rows()).length, before);
});

const python = spawnSync('python3', ['--version']).status === 0;
const PYTHON = `
import http.client, sys, urllib.error, urllib.request
url, size = sys.argv[1], int(sys.argv[2])
host = url.split('/')[2]
connection = http.client.HTTPConnection(host)
connection.request('POST', '/v1/transcribe', b' ' * size, {'Authorization': 'Token wrong', 'Content-Type': 'audio/wav'})
print(connection.getresponse().status)
try:
    urllib.request.urlopen(urllib.request.Request(url + '/v1/transcribe', b' ' * size))
except urllib.error.HTTPError as error:
    print(error.code)
`;

test("Python's http.client and urllib see a 401 for 24 MB", { skip: !python && 'no python3' }, async () => {
  const { stdout } = await promisify(execFile)('python3', ['-c', PYTHON, shared().url, String(24 * MB)]);
  assert.deepEqual(stdout.trim().split('\n'), ['401', '401']);
});

/** A server that refuses everything, and clients that send, read nothing and never close. */
const refusing = async (t: TestContext, limits: Partial<LingerLimits>) => {
  const linger = { ...LINGER_LIMITS, ...limits };
  const app = createHttp({ config: parseConfig({}), log: silentLog(), metrics: new Metrics(), linger });
  app.addHook('onRequest', async () => {
    throw new Fault('UNAUTHORIZED');
  });
  app.post('/', async () => {});
  await app.listen({ host: '127.0.0.1', port: 0 });
  const open: Socket[] = [];
  let accepted = 0;
  app.server.on('connection', () => {
    accepted += 1;
  });
  const left = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  t.after(async () => {
    for (const socket of open) socket.destroy();
    await app.close();
  });
  return {
    app,
    uploading: () => {
      const socket = connect({
        port: (app.server.address() as AddressInfo).port,
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      socket.on('error', () => {}).pause();
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n');
      open.push(socket);
      return socket;
    },
    /** Resolves when all clients have been accepted and this number of them is still connected. */
    remain: (count: number) =>
      eventually(
        async () => accepted === open.length && (await left()),
        (is) => is === count,
      ),
  };
};

test('a client that stalls or trickles is cut off', async (t) => {
  const { uploading, remain } = await refusing(t, { checkMs: 100, bytesPerCheckMin: 1000 });
  uploading().write(chunkOf(Buffer.alloc(100_000)));
  const dripping = uploading();
  const drip = setInterval(() => dripping.write(chunkOf(Buffer.alloc(10))), 20);
  t.after(() => clearInterval(drip));
  await remain(0);
});

test('a client that sends forever is cut off', async (t) => {
  const { uploading, remain } = await refusing(t, { bytesMax: 4 * MB });
  const socket = uploading();
  const piece = chunkOf(Buffer.alloc(MB / 4));
  const sendOn = (fault?: Error | null) => {
    if (!fault) socket.write(piece, sendOn);
  };
  sendOn();
  await new Promise((resolve) => socket.once('close', resolve));
  await remain(0);
  assert.ok(socket.bytesWritten >= 4 * MB, `${socket.bytesWritten}`);
});

test('lingering connections are limited per address; further ones end soon', async (t) => {
  const short = { bytesMax: 1000, ms: 20 };
  const { uploading, remain } = await refusing(t, { perAddressMax: 2, short });
  for (let count = 0; count < 5; count++) uploading().write(chunkOf(Buffer.alloc(100)));
  await remain(2);
});

test('lingering connections are limited in total too', async (t) => {
  const short = { bytesMax: 1000, ms: 20 };
  const { uploading, remain } = await refusing(t, { inAllMax: 1, short });
  for (let count = 0; count < 3; count++) uploading().write(chunkOf(Buffer.alloc(100)));
  await remain(1);
});

test('a server that stops waits only briefly for lingering connections', async (t) => {
  const { app, uploading, remain } = await refusing(t, { short: { bytesMax: 1000, ms: 20 } });
  uploading();
  await remain(1);
  await app.close();
});
