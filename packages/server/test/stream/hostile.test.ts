import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Socket, connect as tcpConnect } from 'node:net';
import test from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Faircopy } from '@faircopy/client';
import { setLimits } from '../../src/accounts/accounts.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { keyFor, type Service, startService, streamAddress } from '../http/service.ts';
import { bytesInUse } from './memory.ts';
import { connect, eventually } from './stream-server.ts';

/** Makes a frame by hand, as no well-behaved library would send it. */
const frame = (options: {
  opcode: number;
  payload?: Buffer;
  fin?: boolean;
  rsv1?: boolean;
  masked?: boolean;
  claimedBytes?: bigint;
}): Buffer => {
  const { opcode, payload = Buffer.alloc(0), fin = true, rsv1 = false, masked = true, claimedBytes } = options;
  const head = [(fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode];
  const maskBit = masked ? 0x80 : 0;
  const length = Buffer.alloc(8);
  if (claimedBytes !== undefined) length.writeBigUInt64BE(claimedBytes);
  const sized =
    claimedBytes !== undefined
      ? Buffer.concat([Buffer.from([...head, maskBit | 127]), length])
      : payload.length < 126
        ? Buffer.from([...head, maskBit | payload.length])
        : Buffer.from([...head, maskBit | 126, payload.length >> 8, payload.length & 0xff]);
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([sized, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
};

const handshakeText = (service: Pick<Service, 'url' | 'key'>, extra = ''): string => {
  const { pathname, search } = new URL(streamAddress(service));
  const key = randomBytes(16).toString('base64');
  return (
    `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n${extra}\r\n`
  );
};

const rawSocket = async (service: Pick<Service, 'url' | 'port' | 'key'>, extra = ''): Promise<Socket> => {
  const socket = tcpConnect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(handshakeText(service, extra));
  return socket;
};

/** Resolves to everything that the server sends until it ends the connection. */
const untilClosed = async (socket: Socket): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    // After its one message, the server closes; only this close needs an answer.
    if (chunk.includes('"type":')) socket.write(frame({ opcode: 8, payload: Buffer.from([0x03, 0xe8]) }));
  });
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks);
};
const closeCodeIn = (bytes: Buffer): number => {
  // The close frame is the last thing sent: 0x88, its length, the code.
  const at = bytes.lastIndexOf(0x88);
  return bytes.readUInt16BE(at + 2);
};

const bombs: Record<string, () => Buffer> = {
  'a compressed bomb': () =>
    frame({ opcode: 2, rsv1: true, payload: deflateRawSync(Buffer.alloc(4 * 1024 * 1024)).subarray(0, 60_000) }),
  'a frame that is not masked': () => frame({ opcode: 2, payload: Buffer.alloc(10), masked: false }),
  'a frame that claims exabytes': () => frame({ opcode: 2, claimedBytes: 1n << 62n }),
  'a frame that claims a gigabyte': () => frame({ opcode: 2, claimedBytes: 1n << 30n }),
  'an unknown opcode': () => frame({ opcode: 5 }),
  'a ping of 126 bytes': () => frame({ opcode: 9, payload: Buffer.alloc(126) }),
  'a fragmented ping': () => frame({ opcode: 9, fin: false }),
  'a continuation of nothing': () => frame({ opcode: 0, payload: Buffer.alloc(4) }),
  'text that is not UTF-8': () => frame({ opcode: 1, payload: Buffer.from([0xc3, 0x28]) }),
  'a close with a bad code': () => frame({ opcode: 8, payload: Buffer.from([0x00, 0x01]) }),
  'a flood of pings': () => Buffer.concat(Array.from({ length: 5_000 }, () => frame({ opcode: 9 }))),
  'a flood of pongs': () => Buffer.concat(Array.from({ length: 5_000 }, () => frame({ opcode: 10 }))),
  'a flood of keep_alive': () =>
    Buffer.concat(
      Array.from({ length: 5_000 }, () => frame({ opcode: 1, payload: Buffer.from('{"type":"keep_alive"}') })),
    ),
  'a message in a hundred thousand fragments': () =>
    Buffer.concat([
      frame({ opcode: 2, fin: false }),
      ...Array.from({ length: 100_000 }, () => frame({ opcode: 0, fin: false })),
    ]),
  'random bytes': () => createHash('sha512').update('seed').digest(),
};

test('a peer that breaks the protocol gets an error and a close, leaves nothing behind, and does not disturb others', {
  timeout: 120_000,
}, async (t) => {
  const service = await startService(t);
  // A separate account for the neighbour, who must notice nothing.
  const { key } = await keyFor(service.app.storage, 'quiet neighbour');
  await setLimits(service.app.storage, service.accountId, { maxStreams: 100 });
  const words = story(60);
  const speech = pcm16Bytes(spoken(words));
  const neighbour = new Faircopy({ baseUrl: service.url, apiKey: key, retries: 0 }).stream({ model: 'svc-1.0-lite' });
  await neighbour.send(speech.subarray(0, 32_000));

  for (const [what, bytes] of Object.entries(bombs)) {
    const socket = await rawSocket(service);
    socket.write(bytes());
    const said = await untilClosed(socket);
    const text = said.toString('latin1');
    assert.match(text, /^HTTP\/1.1 101 /, what);
    assert.match(text, /"code":"INVALID_REQUEST"/, what);
    assert.equal(text.match(/"type":"error"/g)?.length, 1, what);
    assert.ok([1002, 1007, 1008, 1009].includes(closeCodeIn(said)), `${what}: ${closeCodeIn(said)}`);
  }
  for (let start = 32_000; start < speech.length; start += 64_000) {
    await neighbour.send(speech.subarray(start, start + 64_000));
  }
  assert.equal((await neighbour.finish()).result.transcript, words.join(' '));
  await eventually(service.takenSlots, (taken) => taken === 0);
  const rows = await eventually(service.rows, (found) => found.length === Object.keys(bombs).length + 1);
  const billed = rows.filter((row) => row.billedSeconds > 0);
  assert.deepEqual(
    billed.map((row) => row.status),
    ['success'],
  );
});

test('a flood of tiny frames is transcribed like any audio', { timeout: 60_000 }, async (t) => {
  const service = await startService(t);
  const words = story(5);
  const speech = Buffer.from(pcm16Bytes(spoken(words)));
  const socket = await rawSocket(service);
  const frames = Array.from({ length: Math.ceil(speech.length / 3) }, (_, at) =>
    frame({ opcode: 2, payload: speech.subarray(at * 3, at * 3 + 3) }),
  );
  socket.write(Buffer.concat(frames));
  socket.write(frame({ opcode: 1, payload: Buffer.from('{"type":"close_stream"}') }));
  const said = (await untilClosed(socket)).toString();
  assert.match(said, new RegExp(words.join(' ')));
});

test('frames sent before the handshake ends are kept, and a refused handshake is still answered', async (t) => {
  const service = await startService(t);
  const early = tcpConnect(service.port, '127.0.0.1');
  early.on('error', () => undefined);
  const words = story(4);
  const audio = frame({ opcode: 2, payload: Buffer.from(pcm16Bytes(spoken(words))).subarray(0, 60_000) });
  const closing = frame({ opcode: 1, payload: Buffer.from('{"type":"close_stream"}') });
  early.write(Buffer.concat([Buffer.from(handshakeText(service)), audio, closing]));
  assert.match((await untilClosed(early)).toString(), new RegExp(words.join(' ')));

  const refused = tcpConnect(service.port, '127.0.0.1');
  refused.on('error', () => undefined);
  refused.write(Buffer.concat([Buffer.from(handshakeText({ ...service, key: 'fc_wrong' })), audio, audio, audio]));
  assert.match((await untilClosed(refused)).toString(), /^HTTP\/1.1 401 [\s\S]*UNAUTHORIZED/);
});

test('in a flood of refused handshakes, their sender is delayed, and other accounts are not', {
  timeout: 60_000,
}, async (t) => {
  const service = await startService(t, {
    config: { maxConnections: 40_000, firstFrameTimeoutMs: 120_000 },
    // The clock stands still, so that this is one flood even on a slow machine.
    overrides: { clock: { now: () => Date.now(), monotonicMs: () => 0 } },
  });
  const { key } = await keyFor(service.app.storage, 'neighbour');
  await setLimits(service.app.storage, service.accountId, { maxStreams: 1 });
  const first = await rawSocket(service);
  await once(first, 'data');
  let answered = 0;
  const flood: Socket[] = [];
  for (let nth = 0; nth < 1_200; nth++) {
    const socket = await rawSocket(service);
    flood.push(socket);
    socket.once('data', (chunk) => {
      assert.match(chunk.toString(), /^HTTP\/1.1 429 /);
      answered += 1;
      socket.destroy();
    });
  }
  const neighbour = await rawSocket({ ...service, key });
  const [greeting] = await once(neighbour, 'data');
  assert.match(String(greeting), /^HTTP\/1.1 101 /);
  // More than what can be in transit.
  assert.ok(flood.length - answered > 20);
  for (const socket of [first, neighbour, ...flood]) socket.destroy();
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('half-open peers are detected by missed pings', async (t) => {
  const service = await startService(t, { config: { pingIntervalMs: 50 } });
  const socket = await rawSocket(service);
  socket.write(frame({ opcode: 2, payload: Buffer.alloc(3200) }));
  // It reads but never answers.
  socket.on('data', () => undefined);
  await once(socket, 'close');
  const [row] = await eventually(service.rows, (found) => found.length === 1);
  assert.equal(row?.status, 'CLIENT_DISCONNECTED');
  assert.equal(await service.takenSlots(), 0);
});

test('a slow recogniser applies back-pressure, and a file sent at full speed arrives complete', {
  timeout: 60_000,
}, async (t) => {
  const service = await startService(t);
  service.engine.hold();
  const words = story(10);
  const minute = pcm16Bytes(joined(spoken(words), quiet(56)));
  const socket = await connect(streamAddress(service));
  // Send ten minutes at once while nothing is recognised.
  for (let count = 0; count < 10; count += 1) {
    for (let start = 0; start < minute.length; start += 64_000) socket.send(minute.subarray(start, start + 64_000));
  }
  await service.engine.until((engine) => engine.running > 0);
  const unsent = socket.bufferedAmount;
  service.engine.release();
  socket.send('{"type":"close_stream"}');
  const { messages, code } = await socket.ending;
  assert.equal(code, 1000);
  const { result } = messages[0] as { result: { transcript: string; duration_seconds: number } };
  assert.equal(result.transcript, Array.from({ length: 10 }, () => words.join(' ')).join(' '));
  assert.ok(unsent > 0, 'some of it waited with the sender');
});

test('a long stream uses no more memory than a short one', { timeout: 120_000 }, async (t) => {
  const service = await startService(t);
  const stream = new Faircopy({ baseUrl: service.url, apiKey: service.key }).stream({ model: 'svc-1.0-lite' });
  const minute = pcm16Bytes(joined(spoken(story(20)), quiet(52.8)));
  const early: number[] = [];
  const late: number[] = [];
  // The first minutes fill caches; fifty more follow, 96 MB of audio.
  for (let minutes = 0; minutes < 65; minutes += 1) {
    await stream.send(minute);
    // The scripted engine remembers every window it heard; that is not the stream's memory.
    service.engine.asked.length = 0;
    if (minutes >= 10 && minutes < 15) early.push(bytesInUse());
    if (minutes >= 60) late.push(bytesInUse());
  }
  const { result } = await stream.finish();
  assert.equal(result.duration_seconds, 65 * 60);
  assert.equal(result.transcript.split(' ').length, 65 * 20);
  // Bytes in transit vary, so the lowest of five readings shows what the stream keeps.
  const more = Math.min(...late) - Math.min(...early);
  t.diagnostic(`${(more / 1024 / 1024).toFixed(1)} MB more after fifty minutes`);
  assert.ok(more < 8 * 1024 * 1024, `${more} bytes more after fifty minutes`);
});
