import assert from 'node:assert/strict';
import test from 'node:test';
import type { StreamParts } from './audio-stream.ts';
import type { FaircopyError } from './error.ts';
import { LiveStream } from './live.ts';
import type { LiveEvent } from './live-events.ts';
import { TranscriptionStream } from './stream.ts';
import type { OpenSocket, SocketListener } from './transport/transport.ts';

const RESULT = { type: 'result', status: 'success', request_id: 'x', result: { transcript: 'hello' }, usage: {} };
const FINAL = { type: 'Results', is_final: true, channel: { alternatives: [{ transcript: 'hello', words: [] }] } };

/** A connection that records what is sent and delivers the messages that the test gives it. */
const scriptedConnection = () => {
  const sent: (string | number)[] = [];
  let listener!: SocketListener;
  let connected!: (socket: OpenSocket) => void;
  const counts = { closes: 0 };
  const socket: OpenSocket = {
    silenceMsMax: 75_000,
    send: async (data) => void sent.push(typeof data === 'string' ? JSON.parse(data).type : data.length),
    close: () => {
      counts.closes += 1;
    },
  };
  const parts: StreamParts = {
    connect: (given) => {
      listener = given;
      return new Promise((resolve) => {
        connected = resolve;
      });
    },
  };
  return {
    parts,
    sent,
    counts,
    connect: () => connected(socket),
    alive: () => listener.alive(),
    receive: (message: object) => listener.message(JSON.stringify(message)),
    close: (code: number, reason = '') => listener.closed(code, reason),
  };
};

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

const openStream = () => {
  const connection = scriptedConnection();
  const stream = new TranscriptionStream(connection.parts);
  connection.connect();
  return { stream, ...connection };
};

const openLive = () => {
  const connection = scriptedConnection();
  const events: LiveEvent[] = [];
  const live = new LiveStream({ ...connection.parts, onEvent: (event) => events.push(event) });
  connection.connect();
  return { live, events, ...connection };
};

const kinds = [
  { name: 'TranscriptionStream', keepAlive: 'keep_alive', finish: 'close_stream' },
  { name: 'LiveStream', keepAlive: 'KeepAlive', finish: 'CloseStream' },
] as const;

for (const { name, keepAlive, finish } of kinds) {
  const make = (parts: StreamParts): TranscriptionStream | LiveStream =>
    name === 'LiveStream' ? new LiveStream({ ...parts, onEvent: () => undefined }) : new TranscriptionStream(parts);

  test(`${name} sends keep-alives while it is open and silent, and only then`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { parts, sent, connect, close } = scriptedConnection();
    const stream = make(parts);
    connect();
    await stream.opened;
    t.mock.timers.tick(20_000);
    assert.deepEqual(sent, [keepAlive]);
    await stream.send(new Int16Array(50));
    t.mock.timers.tick(19_999);
    assert.deepEqual(sent, [keepAlive, 100], 'audio restarts the timer');
    t.mock.timers.tick(1);
    t.mock.timers.tick(20_000);
    const finished = stream.finish().catch(() => undefined);
    await stream.opened;
    t.mock.timers.tick(60_000);
    close(1006);
    await finished;
    t.mock.timers.tick(60_000);
    assert.deepEqual(sent, [keepAlive, 100, keepAlive, keepAlive, finish]);
  });

  test(`${name} starts no keep-alive timer when it ended before the connection opened`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { parts, sent, counts, connect } = scriptedConnection();
    const stream = make(parts);
    stream.abort(new Error('stop'));
    connect();
    await stream.opened;
    t.mock.timers.tick(60_000);
    assert.deepEqual(sent, []);
    assert.equal(counts.closes, 1);
  });

  test(`${name} rejects with the close code and the reason when the server closes it`, async () => {
    const { parts, connect, close } = scriptedConnection();
    const stream = make(parts);
    connect();
    await stream.opened;
    close(1008, 'idle');
    await assert.rejects(stream.finish(), {
      code: 'STREAM_CLOSED',
      closeCode: 1008,
      message: 'The stream was closed (code 1008): idle',
    });
  });

  test(`${name} no longer listens to its signal when it has ended`, async () => {
    const { parts, counts, connect, close } = scriptedConnection();
    const controller = new AbortController();
    const stream = make({ ...parts, signal: controller.signal });
    connect();
    await stream.opened;
    close(1006);
    controller.abort();
    await assert.rejects(stream.finish(), { code: 'STREAM_CLOSED', message: 'The stream was closed (code 1006).' });
    assert.equal(counts.closes, 0);
  });

  test(`${name} rejects when the connection falls silent after finish, and not while it is alive`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { parts, sent, counts, connect, alive, receive } = scriptedConnection();
    const stream = make(parts);
    connect();
    await stream.opened;
    let error: FaircopyError | undefined;
    const finished = stream.finish().catch((reason: FaircopyError) => {
      error = reason;
    });
    await until(() => sent.length === 1);
    for (const sign of [alive, () => receive({ type: 'Metadata' })]) {
      t.mock.timers.tick(74_999);
      sign();
      await stream.opened;
    }
    t.mock.timers.tick(74_999);
    await stream.opened;
    assert.deepEqual([error, counts.closes], [undefined, 0]);
    t.mock.timers.tick(1);
    await finished;
    assert.deepEqual([error?.code, error?.closeCode, counts.closes], ['STREAM_CLOSED', null, 1]);
    assert.equal(error?.message, 'The server has been silent for 75 seconds.');
  });

  test(`${name} rejects audio that is sent after finish`, async () => {
    const { parts, connect } = scriptedConnection();
    const stream = make(parts);
    connect();
    void stream.finish().catch(() => undefined);
    await stream.opened;
    await assert.rejects(stream.send(new ArrayBuffer(2)), TypeError);
    stream.abort();
  });
}

test('large chunks are sent in pieces, in order', async () => {
  const { stream, sent } = openStream();
  await stream.send(new ArrayBuffer(600 * 1024));
  assert.deepEqual(sent, [256 * 1024, 256 * 1024, 88 * 1024]);
  stream.abort();
});

test('sendAll reads a ReadableStream in browsers that cannot iterate one', async () => {
  const { stream, sent } = openStream();
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const bytes of [2, 4]) controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
  await stream.sendAll({ getReader: () => source.getReader() } as ReadableStream<Uint8Array>);
  assert.deepEqual(sent, [2, 4]);
  stream.abort();
});

test('sendAll cancels its source when the server has ended a live stream in order', async () => {
  const { live, close } = openLive();
  await live.opened;
  let taken = 0;
  let cancelled = 0;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 1;
      if (taken === 3) close(1000, 'idle');
      // A microphone never ends. The test does, so that a failure is reported.
      if (taken > 100) controller.close();
      else controller.enqueue(new Uint8Array(2));
    },
    cancel: () => {
      cancelled += 1;
    },
  });
  await live.sendAll(source);
  assert.equal(cancelled, 1);
  assert.equal(await live.transcript, '');
  assert.equal(live.endReason, 'idle');
});

test('sendAll rejects with the reason when the stream fails while it sends the last chunk', async () => {
  const { stream, close } = openStream();
  const source = (async function* () {
    yield new Uint8Array(2);
    close(1006);
    yield new Uint8Array(0);
  })();
  await stream.opened;
  await assert.rejects(stream.sendAll(source), { code: 'STREAM_CLOSED', closeCode: 1006 });
});

test('only the first ending counts: a close after the answer, or a message after the close, changes nothing', async () => {
  const answered = openStream();
  await answered.stream.opened;
  answered.receive(RESULT);
  answered.close(1006);
  assert.equal((await answered.stream.result).result.transcript, 'hello');
  const lost = openStream();
  await lost.stream.opened;
  lost.close(1006);
  lost.receive(RESULT);
  await assert.rejects(lost.stream.result, ({ code, closeCode }: FaircopyError) => {
    assert.deepEqual([code, closeCode], ['STREAM_CLOSED', 1006]);
    return true;
  });
});

test('abort closes the connection once and ignores later messages', async () => {
  const { stream, receive, counts } = openStream();
  await stream.opened;
  const reason = new Error('enough');
  stream.abort(reason);
  stream.abort(new Error('again'));
  receive(RESULT);
  await assert.rejects(stream.result, reason);
  await assert.rejects(stream.send(new ArrayBuffer(2)), reason);
  assert.equal(counts.closes, 1);
});

test('a live stream that fails rejects with the close code and the message of the server', async () => {
  const { live, receive, close } = openLive();
  await live.opened;
  receive({ type: 'Error', description: 'Something failed on our side.', variant: 'INTERNAL_ERROR' });
  close(1011, 'NET-0000');
  await assert.rejects(live.transcript, {
    code: 'STREAM_CLOSED',
    closeCode: 1011,
    message: 'The stream was closed (code 1011): Something failed on our side.',
  });
});

test('a live stream resolves to the joined finals, and flush ends with the stream', async () => {
  const { live, events, sent, receive, close } = openLive();
  await live.opened;
  receive({ ...FINAL, is_final: false });
  receive(FINAL);
  const flushed = live.flush();
  await live.opened;
  receive({ ...FINAL, from_finalize: true });
  await flushed;
  const lost = live.flush();
  close(1000);
  await lost;
  assert.equal(await live.transcript, 'hello hello');
  assert.deepEqual(
    events.map(({ type }) => type),
    ['interim', 'final', 'final'],
  );
  assert.equal(sent[0], 'Finalize');
});
