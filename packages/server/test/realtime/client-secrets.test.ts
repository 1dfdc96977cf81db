// Client secrets of realtime sessions: what they open, when they end, and what they do not reveal.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readClientSecret, signClientSecret } from '../../src/accounts/keys/client-secrets.ts';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import { rowsOnceThere, type Service, startService } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';
import { Realtime } from './realtime.ts';

const ask = (service: Service, body: object, key = service.key) =>
  fetch(`${service.url}/v1/realtime/client_secrets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const secretOf = async (service: Service, key = service.key) =>
  ((await (await ask(service, {}, key)).json()) as { value: string }).value;

const connect = (service: Service, secret: string) =>
  new Realtime(service, '', ['realtime', `openai-insecure-api-key.${secret}`]);

test('a client secret opens a realtime session and nothing else; without audio there is one row', async (t) => {
  const service = await startService(t);
  const answer = await ask(service, { expires_after: { anchor: 'created_at', seconds: 60 } });
  assert.equal(answer.status, 200);
  const { value, expires_at: expiresAt } = (await answer.json()) as { value: string; expires_at: number };
  assert.ok(Math.abs(expiresAt - Date.now() / 1000 - 60) < 5);
  const client = await connect(service, value).opened();
  assert.equal(client.socket.protocol, 'realtime');
  await client.until('session.created');
  client.socket.close();
  await client.closed;
  assert.equal((await ask(service, { expires_after: { seconds: 5 } })).status, 400);
  assert.equal((await ask(service, {}, value)).status, 401);
  const [row] = await rowsOnceThere(service, 1);
  assert.equal(row?.billedSeconds, 0);
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('a session opens as configured in its client secret, and an invalid configuration gets no secret', async (t) => {
  const service = await startService(t);
  const session = {
    type: 'transcription',
    audio: { input: { transcription: { language: 'de', redact: ['pii'] }, turn_detection: null } },
  };
  const { value } = (await (await ask(service, { session })).json()) as { value: string };
  const client = await connect(service, value).opened();
  const { session: opened } = (await client.until('session.created')) as unknown as { session: typeof session };
  assert.deepEqual(opened.audio.input.transcription.language, 'de');
  assert.ok(opened.audio.input.transcription.redact.length > 0);
  assert.equal(opened.audio.input.turn_detection, null);
  client.socket.close();
  await client.closed;
  const refused = async (wrong: unknown) => {
    const answer = await ask(service, { session: wrong });
    assert.equal(answer.status, 400);
    return ((await answer.json()) as { error: { param: string } }).error.param;
  };
  const transcription = (fields: object) => ({ audio: { input: { transcription: fields } } });
  assert.equal(await refused('x'), 'session');
  assert.equal(await refused({ type: 'realtime' }), 'session.type');
  assert.match(await refused(transcription({ redact: ['names'] })), /redact$/);
  assert.equal(await refused(transcription({ prompt: 'x'.repeat(5_000) })), 'session');
});

test('a client secret expires with its time and with its key, and another key cannot sign it', async (t) => {
  const service = await startService(t);
  const { storage } = service.app;
  const { key: other, listing } = await createKey(storage, {
    accountId: service.accountId,
    name: 'x',
    createdBy: null,
  });
  const opens = async (secret: string) => {
    const { socket } = connect(service, secret);
    return new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true)).once('error', () => resolve(false));
    }).finally(() => socket.terminate());
  };
  const [mine, theirs] = [await secretOf(service), await secretOf(service, other)];
  assert.ok(await opens(mine));
  assert.ok(await opens(theirs));
  assert.ok(!(await opens(signClientSecret(other, Date.now() - 1_000))), 'its time is over');
  const spliced = Buffer.from(mine.slice(3), 'base64url');
  Buffer.from(theirs.slice(3), 'base64url').copy(spliced, 40, 40);
  assert.ok(!(await opens(`ek_${spliced.toString('base64url')}`)), 'the signature of another key');
  await revokeKey(storage, service.accountId, listing.id);
  await eventually(
    () => opens(theirs),
    (isOpen) => !isOpen,
  );
  assert.ok(await opens(mine));
});

test('a client secret and a copy of the database do not yield the API key', async (t) => {
  const service = await startService(t);
  const secret = await secretOf(service);
  const [row] = await service.app.storage.write.selectFrom('api_keys').selectAll().execute();
  // It contains only a hash that the database has, the expiry time, and a signature that the public key verifies.
  const bytes = Buffer.from(secret.slice(3), 'base64url');
  assert.equal(bytes.length, 32 + 8 + 64);
  assert.equal(bytes.toString('hex', 0, 32), row!.hash);
  assert.ok(bytes.readBigUInt64BE(32) > Date.now());
  assert.ok(readClientSecret(secret)!.isSignedBy(row!.client_public_key!));
});
