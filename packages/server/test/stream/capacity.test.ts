// Stream capacity: the account's limit comes first, silence needs no recogniser, and accounts share the capacity.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { WebSocket } from 'ws';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { keyFor, type Service, startService, streamAddress } from '../http/service.ts';
import { connect, eventually, rejection, startStreamServer } from './stream-server.ts';

/** The address of a stream of this account. */
const addressFor = async ({ app, url }: Service, account: string): Promise<string> =>
  streamAddress({ url, ...(await keyFor(app.storage, account)) }, 'svc-1.0-max');

test('on a busy server an account at its limit still gets 429, others get 503', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 10 });
  for (let nth = 0; nth < 10; nth++) await connect(server.address());
  server.transcriber.script.admission = { admitted: false, retryAfterSeconds: 125 };
  const { status, body } = await rejection(server.address());
  assert.equal(status, 429);
  assert.equal(body.error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  const { key } = await keyFor(server.storage, 'other');
  assert.equal((await rejection(server.address({ token: key }))).status, 503);
});

/** Sends silence, so that the stream has a session. */
const beSilent = async (socket: WebSocket): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    socket.send(pcm16Bytes(quiet(1)), (fault) => (fault ? reject(fault) : resolve()));
  });
};

test('two hundred silent streams of twenty accounts leave room for the next account', async (t) => {
  const service = await startService(t, { engine: new ScriptedEngine({ slots: 2 }) });
  const sockets: WebSocket[] = [];
  for (let nth = 0; nth < 20; nth++) {
    const address = await addressFor(service, `silent-${nth}`);
    const opened = await Promise.all(Array.from({ length: 10 }, () => connect(address)));
    await Promise.all(opened.map(beSilent));
    sockets.push(...opened);
  }
  await eventually(
    () => service.engine.openProbes,
    (open) => open === sockets.length,
  );
  const socket = await connect(await addressFor(service, 'talking'));
  socket.send(pcm16Bytes(spoken(story(5))));
  socket.send(JSON.stringify({ type: 'close_stream' }));
  const { messages, code } = await socket.ending;
  assert.equal(code, 1000);
  assert.equal((messages[0] as { result: { transcript: string } }).result.transcript, story(5).join(' '));
  for (const silent of sockets) silent.terminate();
  await eventually(
    () => service.engine.openProbes,
    (open) => open === 0,
  );
});
