// Tests of the allowed languages: by request, key and account, on every endpoint.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { LANGUAGES, NO_KEY_RULES, type SuccessResponse } from '@faircopy/contract';
import { createClient } from 'deepgram-4';
import { DeepgramClient } from 'deepgram-5';
import { WebSocket } from 'ws';
import { setLanguages } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { FORM_TYPE, type FormPart, field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { type JobService, startJobService } from '../jobs/job-service.ts';
import { COMPLETED, Realtime } from '../realtime/realtime.ts';
import { rejection } from '../stream/stream-server.ts';

const SAMPLES = joined(quiet(0.3), spoken(['apple', 'bridge', 'candle']), quiet(1));
const CLIP = wavOf(SAMPLES);

const closes: (() => Promise<unknown> | unknown)[] = [];
const engine = new ScriptedEngine({ slots: 2 });
let service: JobService;

before(async () => {
  service = await startJobService({ after: (close) => closes.unshift(close) }, { engine });
});
after(async () => {
  for (const close of closes) await close();
});

/** The languages that the recogniser got with the last window. */
const lastLanguages = () => {
  const { languages, language } = engine.asked.at(-1)!.window;
  return { languages, language };
};
const LISTED = { languages: ['de', 'fr'], language: null };

const openAi = (...fields: readonly FormPart[]): Promise<Response> =>
  fetch(`${service.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': FORM_TYPE },
    body: form(field('model', 'whisper-1'), ...fields, file(CLIP, 'file')),
  });

const deepgram = (query: string): Promise<Response> =>
  fetch(`${service.url}/v1/listen?model=nova-3&${query}`, {
    method: 'POST',
    headers: { authorization: `Token ${service.key}` },
    body: new Uint8Array(CLIP),
  });

const streamed = async (path: string, closing: string): Promise<string> => {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Token ${service.key}` },
  });
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(String(message)));
  await once(socket, 'open');
  const pcm = pcm16Bytes(SAMPLES);
  for (let at = 0; at < pcm.length; at += 3_200) socket.send(pcm.subarray(at, at + 3_200));
  socket.send(JSON.stringify({ type: closing }));
  await once(socket, 'close');
  return messages.join('\n');
};

test('files: commas, repeated fields, names and regions; the field may follow the file', async () => {
  for (const fields of [
    [field('languages', 'de,fr'), file(CLIP)],
    [field('languages', 'German'), field('languages', 'fr-CA'), file(CLIP)],
    [file(CLIP), field('languages', ' DE , fr ')],
  ]) {
    const response = await service.post(form(MODEL, field('include', 'segments'), ...fields));
    const { result, detail } = (await response.json()) as SuccessResponse;
    assert.equal(result.detected_language, 'de');
    assert.deepEqual(
      detail?.segments?.map(({ language }) => language),
      ['de'],
    );
    assert.deepEqual(lastLanguages(), LISTED);
  }
});

test('one language is not detected', async () => {
  await service.post(form(MODEL, field('languages', 'fr'), file(CLIP)));
  assert.deepEqual(lastLanguages(), { languages: ['fr'], language: 'fr' });
});

test('streams, jobs and OpenAI accept the list', async () => {
  const path = `/v1/transcribe/stream?token=${service.key}&model=svc-1.0-lite&languages=de,fr`;
  assert.match(await streamed(path, 'close_stream'), /"detected_language":"de"/);
  assert.deepEqual(lastLanguages(), LISTED);
  await service.ended(await service.accepted(form(MODEL, field('languages', 'fr'), file(CLIP))));
  assert.deepEqual(lastLanguages(), { languages: ['fr'], language: 'fr' });
  assert.equal((await openAi(field('languages', 'de,fr'))).status, 200);
  assert.deepEqual(lastLanguages(), LISTED);
});

test("OpenAI's realtime sessions accept a list in a field next to language", async () => {
  const client = await new Realtime({ url: service.url, key: service.key }).opened();
  const update = (transcription: object) =>
    client.send({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: { input: { format: { type: 'audio/pcm', rate: 16_000 }, transcription } },
      },
    });
  update({ model: 'gpt-4o-transcribe', languages: ['de', 'klingon'] });
  const { error } = await client.until('error');
  assert.match(JSON.stringify(error), new RegExp(`transcription.languages|klingon.*${LANGUAGES.join(', ')}`));
  update({ model: 'gpt-4o-transcribe', languages: ['German', 'fr'] });
  assert.match(JSON.stringify(await client.until('session.updated')), /"languages":\["de","fr"\]/u);
  engine.asked.length = 0;
  await client.append(Buffer.from(pcm16Bytes(SAMPLES)));
  await client.until(COMPLETED);
  for (const { window } of engine.asked) assert.deepEqual(window.languages, ['de', 'fr']);
  assert.ok(engine.asked.length > 0);
  client.socket.close();
  await client.closed;
});

test("Deepgram's detect_language is a flag or a list, in files and live", async () => {
  const sdk4 = createClient(service.key, { global: { url: service.url } });
  const options = { model: 'nova-3', detect_language: ['de', 'fr'] };
  const { result } = await sdk4.listen.prerecorded.transcribeFile(CLIP, options as never);
  assert.equal(result?.results.channels[0]?.detected_language, 'de');
  assert.deepEqual(lastLanguages(), LISTED);
  const sdk5 = new DeepgramClient({
    apiKey: service.key,
    environment: { base: service.url, production: service.url.replace('http', 'ws'), agent: '', agentRest: '' },
  } as never);
  await sdk5.listen.v1.media.transcribeFile(CLIP, options as never);
  assert.deepEqual(lastLanguages(), LISTED);
  assert.equal((await deepgram('detect_language=true&language=de')).status, 200);
  assert.deepEqual(lastLanguages(), { languages: undefined, language: null });
  const live = 'model=nova-3&encoding=linear16&sample_rate=16000&interim_results=true';
  engine.asked.length = 0;
  await streamed(`/v1/listen?${live}&detect_language=de&detect_language=fr`, 'CloseStream');
  assert.ok(engine.asked.length > 0);
  for (const { window } of engine.asked) assert.deepEqual(window.languages, ['de', 'fr']);
});

test('an unknown language is refused with the list of valid ones', async () => {
  const list = new RegExp(`klingon.*${LANGUAGES.join(', ')}`);
  for (const response of [
    await service.post(form(MODEL, field('languages', 'de,klingon'), file(CLIP))),
    await service.submit(form(MODEL, field('languages', 'klingon'), file(CLIP))),
    await openAi(field('languages', 'klingon')),
    await deepgram('detect_language=klingon'),
  ]) {
    assert.equal(response.status, 400);
    assert.match(await response.text(), list);
  }
  const socket = `${service.url.replace('http', 'ws')}/v1/transcribe/stream`;
  const { status, body } = await rejection(`${socket}?token=${service.key}&model=svc-1.0-lite&languages=klingon`);
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), list);
});

test('key and account narrow the list of a request', async () => {
  const { app, accountId } = service;
  const rules = { ...NO_KEY_RULES, languages: ['de', 'fr', 'es'] };
  const { key } = await createKey(app.storage, { accountId, name: 'narrow', createdBy: null, rules });
  const ask = (...fields: readonly FormPart[]) =>
    service.post(form(MODEL, ...fields, file(CLIP)), { authorization: `Token ${key}` });
  const refused = async (status: number, message: RegExp, ...fields: readonly FormPart[]) => {
    const response = await ask(...fields);
    assert.deepEqual([response.status, message.test(await response.text())], [status, true], String(message));
  };
  assert.equal((await ask()).status, 200);
  assert.deepEqual(lastLanguages(), { languages: ['de', 'fr', 'es'], language: null });
  assert.equal((await ask(field('languages', 'en,es'))).status, 200);
  assert.deepEqual(lastLanguages(), { languages: ['es'], language: 'es' });
  await refused(403, /API key may not use the language en. It is limited to de, fr, es/, field('languages', 'en'));
  await refused(403, /API key may not use the language en/, field('language', 'en'));
  await refused(400, /not among/, field('language', 'de'), field('languages', 'fr,es'));
  await setLanguages(app.storage, accountId, ['fr', 'en']);
  while ((await ask()).status === 200 && lastLanguages().languages?.length !== 1);
  assert.deepEqual(lastLanguages(), { languages: ['fr'], language: 'fr' });
  await refused(403, /account may not use the language de/, field('languages', 'de'));
  await refused(403, /account may not use the language es/, field('language', 'es'));
  const job = await service.submit(form(MODEL, field('languages', 'de'), file(CLIP)));
  assert.equal(job.status, 403);
  await setLanguages(app.storage, accountId, []);
});
