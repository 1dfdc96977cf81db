import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as tcpConnect } from 'node:net';
import test from 'node:test';
import { errorResponse, MODEL_IDS } from '@faircopy/contract';
import { WebSocket } from 'ws';
import { connect, eventually, rejection, startStreamServer } from './stream-server.ts';

test('a missing or wrong key is 401 with the JSON error object and x-request-id', async (t) => {
  const server = await startStreamServer(t);
  for (const token of [undefined, '', 'fc_wrong', `${server.key}x`]) {
    const { status, headers, body } = await rejection(server.address({ token }));
    assert.equal(status, 401);
    assert.equal(errorResponse.parse(body).error.code, 'UNAUTHORIZED');
    assert.equal(headers['x-request-id'], body.request_id);
    assert.equal(headers['www-authenticate'], 'Token');
  }
  assert.equal(await server.takenSlots(), 0);
});

const junk: Record<string, string | undefined>[] = [
  { model: undefined },
  { model: 'svc-2.0-max' },
  { model: '' },
  { sample_rate: '7999' },
  { sample_rate: '48001' },
  { sample_rate: '16000.5' },
  { sample_rate: '16e3' },
  { sample_rate: '' },
  { sample_rate: '-16000' },
  { channels: '0' },
  { channels: '3' },
  { channels: 'two' },
  { encoding: 'opus' },
  { encoding: 'PCM16' },
  { include: 'everything' },
];
test('invalid parameters are 400 INVALID_REQUEST and named', async (t) => {
  const server = await startStreamServer(t);
  for (const parameters of junk) {
    const { status, body } = await rejection(server.address(parameters));
    assert.equal(status, 400, JSON.stringify(parameters));
    assert.equal(errorResponse.parse(body).error.code, 'INVALID_REQUEST');
    assert.match(body.error.message, new RegExp(Object.keys(parameters)[0] ?? ''));
  }
  for (const name of ['model', 'sample_rate', 'channels', 'encoding', 'language', 'token']) {
    const { status, body } = await rejection(`${server.address({ [name]: 'x' })}&${name}=y`);
    assert.equal(status, 400, name);
    assert.match(body.error.message, /more than once/);
  }
  const { body } = await rejection(server.address({ model: undefined }));
  for (const model of MODEL_IDS) assert.ok(body.error.message.includes(model), body.error.message);
  assert.equal(await server.takenSlots(), 0);
});

test('limits of every parameter are accepted; unknown languages and parameters are ignored', async (t) => {
  const server = await startStreamServer(t);
  for (const parameters of [
    { sample_rate: '8000' },
    { sample_rate: '48000', channels: '2' },
    { sample_rate: '11025' },
    { encoding: 'pcm16' },
    { language: 'xx' },
    { language: '' },
    { language: 'klingon' },
    { colour: 'blue' },
  ]) {
    const socket = await connect(server.address(parameters));
    socket.send('{"type":"close_stream"}');
    assert.equal((await socket.ending).code, 1000, JSON.stringify(parameters));
  }
});

test('a key may be sent as a subprotocol, and is never echoed', async (t) => {
  const server = await startStreamServer(t);
  const address = server.address({ token: undefined });
  const socket = await connect(address, {}, ['faircopy', `faircopy.token.${server.key}`]);
  assert.equal(socket.protocol, 'faircopy');
  socket.send('{"type":"close_stream"}');
  assert.equal((await socket.ending).code, 1000);
  assert.equal((await rejection(address, ['faircopy', 'faircopy.token.fc_wrong'])).status, 401);
  const alone = await rejection(address, [`faircopy.token.${server.key}`]);
  assert.equal(alone.status, 400);
  assert.equal(JSON.stringify(alone).includes(server.key), false);
});

test('over the limit of open streams: 429 with Retry-After and RateLimit headers, until one closes', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 2 });
  const [first, second] = [await connect(server.address()), await connect(server.address())];
  const { status, headers, body } = await rejection(server.address());
  assert.equal(status, 429);
  assert.equal(body.error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  assert.match(String(headers['retry-after']), /^\d+$/);
  assert.equal(headers['ratelimit-limit'], '2');
  assert.equal(headers['ratelimit-remaining'], '0');
  first.send('{"type":"close_stream"}');
  await first.ending;
  await eventually(server.takenSlots, (taken) => taken === 1);
  const third = await connect(server.address());
  second.terminate();
  third.terminate();
  await eventually(server.takenSlots, (taken) => taken === 0);
});

test('busy, starting and stopping servers answer 503 with Retry-After', async (t) => {
  const server = await startStreamServer(t, { script: { admission: { admitted: false, retryAfterSeconds: 7 } } });
  const busy = await rejection(server.address());
  assert.deepEqual([busy.status, busy.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(busy.headers['retry-after'], '7');
  server.readiness.drain();
  const stopping = await rejection(server.address());
  assert.deepEqual([stopping.status, stopping.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(await server.takenSlots(), 0);
});

test('the accepted handshake carries x-request-id and the number of remaining slots', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 3 });
  const upgraded = new Promise<IncomingMessage>((resolve) => {
    const socket = new WebSocket(server.address());
    socket.on('upgrade', resolve);
  });
  const { headers } = await upgraded;
  assert.match(String(headers['x-request-id']), /^[0-9A-Z]{26}$/);
  assert.equal(headers['ratelimit-remaining'], '2');
  assert.equal(headers['sec-websocket-extensions'], undefined, 'no compression is agreed on');
});

test('a plain GET gets a JSON error that names WebSocket', async (t) => {
  const server = await startStreamServer(t);
  const answer = await fetch(`${server.httpUrl}/v1/transcribe/stream`);
  assert.equal(answer.status, 426);
  assert.match(errorResponse.parse(await answer.json()).error.message, /WebSocket/);
});

test('a plain GET with a key gets the refusal of a handshake, and takes no slot', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 1 });
  const ask = async (query: string, key = server.key) => {
    const headers = { authorization: `Token ${key}` };
    const answer = await fetch(`${server.httpUrl}/v1/transcribe/stream?${query}`, { headers });
    return [answer.status, errorResponse.parse(await answer.json()).error.code];
  };
  assert.deepEqual(await ask('model=svc-1.0-lite'), [426, 'INVALID_REQUEST']);
  assert.deepEqual(await ask('model=svc-1.0-lite', 'fc_wrong'), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await ask('model=svc-9'), [400, 'INVALID_REQUEST']);
  await eventually(server.takenSlots, (taken) => taken === 0);
  const socket = await connect(server.address());
  assert.deepEqual(await ask('model=svc-1.0-lite'), [429, 'CONCURRENT_LIMIT_EXCEEDED']);
  socket.terminate();
});

/** Sends raw requests over one connection, each after the previous answer; `wanted` matches a complete answer. */
const raw = async (server: { httpUrl: string }, requests: string[], wanted: RegExp): Promise<string[]> => {
  const { hostname, port } = new URL(server.httpUrl);
  const socket = tcpConnect(Number(port), hostname);
  socket.on('error', () => undefined);
  const answers: string[] = [];
  let got = '';
  socket.write(requests[0] ?? '');
  for await (const chunk of socket) {
    got += String(chunk);
    if (!wanted.test(got)) continue;
    answers.push(got);
    got = '';
    const next = requests[answers.length];
    if (next === undefined) break;
    socket.write(next);
  }
  socket.destroy();
  return answers;
};

test('invalid WebSocket headers are 400 with the JSON error object', async (t) => {
  const server = await startStreamServer(t);
  const { pathname, search } = new URL(server.address());
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (const rest of [
    '',
    'Sec-WebSocket-Version: 13\r\n',
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n',
    'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: a,,b\r\n',
  ]) {
    const [answer = ''] = await raw(server, [`${head}${rest}\r\n`], /request_id/);
    assert.match(answer, /^HTTP\/1.1 400 /, rest);
    assert.match(answer, /INVALID_REQUEST/);
  }
});

test('other upgrades are ignored, even with a body, and the connection stays usable', async (t) => {
  const server = await startStreamServer(t);
  const post = [
    'POST /echo HTTP/1.1',
    'Host: x',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    'Content-Type: application/json',
    'Content-Length: 13',
    '',
    '{"a": "bcde"}',
  ].join('\r\n');
  const answers = await raw(server, [post, post], /got/);
  assert.equal(answers.length, 2);
  for (const answer of answers) assert.match(answer, /^HTTP\/1.1 200 [\s\S]*"got":\{"a":"bcde"\}/);
  const elsewhere = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  assert.match((await raw(server, [elsewhere], /NOT_FOUND/))[0] ?? '', /^HTTP\/1.1 404 /);
});

test('the key is in no log line, metric or error', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 1 });
  const socket = await connect(server.address());
  const answers = [
    await rejection(server.address()),
    await rejection(server.address({ model: 'x' })),
    await rejection(server.address({ token: `${server.key}0` })),
  ];
  await fetch(`${server.httpUrl}/v1/transcribe/stream?token=${server.key}`);
  await fetch(`${server.httpUrl}/nowhere?token=${server.key}`);
  socket.send(server.key);
  const end = await socket.ending;
  const { text } = await server.metrics.page();
  const everything = [JSON.stringify(answers), JSON.stringify(end), text, ...server.logLines].join('\n');
  assert.ok(server.logLines.length > 0, 'there are log lines to look at');
  assert.equal(everything.includes(server.key), false);
});

test('a client that disconnects during the handshake leaves no slot behind', async (t) => {
  const server = await startStreamServer(t);
  const { hostname, port } = new URL(server.httpUrl);
  const { pathname, search } = new URL(server.address());
  const sockets = Array.from({ length: 8 }, () => {
    const socket = tcpConnect(Number(port), hostname);
    socket.on('error', () => undefined);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      () => socket.resetAndDestroy(),
    );
  }
  await Promise.all(sockets.map((socket) => (socket.closed ? undefined : once(socket, 'close'))));
  const socket = await connect(server.address());
  socket.terminate();
  await eventually(server.takenSlots, (taken) => taken === 0);
  assert.equal(server.sockets.size, 0);
});
