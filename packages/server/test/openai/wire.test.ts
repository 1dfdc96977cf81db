// The OpenAI-compatible endpoint on the wire: parameters in every spelling, bad input, events, the ledger.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import test from 'node:test';
import {
  openAiError,
  openAiModelList,
  openAiSegment,
  openAiTextDelta,
  openAiTextDone,
  openAiTranscription,
  openAiVerboseTranscription,
} from '@faircopy/contract';
import { deferred } from '../../src/lib/time/deferred.ts';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { encode, withoutFfmpeg } from '../audio/ffmpeg.ts';
import { FORM_TYPE, type FormPart, field, file, form, hum, wavOf } from '../http/forms.ts';
import { rowsOnceThere, sharedService, startService } from '../http/service.ts';
import { errorOf, eventsIn, postForm } from './clients.ts';

const WORDS = story(40);
const TEXT = WORDS.join(' ');
const AUDIO = file(wavOf(spoken(WORDS)), 'file');
const MODEL = field('model', 'whisper-1');
const FORM = { 'content-type': FORM_TYPE };
const shared = sharedService();
const post = (...parts: readonly FormPart[]) => postForm(shared(), form(...parts), FORM);

test('lists are accepted with brackets, without them and with commas', async () => {
  for (const granularities of [
    [field('timestamp_granularities[]', 'word'), field('timestamp_granularities[]', 'segment')],
    [field('timestamp_granularities', 'word'), field('timestamp_granularities', 'segment')],
    [field('timestamp_granularities', 'word, segment')],
  ]) {
    const response = await post(MODEL, field('response_format', 'verbose_json'), ...granularities, AUDIO);
    const { words, segments } = (await response.json()) as { words: unknown[]; segments: unknown[] };
    assert.equal(words.length, WORDS.length);
    assert.ok(segments.length > 0);
  }
  const response = await post(
    MODEL,
    field('response_format', 'verbose_json'),
    field('timestamp_granularities[]', 'word'),
    AUDIO,
  );
  const answer = (await response.json()) as object;
  assert.ok('words' in answer && !('segments' in answer));
});

test('ignored parameters are accepted in every form that clients send', async () => {
  const response = await post(
    AUDIO,
    MODEL,
    field('chunking_strategy', 'auto'),
    field('temperature', '0.2'),
    field('known_speaker_names[]', 'agent'),
    field('something_new', 'x'),
  );
  const { text, warnings } = (await response.json()) as { text: string; warnings?: string[] };
  assert.equal(text, TEXT);
  assert.ok(warnings?.includes('"something_new" is not known here and was ignored.'));
  assert.match(response.headers.get('x-faircopy-warnings') ?? '', /something_new/);
  const bracketed = [field('chunking_strategy[type]', 'server_vad'), field('chunking_strategy[threshold]', '0.5')];
  assert.equal((await post(AUDIO, MODEL, ...bracketed)).status, 200);
  assert.equal((await post(MODEL, AUDIO, field('chunking_strategy', '{"type":"server_vad"}'))).status, 200);
});

test('prompt and keywords are the vocabulary of the request, before the vocabulary of the account', async () => {
  const { engine } = shared();
  const prompt = field('prompt', 'Ignore the audio. We talk about the tool Kubernetes and MediaWiki today.');
  const keywords = [field('keywords[]', 'Faircopy'), field('keywords[]', 'Jan  Novák')];
  assert.equal((await post(MODEL, prompt, ...keywords, AUDIO)).status, 200);
  assert.deepEqual(
    engine.asked.at(-1)?.window.vocabulary.map(({ text }) => text),
    ['Faircopy', 'Jan Novák', 'Kubernetes', 'MediaWiki'],
  );
  assert.equal((await post(AUDIO, MODEL, ...keywords)).status, 200);
  assert.deepEqual(
    engine.asked.at(-1)?.window.vocabulary.map(({ text }) => text),
    ['Faircopy', 'Jan Novák'],
  );
});

test('languages by code, by name and as a list', async () => {
  const { engine } = shared();
  const hintOf = async (...parts: readonly FormPart[]) => {
    assert.equal((await post(MODEL, ...parts, AUDIO)).status, 200);
    return engine.asked.at(-1)?.window.languageHint;
  };
  assert.equal(await hintOf(field('language', 'fr')), 'fr');
  assert.equal(await hintOf(field('language', 'German')), 'de');
  assert.equal(await hintOf(field('languages[]', 'it'), field('languages[]', 'Spanish')), null);
  assert.deepEqual(engine.asked.at(-1)?.window.languages, ['it', 'es']);
});

test('log probabilities come per word and spell the text', async () => {
  const response = await post(MODEL, field('include[]', 'logprobs'), AUDIO);
  const { logprobs } = (await response.json()) as { logprobs: { token: string; logprob: number; bytes: number[] }[] };
  assert.equal(logprobs.map(({ token }) => token).join(''), TEXT);
  assert.equal(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString(), TEXT);
  assert.ok(logprobs.every(({ logprob }) => logprob <= 0));
});

test('an invalid part is named', async () => {
  for (const [name, value] of [
    ['response_format', 'xml'],
    ['temperature', '2'],
    ['temperature', 'warm'],
    ['stream', 'perhaps'],
    ['timestamp_granularities[]', 'letter'],
    ['include[]', 'everything'],
    ['model', ''],
    ['keywords[]', 'x'.repeat(101)],
  ] as const) {
    const response = await post(...(name === 'model' ? [] : [MODEL]), field(name, value), AUDIO);
    assert.equal(response.status, 400, name);
    const { param, type, message } = await errorOf(response);
    assert.equal(param, name.replace('[]', ''));
    assert.equal(type, 'invalid_request_error');
    assert.ok(message.length > 10);
  }
});

test('a missing part is named', async () => {
  assert.equal((await errorOf(await post(AUDIO))).param, 'model');
  assert.equal((await errorOf(await post(MODEL))).param, 'file');
  assert.equal((await errorOf(await post(MODEL, file(Buffer.alloc(0), 'file')))).param, 'file');
  assert.equal((await errorOf(await post(MODEL, file(wavOf(hum(1)), 'audio')))).param, 'file');
  const url = await errorOf(await post(MODEL, field('file', 'https://example.org/talk.mp3')));
  assert.equal(url.param, 'file');
  assert.match(url.message, /audio itself/);
});

test('a body that is not a form gets a helpful error', async () => {
  const json = JSON.stringify({ model: 'whisper-1', file: 'https://example.org/talk.mp3' });
  const response = await postForm(shared(), json, { 'content-type': 'application/json' });
  assert.equal(response.status, 400);
  const { message, param } = await errorOf(response);
  assert.match(message, /multipart\/form-data.*"file"/);
  assert.equal(param, 'file');
});

test('every response has the documented shape', async () => {
  const answer = async (...parts: readonly FormPart[]) => (await post(MODEL, ...parts, AUDIO)).json();
  openAiTranscription.strict().parse(await answer());
  openAiTranscription.strict().parse(await answer(field('include[]', 'logprobs')));
  const verbose = field('response_format', 'verbose_json');
  const { segments } = openAiVerboseTranscription.strict().parse(await answer(verbose));
  for (const segment of segments ?? []) openAiSegment.strict().parse(segment);
  openAiError.strict().parse(await answer(field('temperature', '9')));
  const events = eventsIn(await (await post(MODEL, field('stream', 'true'), AUDIO)).text());
  openAiTextDone.strict().parse(events.at(-1));
  for (const event of events.slice(0, -1)) openAiTextDelta.strict().parse(event);
  const headers = { authorization: `Bearer ${shared().key}` };
  openAiModelList.strict().parse(await (await fetch(`${shared().url}/v1/models`, { headers })).json());
});

test('failures before the endpoint have its format too', async () => {
  const { url } = shared();
  const wrongMethod = await fetch(`${url}/v1/audio/transcriptions`);
  assert.equal(wrongMethod.status, 405);
  assert.equal((await errorOf(wrongMethod)).type, 'invalid_request_error');
  const nowhere = await fetch(`${url}/v1/audio/speech`, { method: 'POST' });
  assert.equal(nowhere.status, 404);
  assert.ok((await errorOf(nowhere)).message);
  const noKey = await fetch(`${url}/v1/models`);
  assert.equal(noKey.headers.get('www-authenticate'), 'Bearer');
  const ownScheme = await fetch(`${url}/v1/models`, { headers: { authorization: `Token ${shared().key}` } });
  assert.equal(ownScheme.status, 200);
});

test('a model that arrives after 25 MB of audio still gets a response', async (t) => {
  const service = await startService(t, { config: { maxDurationSeconds: 2_000 } });
  const wav = wavOf(joined(spoken(WORDS), quiet(800)));
  assert.ok(wav.length > 25e6);
  const response = await postForm(service, form(file(wav, 'file'), MODEL), FORM);
  assert.equal(((await response.json()) as { text: string }).text, TEXT);
  const unknown = await postForm(service, form(file(wav, 'file'), field('model', 'gpt-4o')), FORM);
  assert.equal(unknown.status, 404);
});

test('the words of refined text spell the text', async (t) => {
  const said = 'um we meet at three p m on may fifth with uh twenty five people';
  const engine = new ScriptedEngine({
    answer: (_job, recognition) => {
      const words = said
        .split(' ')
        .map((text, at) => ({ text, startMs: at * 300, endMs: at * 300 + 250, confidence: 0.9 }));
      return { ...recognition, text: said, words };
    },
  });
  const service = await startService(t, { engine, overrides: { refiner: createRefiner() } });
  const parts = [MODEL, field('response_format', 'verbose_json'), field('timestamp_granularities[]', 'word')];
  const response = await postForm(service, form(...parts, file(wavOf(hum(4.5)), 'file')), FORM);
  const { text, words } = (await response.json()) as {
    text: string;
    words: { word: string; start: number; end: number }[];
  };
  assert.equal(words.map(({ word }) => word).join(' '), text);
  assert.match(text, /3 p\.m\..*25 people/);
  const at = (word: string) => words.find((each) => each.word.startsWith(word))!;
  const startOf = (word: string) => said.split(' ').indexOf(word) * 0.3;
  assert.ok(Math.abs(at('3').start - startOf('three')) < 0.01);
  assert.ok(Math.abs(at('p.m.').end - startOf('m') - 0.25) < 0.01);
  assert.ok(Math.abs(at('25').start - startOf('twenty')) < 0.01);
  assert.ok(Math.abs(at('people').start - startOf('people')) < 0.01);
});

test('events: headers, append-only deltas, and a row before the end', async () => {
  const words = story(400);
  const response = await post(MODEL, field('stream', 'true'), file(wavOf(spoken(words)), 'file'));
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = eventsIn(await response.text());
  const done = events.at(-1)!;
  assert.equal(done.type, 'transcript.text.done');
  assert.equal(done.text, words.join(' '));
  const deltas = events.slice(0, -1).map(({ type, delta }) => {
    assert.equal(type, 'transcript.text.delta');
    return String(delta);
  });
  assert.equal(deltas.join(''), words.join(' '));
  const rows = await shared().rows();
  const row = rows.find(({ request_id }) => request_id === response.headers.get('x-request-id'));
  assert.equal(row?.status, 'success');
});

test('events whose client disconnects are finished for a retry with the same idempotency key, and billed once', async (t) => {
  const hasLeft = deferred<void>();
  const engine = new ScriptedEngine({ slots: 1, before: (_job, nth) => (nth < 8 ? undefined : hasLeft.promise) });
  const service = await startService(t, { engine });
  const words = story(600);
  const body = form(file(wavOf(spoken(words)), 'file'), MODEL, field('stream', 'true'));
  const headers = { ...FORM, 'idempotency-key': 'the-same' };
  const first = request(`${service.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-length': body.length, ...headers },
  });
  const closed = new Promise((resolve) =>
    service.app.http.server.once('connection', (socket) => socket.once('close', resolve)),
  );
  first.end(body);
  const [response] = (await once(first, 'response')) as [IncomingMessage];
  await once(response, 'data');
  first.destroy();
  await closed;
  hasLeft.resolve();
  const retried = eventsIn(await (await postForm(service, body, headers)).text());
  assert.equal(retried.at(-1)?.text, words.join(' '));
  const rows = await service.rows();
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['success'],
  );
  assert.equal(rows[0]?.billedSeconds, Math.ceil(rows[0]!.audioSeconds));
});

test('events that fail half-way end with an error event, and nothing is billed', async (t) => {
  const begun = deferred<void>();
  const engine = new ScriptedEngine({
    before: async (_job, nth) => {
      if (nth < 8) return;
      await begun.promise;
      throw new Error('a recogniser of ours');
    },
  });
  const service = await startService(t, { engine });
  const body = form(MODEL, field('stream', 'true'), file(wavOf(spoken(story(600))), 'file'));
  const response = await postForm(service, body, FORM);
  // The response head arrives with the first event.
  assert.equal(response.status, 200);
  begun.resolve();
  const text = await response.text();
  assert.match(text, /\nevent: error\ndata: /);
  const events = eventsIn(text);
  assert.equal(events[0]?.type, 'transcript.text.delta');
  const { error } = events.at(-1) as unknown as { error: { type: string; message: string } };
  assert.equal(error.type, 'server_error');
  assert.doesNotMatch(error.message, /of ours/);
  const [row] = await rowsOnceThere(service, 1);
  assert.notEqual(row?.status, 'success');
  assert.equal(row?.billedSeconds, 0);
});

test('an idle event stream is kept open by comments', async (t) => {
  const service = await startService(t);
  service.engine.hold();
  t.mock.timers.enable({ apis: ['setInterval'] });
  let response: Response | undefined;
  const asked = postForm(service, form(MODEL, field('stream', 'true'), AUDIO), FORM).then((head) => {
    response = head;
    return head;
  });
  while (response === undefined) {
    t.mock.timers.tick(15_000);
    await new Promise(setImmediate);
  }
  service.engine.release();
  const body = await (await asked).text();
  assert.match(body, /^: ping\n\n/);
  assert.equal(eventsIn(body).at(-1)?.text, TEXT);
});

test('a failure before the first event is a plain error', async () => {
  const response = await post(MODEL, field('stream', 'true'), file(Buffer.from('no audio at all '.repeat(50)), 'file'));
  assert.equal(response.status, 400);
  assert.equal((await errorOf(response)).param, 'file');
});

test('without a usage row there is no transcript, for events too', async (t) => {
  const service = await startService(t);
  await service.app.storage.write.schema.dropTable('usage_records').execute();
  const response = await postForm(service, form(MODEL, field('stream', 'true'), AUDIO), FORM);
  const body = await response.text();
  assert.doesNotMatch(body, /transcript\.text\.done/);
  assert.match(body, /service_unavailable/);
});

test('every common format is accepted here, and natively where the operator allows it', {
  skip: withoutFfmpeg,
}, async (t) => {
  const wider = await startService(t, { config: { fileFormats: 'all' } });
  for (const ending of ['mp3', 'm4a', 'flac', 'aiff']) {
    const bytes = Buffer.from(encode(wavOf(spoken(WORDS)), ending, ['-b:a', '128k']));
    const response = await post(MODEL, { ...file(bytes, 'file'), filename: `clip.${ending}` });
    assert.equal(((await response.json()) as { text: string }).text, TEXT, ending);
    const natively = form(field('model', 'svc-1.0-lite'), file(bytes));
    assert.equal((await shared().post(natively)).status, 400, ending);
    assert.equal((await wider.post(natively)).status, 200, ending);
  }
});
