// Tests redaction on every endpoint, by request, account and key. No hidden text reaches a log, a span or a metric.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { NO_KEY_RULES } from '@faircopy/contract';
import { createClient } from 'deepgram-4';
import { DeepgramClient } from 'deepgram-5';
import { WebSocket } from 'ws';
import { setRedaction } from '../../src/accounts/accounts.ts';
import { changeKeyRules, createKey } from '../../src/accounts/keys/keys.ts';
import { createLog } from '../../src/observability/log.ts';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import type { Recognition, SpeechWindow } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { type FormPart, field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { type JobService, startJobService } from '../jobs/job-service.ts';
import { startReceiver } from '../jobs/receiver.ts';
import { COMPLETED, DELTA, Realtime } from '../realtime/realtime.ts';

/** The word that each tone is recognised as. */
const SAYS: Readonly<Record<string, string>> = {
  apple: 'card',
  bridge: '4242',
  candle: '4242',
  desk: '4242',
  engine: '4242',
  forest: 'call',
  garden: '212-555-0187',
  harbour: 'thanks',
  island: 'bullshit',
};
const SAMPLES = joined(quiet(0.3), spoken(Object.keys(SAYS).slice(0, -1)), quiet(1));
const CLIP = wavOf(SAMPLES);
const SWEARS = joined(quiet(0.3), spoken(['forest', 'island']), quiet(1));
const SWEARING = wavOf(SWEARS);
const SECRETS = ['4242', '555', '0187'];

const say = (text: string): string => text.replace(/\w+/gu, (tone) => SAYS[tone] ?? tone);
const asSaid = (_: SpeechWindow, recognition: Recognition): Recognition => ({
  ...recognition,
  text: say(recognition.text),
  words: recognition.words.map((word) => ({ ...word, text: say(word.text) })),
});

const lines: string[] = [];
const spans: string[] = [];
const closes: (() => Promise<unknown> | unknown)[] = [];
let service: JobService;

before(async () => {
  const collector = createServer(async (request, response) => {
    for await (const chunk of request) spans.push(String(chunk));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  closes.push(() => collector.close());
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => lines.push(line) });
  service = await startJobService(
    { after: (close) => closes.unshift(close) },
    {
      engine: new ScriptedEngine({ slots: 2, answer: asSaid }),
      config: { otlpEndpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` },
      overrides: { log, refiner: createRefiner({ tagger: null }) },
    },
  );
});
after(async () => {
  for (const close of closes) await close();
});

const assertHidden = (answer: unknown, card = '[CARD_1]'): string => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  for (const secret of SECRETS) assert.equal(text.includes(`"${secret}`) || text.includes(` ${secret}`), false, text);
  assert.ok(text.includes(card), text);
  return text;
};

const transcribe = async (...fields: readonly FormPart[]): Promise<string> => {
  const response = await service.post(form(MODEL, ...fields));
  assert.equal(response.status, 200);
  return response.text();
};

const INCLUDE = field('include', 'segments,words,raw,edits,terms');

test('a file: the transcript and every detail are redacted, even if the field follows the file', async () => {
  assert.match(await transcribe(file(CLIP)), /4242/u);
  const answer = assertHidden(await transcribe(file(CLIP), INCLUDE, field('redact', 'pci'), field('redact', 'phone')));
  assert.match(answer, /\[PHONE_1\]/u);
  const { detail } = JSON.parse(answer) as { detail: { words: { text: string }[]; raw: string } };
  assert.equal(detail.raw, 'card [CARD_1] call [PHONE_1] thanks');
  assert.deepEqual(
    detail.words.map(({ text }) => text.trim()),
    ['card', '[CARD_1]', 'call', '[PHONE_1]', 'thanks'],
  );
  for (const level of ['none', 'light'])
    assertHidden(await transcribe(field('refine', level), field('redact', 'pii'), file(CLIP)));
});

test('profanity is masked on every endpoint, and only when asked for', async () => {
  const { url, key } = service;
  const plain = await transcribe(file(SWEARING));
  assert.match(plain, /bullshit/u);
  const native = await transcribe(file(SWEARING), INCLUDE, field('language', 'en'), field('profanity_filter', 'true'));
  const openAi = await fetch(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=faircopy-test-boundary' },
    body: form(field('model', 'whisper-1'), field('profanity_filter', 'true'), file(SWEARING, 'file')),
  });
  const deepgram = await fetch(`${url}/v1/listen?model=nova-3&punctuate=false&profanity_filter=true`, {
    method: 'POST',
    headers: { authorization: `Token ${key}` },
    body: new Uint8Array(SWEARING),
  });
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite&profanity_filter=true`,
  );
  await once(socket, 'open');
  socket.send(pcm16Bytes(SWEARS));
  socket.send(JSON.stringify({ type: 'close_stream' }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  for (const answer of [native, await openAi.text(), await deepgram.text(), String(message)]) {
    assert.doesNotMatch(answer, /bullshit/iu);
    assert.match(answer, /call \*{4}/iu);
  }
});

test('an unknown name is rejected with the list of valid names on every endpoint', async () => {
  const { url, key } = service;
  const native = await service.post(form(MODEL, field('redact', 'names'), file(CLIP)));
  const openAi = await fetch(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=faircopy-test-boundary' },
    body: form(field('model', 'whisper-1'), field('redact', 'names'), file(CLIP, 'file')),
  });
  const deepgram = await fetch(`${url}/v1/listen?model=nova-3&redact=phi`, {
    method: 'POST',
    headers: { authorization: `Token ${key}` },
    body: new Uint8Array(CLIP),
  });
  for (const response of [native, openAi, deepgram]) {
    assert.equal(response.status, 400);
    assert.match(await response.text(), /pci, ssn, national_id, iban, phone, email/u);
  }
});

test('OpenAI: every format is redacted, also when streamed', async () => {
  const { url, key } = service;
  for (const fields of [['json'], ['text'], ['srt'], ['vtt'], ['verbose_json'], ['json', 'true']] as const) {
    const [format, stream = 'false'] = fields;
    const response = await fetch(`${url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=faircopy-test-boundary',
      },
      body: form(
        field('model', 'whisper-1'),
        field('response_format', format),
        field('timestamp_granularities[]', 'word'),
        field('stream', stream),
        field('redact', 'pci,phone'),
        file(CLIP, 'file'),
      ),
    });
    assert.equal(response.status, 200);
    assertHidden(await response.text());
  }
});

test("Deepgram's clients: Deepgram's names and marks work, for files and live", async () => {
  const { url, key } = service;
  const sdk5 = new DeepgramClient({
    apiKey: key,
    environment: { base: url, production: url.replace('http', 'ws'), agent: '', agentRest: '' },
  } as never);
  const options = { model: 'nova-3', smart_format: true, utterances: true, redact: ['pci', 'phone_number'] } as const;
  const answer = assertHidden(await sdk5.listen.v1.media.transcribeFile(CLIP, options as never), '[CREDIT_CARD_1]');
  assert.match(answer, /\[PHONE_NUMBER_1\]/u);
  const sdk4 = createClient(key, { global: { url } });
  for (const redact of [['pci', 'numbers'], ['true']]) {
    const { result } = await sdk4.listen.prerecorded.transcribeFile(CLIP, {
      model: 'nova-3',
      punctuate: false,
      redact,
    });
    assertHidden(result, '[CREDIT_CARD_1]');
  }
  const query = 'model=nova-3&encoding=linear16&sample_rate=16000&interim_results=true&redact=pci&redact=phone_number';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/listen?${query}`, {
    headers: { authorization: `Token ${key}` },
  });
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(String(message)));
  await once(socket, 'open');
  const pcm = pcm16Bytes(SAMPLES);
  for (let at = 0; at < pcm.length; at += 3_200) socket.send(pcm.subarray(at, at + 3_200));
  socket.send(JSON.stringify({ type: 'CloseStream' }));
  await once(socket, 'close');
  assertHidden(messages.join('\n'), '[CREDIT_CARD_1]');
});

test('a native stream is redacted', async () => {
  const query = `token=${service.key}&model=svc-1.0-lite&include=words,raw,edits,segments&redact=pii`;
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/transcribe/stream?${query}`);
  await once(socket, 'open');
  socket.send(pcm16Bytes(SAMPLES));
  socket.send(JSON.stringify({ type: 'close_stream' }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  assertHidden(String(message));
});

const realtime = async (key: string, transcription: object): Promise<Realtime> => {
  const client = await new Realtime({ url: service.url, key }).opened();
  const input = { format: { type: 'audio/pcm', rate: 16_000 }, transcription };
  client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  return client;
};

test("OpenAI's realtime sessions: a session field redacts deltas and finals", async () => {
  const client = await realtime(service.key, { model: 'gpt-4o-transcribe', language: 'en', redact: ['pci', 'phone'] });
  const { session } = await client.until('session.updated');
  assert.match(JSON.stringify(session), /"redact":\["pci","phone"\]/u);
  await client.append(Buffer.from(pcm16Bytes(SAMPLES)));
  await client.until(COMPLETED);
  assertHidden(client.events);
  client.send({ type: 'session.update', session: { audio: { input: { transcription: { redact: 'names' } } } } });
  const { error } = await client.until('error');
  assert.match(JSON.stringify(error), /redact.*pci, ssn, national_id/u);
  client.socket.close();
  await client.closed;
});

test('jobs, their webhooks and stored answers are redacted', async (t) => {
  const hook = await startReceiver(t);
  const id = await service.accepted(
    form(MODEL, INCLUDE, field('redact', 'pii'), field('webhook', hook.url), file(CLIP)),
  );
  assertHidden(await service.ended(id));
  await hook.until(1);
  assertHidden(hook.received[0]?.body);
  const keyed = { 'idempotency-key': 'once' };
  const body = form(MODEL, INCLUDE, field('redact', 'pii'), file(CLIP));
  for (let n = 0; n < 2; n++) assertHidden(await (await service.post(body, keyed)).text());
});

test('no request can show what an account or a key hides', async () => {
  const { app, accountId, url } = service;
  const { key, listing } = await createKey(app.storage, { accountId, name: 'careful', createdBy: null });
  const ask = async (...fields: readonly FormPart[]) => {
    const headers = {
      authorization: `Token ${key}`,
      'content-type': 'multipart/form-data; boundary=faircopy-test-boundary',
    };
    return (
      await fetch(`${url}/v1/transcribe`, { method: 'POST', headers, body: form(MODEL, ...fields, file(CLIP)) })
    ).text();
  };
  assert.match(await ask(), /4242/u);
  await changeKeyRules(app.storage, accountId, listing.id, { ...NO_KEY_RULES, redact: ['pci'] });
  const until = async (isThere: (text: string) => boolean, ...fields: readonly FormPart[]) => {
    for (;;) {
      const text = await ask(...fields);
      if (isThere(text)) return text;
    }
  };
  assert.match(await until((text) => text.includes('[CARD_1]')), /555/u);
  assert.match(await ask(field('redact', '')), /\[CARD_1\]/u);
  // No field of a realtime session can disable it.
  const client = await realtime(key, { model: 'gpt-4o-transcribe', redact: null });
  await client.until('session.updated');
  await client.append(Buffer.from(pcm16Bytes(SAMPLES)));
  const completed = JSON.stringify(await client.until(COMPLETED));
  assert.match(completed, /\[CARD_1\]/u);
  assert.doesNotMatch(JSON.stringify(client.of(DELTA)) + completed, /4242/u);
  client.socket.close();
  await client.closed;
  await setRedaction(app.storage, accountId, ['phone']);
  assertHidden(await until((text) => text.includes('[PHONE_1]'), field('redact', '')));
  assert.match(await transcribe(file(CLIP)), /\[PHONE_1\]/u);
  await setRedaction(app.storage, accountId, []);
});

test('no log line, span or metric contains hidden text', async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const text = [...lines, ...spans, metrics].join('\n');
  assert.ok(lines.length > 20);
  for (const secret of ['4242 4242', '212-555', '[CARD_1]', 'bullshit'])
    assert.equal(text.includes(secret), false, secret);
});
