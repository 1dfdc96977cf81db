// What one account with one key can cost the others: uploads held open, bombs, and audio that precedes its model.
import assert from 'node:assert/strict';
import test from 'node:test';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { file, form, formHead, hum, MODEL, wavOf } from '../http/forms.ts';
import { RawClient } from '../http/raw.ts';
import { failure, keyFor, type Service, startService, success } from '../http/service.ts';

const WORDS = story(4);
const CLIP = form(MODEL, file(wavOf(spoken(WORDS))));

/** Starts an upload that never ends on its own. */
const hold = async ({ port, key }: Service, head: Buffer): Promise<RawClient> => {
  const client = new RawClient(port);
  await client.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: test',
    `Authorization: Token ${key}`,
    'Content-Type: multipart/form-data; boundary=faircopy-test-boundary',
    'Content-Length: 50000000',
  ]);
  await client.send(head);
  return client;
};

const neighbourOf = async (service: Service): Promise<Service['post']> => {
  const { key } = await keyFor(service.app.storage, 'neighbour');
  return (body) => service.post(body, { authorization: `Token ${key}` });
};

test('an account that holds uploads open is refused past its limit, and its neighbour notices nothing', async (t) => {
  const service = await startService(t, { config: { maxUploads: 8 } });
  const neighbour = await neighbourOf(service);
  const heads = [formHead(MODEL, file(wavOf(hum(0.01)))), formHead(file(wavOf(hum(0.01))))];
  const held = await Promise.all(Array.from({ length: 60 }, (_, n) => hold(service, heads[n % 2]!)));
  const refused = held.slice(8);
  const answers = await Promise.all(
    held.map((client) =>
      Promise.race([client.answer(), new Promise<null>((resolve) => setTimeout(resolve, 2_500, null))]),
    ),
  );
  const statuses = answers.map((answer) => answer?.status);
  assert.equal(statuses.filter((status) => status === 429).length, refused.length);
  assert.equal(statuses.filter((status) => status === undefined).length, 8);
  const { headers, body } = answers.find((answer) => answer?.status === 429)!;
  assert.equal(JSON.parse(body).error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  assert.ok(Number(headers.get('retry-after')) >= 1);
  assert.equal((await success(await neighbour(CLIP))).result.transcript, WORDS.join(' '));
  assert.equal((await failure(await service.post(CLIP))).error.code, 'CONCURRENT_LIMIT_EXCEEDED');
  for (const client of held) client.socket.destroy();
});

/** Sends 45 MB to each of three uploads, more than one account may leave waiting. Returns the statuses received. */
const overfill = async (held: readonly RawClient[]): Promise<(number | undefined)[]> => {
  const junk = Buffer.alloc(1024 * 1024, 1);
  for (let megabyte = 0; megabyte < 45; megabyte++) await Promise.all(held.map((client) => client.send(junk)));
  const answers = await Promise.all(
    held.map((client) =>
      Promise.race([client.answer(), new Promise<null>((resolve) => setTimeout(resolve, 2_500, null))]),
    ),
  );
  for (const client of held) client.socket.destroy();
  return answers.map((answer) => answer?.status);
};

test('audio that precedes its model waits in encoded form, up to a limit', async (t) => {
  const service = await startService(t);
  const held = await Promise.all(Array.from({ length: 3 }, () => hold(service, formHead(file(wavOf(hum(1)))))));
  assert.ok((await overfill(held)).includes(429));
});

test('files that are read once per channel wait within the same limit', async (t) => {
  const service = await startService(t);
  const listen = async () => {
    const client = new RawClient(service.port);
    await client.head([
      'POST /v1/listen?model=nova-3&multichannel=true HTTP/1.1',
      'Host: test',
      `Authorization: Token ${service.key}`,
      'Content-Type: audio/wav',
      'Content-Length: 50000000',
    ]);
    return client;
  };
  const held = await Promise.all(Array.from({ length: 3 }, listen));
  assert.ok((await overfill(held)).includes(429));
});
