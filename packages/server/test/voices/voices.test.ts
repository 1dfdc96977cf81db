// Known voices end to end: enrolment and its refusals, lists, export, deletion, the audit log.
import assert from 'node:assert/strict';
import test from 'node:test';
import { voiceAuditResponse, voiceExportResponse, voiceListResponse, voiceResponse } from '@faircopy/contract';
import { joined, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { Listening } from '../deepgram/listening.ts';
import { FORM_TYPE, type FormPart, field, file, form, hum, MODEL, wavOf } from '../http/forms.ts';
import { failure, keyFor, sharedService, startService, success } from '../http/service.ts';

const SECRET = 'a secret of at least thirty-two characters';
const STEADY = { wordMs: 900, pauseMs: 100 };
const said = (word: string, seconds: number): Float32Array =>
  spoken(
    Array.from({ length: seconds }, () => word),
    STEADY,
  );
const LOW = said('apple', 11);
const HIGH = said('quarry', 11);

const service = sharedService({ config: { voicesSecret: SECRET } });

const ask = (path: string, { key = service().key, ...init }: RequestInit & { key?: string } = {}) =>
  fetch(`${service().url}/v1/voices${path}`, { ...init, headers: { authorization: `Token ${key}`, ...init.headers } });

const send = (...parts: FormPart[]) =>
  ask('', { method: 'POST', headers: { 'content-type': FORM_TYPE }, body: form(...parts) });

const enrol = async (name: string, samples: Float32Array): Promise<string> => {
  const response = await send(field('name', name), field('consent', 'true'), file(wavOf(samples)));
  assert.equal(response.status, 201, await response.clone().text());
  return voiceResponse.strict().parse(await response.json()).voice.id;
};

test('a voice is enrolled, listed, exported and deleted at once', async () => {
  const id = await enrol('Ada', LOW);
  const { voices } = voiceListResponse.strict().parse(await (await ask('')).json());
  assert.deepEqual(
    voices.map((voice) => [voice.id, voice.name, Math.round(voice.speech_seconds)]),
    [[id, 'Ada', 11]],
  );
  const exported = voiceExportResponse.strict().parse(await (await ask(`/${id}/export`)).json());
  assert.deepEqual([exported.voice.name, exported.print.band, exported.print.embedding.length], ['Ada', 'wide', 8]);
  assert.deepEqual(
    exported.history.map(({ action }) => action),
    ['exported', 'enrolled'],
  );
  assert.equal((await ask(`/${id}`, { method: 'DELETE' })).status, 200);
  for (const [path, method] of [
    [`/${id}/export`, 'GET'],
    [`/${id}`, 'DELETE'],
  ] as const)
    assert.equal((await ask(path, { method })).status, 404);
  const audit = voiceAuditResponse.strict().parse(await (await ask('/audit')).json());
  assert.deepEqual(
    audit.entries.map(({ action, voice_id }) => [action, voice_id]),
    [
      ['deleted', id],
      ['exported', id],
      ['enrolled', id],
    ],
  );
  assert.equal(JSON.stringify(audit).includes('Ada'), false);
  assert.deepEqual(await service().rows(), []);
});

test('a voice of another account is not found', async () => {
  const id = await enrol('Bo', HIGH);
  const { key } = await keyFor(service().app.storage, 'other');
  for (const path of [`/${id}/export`, '/%00/export', '/x'.repeat(40)])
    assert.equal((await ask(path, { key })).status, 404);
  assert.equal((await ask(`/${id}`, { key, method: 'DELETE' })).status, 404);
  assert.deepEqual(((await (await ask('', { key })).json()) as { voices: unknown[] }).voices, []);
  assert.deepEqual(((await (await ask('/audit', { key })).json()) as { entries: unknown[] }).entries, []);
  assert.equal((await ask(`/${id}`, { method: 'DELETE' })).status, 200);
  assert.equal((await fetch(`${service().url}/v1/voices`)).status, 401);
});

test('two voices, two seconds and silence are refused with the reason, and nothing is kept', async () => {
  const name = field('name', 'Cy');
  const consent = field('consent', 'true');
  for (const [samples, code, reason] of [
    [joined(LOW, HIGH), 'VOICES_MIXED', /more than one voice/],
    [LOW.subarray(0, 32_000), 'VOICE_TOO_SHORT', /At least 8/],
    [new Float32Array(200_000), 'VOICE_TOO_SHORT', /0\.0 seconds of speech/],
  ] as const) {
    const response = await send(name, consent, file(wavOf(samples)));
    assert.equal(response.status, 422);
    const { error } = await failure(response);
    assert.equal(error.code, code);
    assert.match(error.message, reason);
  }
  const long = await send(name, consent, file(wavOf(hum(61))));
  assert.deepEqual([long.status, (await failure(long)).error.code], [413, 'AUDIO_TOO_LONG']);
  const text = await send(name, consent, file(Buffer.from('this is not audio, not even a little bit of it')));
  assert.deepEqual([text.status, (await failure(text)).error.code], [400, 'AUDIO_FORMAT_UNSUPPORTED']);
  const large = await send(name, consent, file(Buffer.alloc(24 * 1024 * 1024 + 1)));
  assert.deepEqual([large.status, (await failure(large)).error.code], [413, 'FILE_TOO_LARGE']);
  assert.deepEqual(((await (await ask('')).json()) as { voices: unknown[] }).voices, []);
});

test('without consent or a name nothing is enrolled, in any order of the fields', async () => {
  const audio = file(wavOf(LOW));
  const name = field('name', 'Di');
  for (const [parts, reason] of [
    [[name, audio], /biometric/],
    [[name, field('consent', 'false'), audio], /biometric/],
    [[audio, name, field('consent', 'yes')], /must be true or false/],
    [[audio, field('consent', 'true')], /"name" is missing/],
    [[audio, field('consent', 'true'), field('name', ' ')], /must not be empty/],
    [[field('consent', 'true'), field('name', 'x'.repeat(101)), audio], /at most 100 characters/],
    [[field('consent', 'true'), name], /no file/],
  ] as const) {
    const response = await send(...parts);
    assert.equal(response.status, 400);
    assert.match((await failure(response)).error.message, reason);
  }
  assert.deepEqual(((await (await ask('')).json()) as { voices: unknown[] }).voices, []);
});

test('an account enrols one voice at a time', async () => {
  const both = await Promise.all(
    ['Ed', 'Flo'].map((name) => send(field('name', name), field('consent', 'true'), file(wavOf(LOW)))),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 429]);
  assert.ok(both.find(({ status }) => status === 429)?.headers.has('retry-after'));
  await enrol('Gus', LOW);
});

test('speakers get the names of known voices only when a request asks for them, and each use is recorded', async () => {
  const { voices } = (await (await ask('')).json()) as { voices: { id: string }[] };
  for (const { id } of voices) await ask(`/${id}`, { method: 'DELETE' });
  const id = await enrol('Ada', LOW);
  const dialogue = file(wavOf(joined(LOW.subarray(0, 80_000), HIGH.subarray(0, 80_000))));
  const namesIn = async (...parts: FormPart[]) => {
    const answer = await success(await service().post(form(MODEL, ...parts, dialogue)));
    return answer.detail?.speakers?.map(({ name, is_name_sure: isSure }) => [name, isSure]);
  };
  assert.deepEqual(await namesIn(field('known_voices', 'true')), [
    ['Ada', true],
    [null, false],
  ]);
  const recorded = async () =>
    voiceAuditResponse
      .parse(await (await ask('/audit')).json())
      .entries.slice(0, 2)
      .map(({ action, voice_id }) => [action, voice_id]);
  while ((await recorded())[0]?.[0] !== 'named') await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await recorded(), [
    ['named', id],
    ['compared', null],
  ]);
  assert.deepEqual(await namesIn(field('speakers', 'true')), [
    [null, false],
    [null, false],
  ]);
  assert.equal((await recorded())[0]?.[0], 'named');
  const contradiction = await service().post(
    form(MODEL, field('speakers', 'false'), field('known_voices', 'true'), dialogue),
  );
  assert.equal(contradiction.status, 400);
  assert.match((await failure(contradiction)).error.message, /known_voices/);
});

test('the OpenAI and Deepgram endpoints name known voices too', async () => {
  const samples = joined(LOW.subarray(0, 80_000), HIGH.subarray(0, 80_000));
  const { url, key } = service();
  const headers = { authorization: `Bearer ${key}` };
  const openai = async (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) body.set(name, value);
    body.set('file', new File([new Uint8Array(wavOf(samples))], 'talk.wav'));
    return fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  };
  const diarized = { response_format: 'diarized_json', known_voices: 'true' };
  const { segments } = (await (await openai(diarized)).json()) as { segments: { speaker: string }[] };
  assert.deepEqual([...new Set(segments.map(({ speaker }) => speaker))], ['Ada', 'B']);
  const one = await (await openai({ ...diarized, num_speakers: '1' })).json();
  assert.equal(new Set((one as { segments: { speaker: string }[] }).segments.map(({ speaker }) => speaker)).size, 1);
  assert.match((await openai({ known_voices: 'true' })).headers.get('x-faircopy-warnings') ?? '', /known_voices/);
  for (const refused of [{ num_speakers: '0' }, { known_voices: 'perhaps' }, { known_speaker_names: 'Bo' }])
    assert.equal((await openai({ ...diarized, ...refused })).status, 400);

  const query = 'model=nova-3&diarize=true&known_voices=true';
  const listened = await fetch(`${url}/v1/listen?${query}`, { method: 'POST', headers, body: wavOf(samples) });
  const { metadata } = (await listened.json()) as { metadata: { speakers: object[]; warnings?: object[] } };
  const NAMES = [
    { channel: 0, speaker: 0, name: 'Ada', is_name_sure: true },
    { channel: 0, speaker: 1, name: null, is_name_sure: false },
  ];
  assert.deepEqual([metadata.speakers, metadata.warnings], [NAMES, undefined]);
  const live = await new Listening(service(), `${query}&encoding=linear16&sample_rate=16000`).opened();
  await live.send(pcm16Bytes(samples));
  live.control({ type: 'CloseStream' });
  await live.closed;
  // Silence at the end has its own final.
  const [said] = live.finals.filter(({ channel }) => channel.alternatives[0]?.transcript !== '').slice(-1);
  assert.deepEqual((said as unknown as { speakers: object[] }).speakers, NAMES);
});

test('known voices are off without a secret, and asking for them is refused', async (t) => {
  const plain = await startService(t);
  for (const [path, method] of [
    ['', 'GET'],
    ['', 'POST'],
    ['/audit', 'GET'],
    ['/some-id', 'DELETE'],
  ]) {
    const body = method === 'POST' ? { body: form(field('name', 'Ada')), headers: { 'content-type': FORM_TYPE } } : {};
    const response = await fetch(`${plain.url}/v1/voices${path}`, { method: method!, ...body });
    assert.equal(response.status, 404);
    assert.match((await failure(response)).error.message, /turned off/);
  }
  const asked = await plain.post(form(MODEL, field('known_voices', 'true'), file(wavOf(LOW))));
  assert.equal(asked.status, 400);
  assert.match((await failure(asked)).error.message, /known_voices.*turned off/);
  // A request that is refused for another reason leaves no rejected promise behind, which would end the process.
  const contradictory = [field('known_voices', 'true'), field('language', 'de'), field('languages', 'en')];
  const refused = await plain.post(form(MODEL, ...contradictory, file(wavOf(LOW))));
  assert.equal((await failure(refused)).error.code, 'INVALID_REQUEST');
});

test('voices of another embedding model are not compared: the request says to enrol them again', async () => {
  const { app, post } = service();
  const { key, accountId } = await keyFor(app.storage, 'moved');
  const authorization = `Token ${key}`;
  const enrolled = async () => {
    const body = form(field('name', 'Ada'), field('consent', 'true'), file(wavOf(LOW)));
    const response = await ask('', { key, method: 'POST', headers: { 'content-type': FORM_TYPE }, body });
    return voiceResponse.parse(await response.json()).voice.model;
  };
  const named = () => post(form(MODEL, field('known_voices', 'true'), file(wavOf(LOW))), { authorization });
  assert.equal(await enrolled(), 'tones');
  const before = { model: 'another model' };
  await app.storage.write.updateTable('voice_prints').set(before).where('account_id', '=', accountId).execute();
  const refused = await named();
  assert.equal(refused.status, 400);
  assert.match((await failure(refused)).error.message, /another speaker embedding model.*Enrol them again/);
  await enrolled();
  assert.equal((await success(await named())).detail?.speakers?.[0]?.name, 'Ada');
});
