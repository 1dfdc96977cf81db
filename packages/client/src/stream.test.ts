import assert from 'node:assert/strict';
import test from 'node:test';
import type { FaircopyError } from './error.ts';
import { TranscriptionStream } from './stream.ts';
import type { SocketListener } from './transport.ts';

const RESULT = { type: 'result', status: 'success', request_id: 'x', result: { transcript: 'hello' }, usage: {} };

/** A connection that notes what is sent, and says what the test says. */
const scripted = (keepAliveMs?: number) => {
  const sent: (string | number)[] = [];
  let listener!: SocketListener;
  let closes = 0;
  const stream = new TranscriptionStream({
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    connect: async (given) => {
      listener = given;
      return {
        send: async (data) => void sent.push(typeof data === 'string' ? JSON.parse(data).type : data.length),
        close: () => {
          closes += 1;
        },
      };
    },
  });
  return { stream, sent, say: () => listener, closes: () => closes };
};

test('keep_alive goes out by itself while the stream is open and silent, and only then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { stream, sent, say } = scripted();
  await stream.opened;
  t.mock.timers.tick(20_000);
  assert.deepEqual(sent, ['keep_alive']);
  await stream.send(new Int16Array(50));
  t.mock.timers.tick(19_999);
  assert.deepEqual(sent, ['keep_alive', 100], 'audio puts it off');
  t.mock.timers.tick(1);
  t.mock.timers.tick(20_000);
  const answer = stream.finish();
  await Promise.resolve();
  t.mock.timers.tick(60_000);
  say().message(JSON.stringify(RESULT));
  assert.equal((await answer).result.transcript, 'hello');
  t.mock.timers.tick(60_000);
  assert.deepEqual(sent, ['keep_alive', 100, 'keep_alive', 'keep_alive', 'close_stream']);
});

test('large chunks are sent in pieces, in order', async () => {
  const { stream, sent } = scripted();
  await stream.send(new ArrayBuffer(600 * 1024));
  assert.deepEqual(sent, [256 * 1024, 256 * 1024, 88 * 1024]);
  stream.abort();
});

test('the first end counts: a close after the answer, or a message after the close, changes nothing', async () => {
  const answered = scripted();
  await answered.stream.opened;
  answered.say().message(JSON.stringify(RESULT));
  answered.say().closed(1006, '');
  assert.equal((await answered.stream.result).result.transcript, 'hello');
  const lost = scripted();
  await lost.stream.opened;
  lost.say().closed(1006, '');
  lost.say().message(JSON.stringify(RESULT));
  await assert.rejects(lost.stream.result, ({ code, closeCode }: FaircopyError) => {
    assert.deepEqual([code, closeCode], ['STREAM_CLOSED', 1006]);
    return true;
  });
});

test('aborting closes the connection once, and what the server says then is not listened to', async () => {
  const { stream, say, closes } = scripted();
  await stream.opened;
  const reason = new Error('enough');
  stream.abort(reason);
  stream.abort(new Error('again'));
  say().message(JSON.stringify(RESULT));
  await assert.rejects(stream.result, reason);
  await assert.rejects(stream.send(new ArrayBuffer(2)), reason);
  assert.equal(closes(), 1);
});
