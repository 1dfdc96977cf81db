// Stream capacity: the account's limit comes first, silence needs no recogniser, and accounts share what there is.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { WebSocket } from 'ws';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { type Service, startService } from '../http/service.ts';
import { connect, eventually, rejection, startStreamServer } from './stream-server.ts';

const keyOf = async (service: Service, account: string): Promise<string> => {
  const { account: made } = await ensureAccount(service.app.storage, account);
  return (await createKey(service.app.storage, { accountId: made.id, name: 'k', createdBy: null })).key;
};

const addressOf = (service: Service, key: string, model = 'svc-1.0-max'): string =>
  `ws://127.0.0.1:${service.port}/v1/transcribe/stream?token=${key}&model=${model}`;

test('on a busy server an account at its limit still gets 429, others get 503', async (t) => {
  const server = await startStreamServer(t, { maxStreams: 10 });
  for (let nth = 0; nth < 10; nth++) await connect(server.address());
  server.transcriber.script.admission = { admitted: false, retryAfterSeconds: 125 };
  const { status, body } = await rejection(server.address());
  assert.equal(status, 429);
  assert.equal(body.error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  const { account } = await ensureAccount(server.storage, 'other');
  const { key } = await createKey(server.storage, { accountId: account.id, name: 'k', createdBy: null });
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
    const key = await keyOf(service, `silent-${nth}`);
    const opened = await Promise.all(Array.from({ length: 10 }, () => connect(addressOf(service, key))));
    await Promise.all(opened.map(beSilent));
    sockets.push(...opened);
  }
  await eventually(
    () => service.engine.openProbes,
    (open) => open === sockets.length,
  );
  const socket = await connect(addressOf(service, await keyOf(service, 'talking')));
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
