import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { errorMessage, LIMITS, resultMessage } from '@faircopy/contract';
import { connect, eventually, startStreamServer } from './stream-server.ts';

const SECOND = 32_000;
const CLOSE = JSON.stringify({ type: 'close_stream' });
const KEEP_ALIVE = JSON.stringify({ type: 'keep_alive' });

test('audio, close_stream, one result, close 1000, and a row written before the result', async (t) => {
  const server = await startStreamServer(t);
  const socket = await connect(server.address());
  for (let index = 0; index < 20; index += 1) socket.send(Buffer.alloc(SECOND));
  socket.send(CLOSE);
  const [data] = await once(socket, 'message');
  const message = resultMessage.parse(JSON.parse(String(data)));
  assert.equal((await server.rows()).length, 1, 'the row is durable before the result is sent');
  assert.equal(message.result.duration_seconds, 20);
  assert.equal(message.result.transcript, `${20 * 16_000} samples`);
  assert.equal(message.usage.billed_audio_seconds, 20);
  const end = await socket.ending;
  assert.deepEqual([end.messages.length, end.code], [1, 1000]);
  const [row] = await server.rows();
  assert.equal(row?.status, 'success');
  assert.equal(row?.request_id, message.request_id);
  await eventually(server.takenSlots, (taken) => taken === 0);
});

test('the row says whether the effort was reduced', async (t) => {
  for (const effort of ['reduced', undefined] as const) {
    const server = await startStreamServer(t, { script: effort ? { effort } : {} });
    const socket = await connect(server.address());
    socket.send(Buffer.alloc(SECOND));
    socket.send(CLOSE);
    await socket.ending;
    assert.equal((await server.rows())[0]?.effort, effort ?? null);
  }
});

test('a stream is counted and logged with status 101', async (t) => {
  const server = await startStreamServer(t);
  const socket = await connect(server.address());
  socket.send(CLOSE);
  await socket.ending;
  const counted = /faircopy_http_requests_total\{route="\/v1\/transcribe\/stream",method="GET",status="(\d+)"\} 1/;
  const page = await eventually(
    async () => (await server.metrics.page()).text,
    (text) => counted.test(text),
  );
  assert.equal(counted.exec(page)?.[1], '101');
  const line = server.logLines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request');
  assert.equal(line.status, 101);
});

test('frames of odd lengths are joined, and a spare byte at the end is dropped', async (t) => {
  const server = await startStreamServer(t);
  const socket = await connect(server.address());
  for (let sent = 0; sent < 1000; sent += 1) socket.send(Buffer.alloc(3));
  socket.send(Buffer.alloc(1));
  socket.send(CLOSE);
  const { messages } = await socket.ending;
  assert.equal(resultMessage.parse(messages[0]).result.transcript, '1500 samples');
});

test('close_stream before any audio gives an empty result', async (t) => {
  const server = await startStreamServer(t);
  const socket = await connect(server.address());
  socket.send(CLOSE);
  const { messages, code } = await socket.ending;
  const { result, usage } = resultMessage.parse(messages[0]);
  assert.deepEqual(result, { transcript: '', detected_language: null, duration_seconds: 0 });
  assert.deepEqual(usage, { billed_audio_seconds: 15, output_token_count: 0 });
  assert.equal(code, 1000);
  assert.equal(server.transcriber.sessions.length, 0, 'no session is opened without audio');
});

test('audio after close_stream is ignored', async (t) => {
  const server = await startStreamServer(t);
  const socket = await connect(server.address());
  socket.send(Buffer.alloc(SECOND));
  socket.send(CLOSE);
  socket.send(Buffer.alloc(SECOND));
  socket.send(CLOSE);
  const { messages } = await socket.ending;
  assert.equal(messages.length, 1);
  assert.equal(resultMessage.parse(messages[0]).result.duration_seconds, 1);
});

for (const [what, text] of [
  ['not JSON', 'hello'],
  ['of an unknown type', '{"type":"pause"}'],
  ['not an object', '"keep_alive"'],
  ['empty', ''],
] as const) {
  test(`a text message that is ${what}: one INVALID_REQUEST, then 1007, unbilled`, async (t) => {
    const server = await startStreamServer(t);
    const socket = await connect(server.address());
    socket.send(Buffer.alloc(SECOND));
    socket.send(text);
    socket.send(CLOSE);
    const { messages, code } = await socket.ending;
    assert.equal(messages.length, 1);
    assert.equal(errorMessage.parse(messages[0]).error.code, 'INVALID_REQUEST');
    assert.equal(code, 1007);
    const rows = await eventually(server.rows, (found) => found.length === 1);
    assert.deepEqual([rows[0]?.status, rows[0]?.billed_ms], ['INVALID_REQUEST', 0]);
    await eventually(
      () => server.transcriber.sessions[0]?.state,
      (state) => state === 'cancelled',
    );
  });
}

test('the largest frame is accepted; a larger one or a long text gets an error and 1009', async (t) => {
  const server = await startStreamServer(t);
  const fits = await connect(server.address());
  fits.send(Buffer.alloc(LIMITS.streamFrameBytesMax));
  fits.send(CLOSE);
  assert.equal((await fits.ending).code, 1000);
  for (const message of [Buffer.alloc(LIMITS.streamFrameBytesMax + 1), ' '.repeat(LIMITS.streamTextBytesMax + 1)]) {
    const socket = await connect(server.address());
    socket.send(message);
    const { messages, code } = await socket.ending;
    assert.equal(errorMessage.parse(messages[0]).error.code, 'INVALID_REQUEST');
    assert.equal(code, 1009);
  }
});

test('no audio within the deadline closes with 1008, even with keep_alive', async (t) => {
  const server = await startStreamServer(t, { config: { firstFrameTimeoutMs: 200 } });
  const socket = await connect(server.address());
  const chatter = setInterval(() => socket.send(KEEP_ALIVE), 20);
  const { messages, code, reason } = await socket.ending;
  clearInterval(chatter);
  assert.deepEqual([messages.length, code], [0, 1008]);
  assert.match(reason, /no audio/);
  const rows = await eventually(server.rows, (found) => found.length === 1);
  assert.deepEqual([rows[0]?.status, rows[0]?.billed_ms], ['REQUEST_TIMEOUT', 0]);
});

test('keep_alive keeps an idle stream open, and silence closes it with 1008', async (t) => {
  const server = await startStreamServer(t, { config: { idleTimeoutMs: 1_000 } });
  const socket = await connect(server.address());
  socket.send(Buffer.alloc(SECOND));
  let kept = 0;
  await new Promise<void>((resolve) => {
    const chatter = setInterval(() => {
      socket.send(KEEP_ALIVE);
      kept += 1;
      if (kept < 30) return;
      clearInterval(chatter);
      resolve();
    }, 50);
  });
  assert.equal(socket.readyState, socket.OPEN);
  const { messages, code, reason } = await socket.ending;
  assert.deepEqual([messages.length, code], [0, 1008]);
  assert.match(reason, /idle/);
});

test('a stream longer than the limit gets AUDIO_TOO_LONG', async (t) => {
  const server = await startStreamServer(t, { config: { maxStreamSeconds: 2 } });
  const socket = await connect(server.address());
  socket.send(Buffer.alloc(2 * SECOND));
  socket.send(Buffer.alloc(2));
  const { messages } = await socket.ending;
  assert.equal(errorMessage.parse(messages[0]).error.code, 'AUDIO_TOO_LONG');
});

test('a result that takes too long is SERVICE_UNAVAILABLE, not billed, and its work is cancelled', async (t) => {
  const never = () => new Promise<void>(() => undefined);
  const server = await startStreamServer(t, { config: { finalizeTimeoutMs: 50 }, script: { beforeAnswer: never } });
  const socket = await connect(server.address());
  socket.send(Buffer.alloc(SECOND));
  socket.send(CLOSE);
  const { messages, code } = await socket.ending;
  assert.equal(errorMessage.parse(messages[0]).error.code, 'SERVICE_UNAVAILABLE');
  assert.equal(code, 1011);
  const rows = await eventually(server.rows, (found) => found.length === 1);
  assert.equal(rows[0]?.billed_ms, 0);
  assert.equal(server.transcriber.sessions[0]?.state, 'cancelled');
});

test('a failing session sends one error and 1011, without internal details', async (t) => {
  const broken = () => {
    throw new Error('secret path');
  };
  for (const script of [{ beforeWrite: broken }, { beforeAnswer: broken }, { beforeOpen: broken }]) {
    const server = await startStreamServer(t, { script });
    const socket = await connect(server.address());
    socket.send(Buffer.alloc(SECOND));
    socket.send(CLOSE);
    const { messages, code } = await socket.ending;
    assert.equal(messages.length, 1);
    assert.equal(errorMessage.parse(messages[0]).error.code, 'INTERNAL_ERROR');
    assert.doesNotMatch(JSON.stringify(messages), /secret/);
    assert.equal(code, 1011);
  }
});

test('a client that disconnects is recorded and billed for its audio; its slot and its work end at once', async (t) => {
  const server = await startStreamServer(t, { script: { beforeAnswer: () => new Promise<void>(() => undefined) } });
  const silent = await connect(server.address());
  silent.terminate();
  await eventually(server.rows, (rows) => rows.length === 1 && rows[0]?.billed_ms === 0);
  for (const leave of ['terminate', 'close'] as const) {
    for (const messages of [[], [CLOSE]]) {
      const before = (await server.rows()).length;
      const socket = await connect(server.address());
      socket.send(Buffer.alloc(SECOND));
      for (const message of messages) socket.send(message);
      await eventually(
        () => server.transcriber.sessions.at(-1),
        (session) => (session?.samples ?? 0) > 0,
      );
      socket[leave]();
      const rows = await eventually(server.rows, (found) => found.length === before + 1);
      assert.deepEqual([rows.at(-1)?.status, rows.at(-1)?.billed_ms], ['CLIENT_DISCONNECTED', 15_000]);
      await eventually(server.takenSlots, (taken) => taken === 0);
      assert.equal(server.transcriber.sessions.at(-1)?.state, 'cancelled');
    }
  }
});

test('a peer that misses two pings is dropped; one that answers is kept', async (t) => {
  const server = await startStreamServer(t, { config: { pingIntervalMs: 40 } });
  const alive = await connect(server.address());
  const dead = await connect(server.address(), { autoPong: false });
  alive.send(Buffer.alloc(SECOND));
  dead.send(Buffer.alloc(SECOND));
  const { code } = await dead.ending;
  assert.equal(code, 1006);
  assert.equal(alive.readyState, alive.OPEN);
  alive.send(CLOSE);
  assert.equal((await alive.ending).code, 1000);
  const rows = await eventually(server.rows, (found) => found.length === 2);
  assert.deepEqual(rows.map((row) => row.status).sort(), ['CLIENT_DISCONNECTED', 'success']);
});

test('shutdown: a stream in progress may finish; one without audio is closed with 1012', async (t) => {
  const server = await startStreamServer(t, { config: { finalizeTimeoutMs: 2_000 } });
  const [waiting, finishing] = await Promise.all([connect(server.address()), connect(server.address())]);
  finishing.send(Buffer.alloc(SECOND));
  await eventually(
    () => server.transcriber.sessions.length,
    (count) => count === 1,
  );
  server.readiness.drain();
  const told = await waiting.ending;
  assert.equal(errorMessage.parse(told.messages[0]).error.code, 'SERVICE_UNAVAILABLE');
  assert.equal(told.code, 1012);
  finishing.send(CLOSE);
  assert.equal((await finishing.ending).code, 1000);
});

test('shutdown: a stream that does not finish in time gets an error and 1012', async (t) => {
  const server = await startStreamServer(t, { config: { finalizeTimeoutMs: 100 } });
  const socket = await connect(server.address());
  socket.send(Buffer.alloc(SECOND));
  await eventually(
    () => server.transcriber.sessions.length,
    (count) => count === 1,
  );
  server.readiness.drain();
  const { messages, code } = await socket.ending;
  assert.equal(errorMessage.parse(messages[0]).error.code, 'SERVICE_UNAVAILABLE');
  assert.equal(code, 1012);
  await server.sockets.close();
  assert.equal(server.sockets.size, 0);
  assert.equal(await server.takenSlots(), 0);
});
