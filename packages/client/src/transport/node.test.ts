// Connections that die without being closed, on real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import { Faircopy } from '../node.ts';
import { nodeTransport } from './node.ts';

const startServer = async (t: TestContext) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  return { connected, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test('a ping of the server is a sign of life', async (t) => {
  const { connected, url } = await startServer(t);
  let live: () => void = () => undefined;
  const alive = new Promise<void>((resolve) => {
    live = resolve;
  });
  const listener = { message: () => undefined, closed: () => undefined, alive: live };
  const { signal } = new AbortController();
  const socket = await nodeTransport.openSocket({ url: new URL(url), apiKey: 'k', signal, listener });
  const [peer] = await connected;
  peer.ping();
  await alive;
  socket.close();
});

test('finish rejects when the server neither answers nor closes, and the connection is released', async (t) => {
  const { connected, url } = await startServer(t);
  const stream = new Faircopy({ baseUrl: url, apiKey: 'k' }).stream();
  await stream.opened;
  const [peer] = await connected;
  const asked = once(peer, 'message');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const finished = assert.rejects(stream.finish(), { code: 'STREAM_CLOSED', closeCode: null });
  await asked;
  // The peer no longer reads, so it does not answer the closing handshake either.
  peer.pause();
  t.mock.timers.tick(75_000);
  await finished;
  t.mock.timers.tick(1_000);
  const closed = once(peer, 'close');
  peer.resume();
  await closed;
});
