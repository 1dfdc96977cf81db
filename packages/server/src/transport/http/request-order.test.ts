import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { oneAtATime } from './request-order.ts';

/** A server that answers when the test says so, and a client that sends many requests in one write. */
const pipelined = async (t: TestContext, requests: number) => {
  const begun: ServerResponse[] = [];
  let wake = () => {};
  const server = createServer(
    oneAtATime((_request, response) => {
      begun.push(response);
      wake();
    }),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => {
    socket.destroy();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(requests));
  const until = async (condition: () => boolean) => {
    while (!condition())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { begun, socket, until };
};

test('requests that arrive in one write are served one after the other', async (t) => {
  const { begun, socket, until } = await pipelined(t, 3);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  for (let count = 1; count <= 3; count++) {
    await until(() => begun.length === count);
    assert.equal(begun.length, count);
    begun[count - 1]!.end(`answer ${count}`);
  }
  await new Promise<void>((resolve) => {
    const look = () => (received.includes('answer 3') ? resolve() : setImmediate(look));
    look();
  });
  assert.deepEqual(received.match(/answer \d/g), ['answer 1', 'answer 2', 'answer 3']);
});

test('a connection with too many pipelined requests is closed', async (t) => {
  const { begun, socket } = await pipelined(t, 500);
  await new Promise((resolve) => socket.resume().once('close', resolve));
  assert.equal(begun.length, 1);
});
