import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as tcpConnect } from 'node:net';
import test from 'node:test';
import { errorResponse, MODEL_IDS } from '@faircopy/contract';
import { WebSocket } from 'ws';
import { connect, eventually, rejection, startHouse } from './house.ts';

test('a missing or wrong key is 401 with the JSON error object and x-request-id', async (t) => {
  const house = await startHouse(t);
  for (const token of [undefined, '', 'fc_wrong', `${house.key}x`]) {
    const { status, headers, body } = await rejection(house.address({ token }));
    assert.equal(status, 401);
    assert.equal(errorResponse.parse(body).error.code, 'UNAUTHORIZED');
    assert.equal(headers['x-request-id'], body.request_id);
    assert.equal(headers['www-authenticate'], 'Token');
  }
  assert.equal(await house.takenSlots(), 0);
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
test('invalid parameters are 400 INVALID_REQUEST, and say which', async (t) => {
  const house = await startHouse(t);
  for (const parameters of junk) {
    const { status, body } = await rejection(house.address(parameters));
    assert.equal(status, 400, JSON.stringify(parameters));
    assert.equal(errorResponse.parse(body).error.code, 'INVALID_REQUEST');
    assert.match(body.error.message, new RegExp(Object.keys(parameters)[0] ?? ''));
  }
  for (const name of ['model', 'sample_rate', 'channels', 'encoding', 'language', 'token']) {
    const { status, body } = await rejection(`${house.address({ [name]: 'x' })}&${name}=y`);
    assert.equal(status, 400, name);
    assert.match(body.error.message, /more than once/);
  }
  const { body } = await rejection(house.address({ model: undefined }));
  for (const model of MODEL_IDS) assert.ok(body.error.message.includes(model), body.error.message);
  assert.equal(await house.takenSlots(), 0);
});

test('the edges of every parameter are accepted, and unknown languages and parameters ignored', async (t) => {
  const house = await startHouse(t);
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
    const socket = await connect(house.address(parameters));
    socket.send('{"type":"close_stream"}');
    assert.equal((await socket.ending).code, 1000, JSON.stringify(parameters));
  }
});

test('a key may come as a subprotocol, and is never echoed', async (t) => {
  const house = await startHouse(t);
  const address = house.address({ token: undefined });
  const socket = await connect(address, {}, ['faircopy', `faircopy.token.${house.key}`]);
  assert.equal(socket.protocol, 'faircopy');
  socket.send('{"type":"close_stream"}');
  assert.equal((await socket.ending).code, 1000);
  assert.equal((await rejection(address, ['faircopy', 'faircopy.token.fc_wrong'])).status, 401);
  const alone = await rejection(address, [`faircopy.token.${house.key}`]);
  assert.equal(alone.status, 400);
  assert.equal(JSON.stringify(alone).includes(house.key), false);
});

test('the limit of open streams: 429 with Retry-After and RateLimit headers, free again after a close', async (t) => {
  const house = await startHouse(t, { maxStreams: 2 });
  const [first, second] = [await connect(house.address()), await connect(house.address())];
  const { status, headers, body } = await rejection(house.address());
  assert.equal(status, 429);
  assert.equal(body.error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  assert.match(String(headers['retry-after']), /^\d+$/);
  assert.equal(headers['ratelimit-limit'], '2');
  assert.equal(headers['ratelimit-remaining'], '0');
  first.send('{"type":"close_stream"}');
  await first.ending;
  await eventually(house.takenSlots, (taken) => taken === 1);
  const third = await connect(house.address());
  second.terminate();
  third.terminate();
  await eventually(house.takenSlots, (taken) => taken === 0);
});

test('busy, starting and stopping servers answer 503 with Retry-After', async (t) => {
  const house = await startHouse(t, { script: { admission: { admitted: false, retryAfterSeconds: 7 } } });
  const busy = await rejection(house.address());
  assert.deepEqual([busy.status, busy.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(busy.headers['retry-after'], '7');
  house.readiness.drain();
  const stopping = await rejection(house.address());
  assert.deepEqual([stopping.status, stopping.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(await house.takenSlots(), 0);
});

test('the accepted handshake carries x-request-id and the slots left', async (t) => {
  const house = await startHouse(t, { maxStreams: 3 });
  const upgraded = new Promise<IncomingMessage>((resolve) => {
    const socket = new WebSocket(house.address());
    socket.on('upgrade', resolve);
  });
  const { headers } = await upgraded;
  assert.match(String(headers['x-request-id']), /^[0-9A-Z]{26}$/);
  assert.equal(headers['ratelimit-remaining'], '2');
  assert.equal(headers['sec-websocket-extensions'], undefined, 'no compression is agreed on');
});

test('a plain GET gets a JSON error that says what this address is', async (t) => {
  const house = await startHouse(t);
  const answer = await fetch(`${house.httpUrl}/v1/transcribe/stream`);
  assert.equal(answer.status, 426);
  assert.match(errorResponse.parse(await answer.json()).error.message, /WebSocket/);
});

test('a plain GET with a key is told what a handshake would be told, and takes no slot', async (t) => {
  const house = await startHouse(t, { maxStreams: 1 });
  const ask = async (query: string, key = house.key) => {
    const headers = { authorization: `Token ${key}` };
    const answer = await fetch(`${house.httpUrl}/v1/transcribe/stream?${query}`, { headers });
    return [answer.status, errorResponse.parse(await answer.json()).error.code];
  };
  assert.deepEqual(await ask('model=svc-1.0-lite'), [426, 'INVALID_REQUEST']);
  assert.deepEqual(await ask('model=svc-1.0-lite', 'fc_wrong'), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await ask('model=svc-9'), [400, 'INVALID_REQUEST']);
  await eventually(house.takenSlots, (taken) => taken === 0);
  const socket = await connect(house.address());
  assert.deepEqual(await ask('model=svc-1.0-lite'), [429, 'CONCURRENT_LIMIT_EXCEEDED']);
  socket.terminate();
});

/** Sends raw requests over one connection, each after the answer to the one before; an answer is there at `wanted`. */
const raw = async (house: { httpUrl: string }, requests: string[], wanted: RegExp): Promise<string[]> => {
  const { hostname, port } = new URL(house.httpUrl);
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

test('broken WebSocket headers are 400 with the JSON error object', async (t) => {
  const house = await startHouse(t);
  const { pathname, search } = new URL(house.address());
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (const rest of [
    '',
    'Sec-WebSocket-Version: 13\r\n',
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n',
    'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: a,,b\r\n',
  ]) {
    const [answer = ''] = await raw(house, [`${head}${rest}\r\n`], /request_id/);
    assert.match(answer, /^HTTP\/1.1 400 /, rest);
    assert.match(answer, /INVALID_REQUEST/);
  }
});

test('offers of other upgrades are ignored, bodies included, and the connection goes on', async (t) => {
  const house = await startHouse(t);
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
  const answers = await raw(house, [post, post], /got/);
  assert.equal(answers.length, 2);
  for (const answer of answers) assert.match(answer, /^HTTP\/1.1 200 [\s\S]*"got":\{"a":"bcde"\}/);
  const elsewhere = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  assert.match((await raw(house, [elsewhere], /NOT_FOUND/))[0] ?? '', /^HTTP\/1.1 404 /);
});

test('the key is in no log line, no metric and no error', async (t) => {
  const house = await startHouse(t, { maxStreams: 1 });
  const socket = await connect(house.address());
  const answers = [
    await rejection(house.address()),
    await rejection(house.address({ model: 'x' })),
    await rejection(house.address({ token: `${house.key}0` })),
  ];
  await fetch(`${house.httpUrl}/v1/transcribe/stream?token=${house.key}`);
  await fetch(`${house.httpUrl}/nowhere?token=${house.key}`);
  socket.send(house.key);
  const end = await socket.ending;
  const { text } = await house.metrics.page();
  const everything = [JSON.stringify(answers), JSON.stringify(end), text, ...house.logLines].join('\n');
  assert.ok(house.logLines.length > 0, 'there are log lines to look at');
  assert.equal(everything.includes(house.key), false);
});

test('a client that goes away during the handshake leaves no slot behind', async (t) => {
  const house = await startHouse(t);
  const { hostname, port } = new URL(house.httpUrl);
  const { pathname, search } = new URL(house.address());
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
  const socket = await connect(house.address());
  socket.terminate();
  await eventually(house.takenSlots, (taken) => taken === 0);
  assert.equal(house.door.openStreams, 0);
});
