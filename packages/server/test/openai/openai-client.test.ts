// OpenAI's own clients, unchanged: every format, order of parts, kind of body, error class and retry.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { listBudgets, setBudget } from '../../src/usage/budgets/budgets.ts';
import { hum, wavOf } from '../http/forms.ts';
import { rowsOnceThere, sharedService, startService } from '../http/service.ts';
import { CLIENTS, connectTo } from './clients.ts';

const WORDS = story(40);
const TEXT = WORDS.join(' ');
const WAV = wavOf(spoken(WORDS));
const DAY_BUDGET = { daySeconds: 10_000, monthSeconds: null, warnPercent: 80, stops: true };
const shared = sharedService();
const file = (bytes: Buffer = WAV, name = 'clip.wav') => new File([new Uint8Array(bytes)], name);

for (const { name, Client } of CLIENTS) {
  test(`${name}: json is the default, with the request id and the exact duration`, async () => {
    const service = shared();
    const answer = await connectTo(service, Client).audio.transcriptions.create({ file: file(), model: 'whisper-1' });
    assert.equal(answer.text, TEXT);
    const { _request_id, usage } = answer as unknown as { _request_id: string; usage: object };
    const row = (await service.rows()).find(({ request_id }) => request_id === _request_id);
    assert.equal(row?.status, 'success');
    assert.equal(row?.model, 'svc-1.0-max');
    assert.deepEqual(usage, { type: 'duration', seconds: row?.audioSeconds });
  });

  test(`${name}: text, srt and vtt come as strings`, async () => {
    const { transcriptions } = connectTo(shared(), Client).audio;
    const ask = (response_format: 'text' | 'srt' | 'vtt') =>
      transcriptions.create({ file: file(), model: 'gpt-4o-mini-transcribe', response_format } as never) as unknown;
    assert.equal(await ask('text'), `${TEXT}\n`);
    const srt = String(await ask('srt'));
    assert.match(srt, /^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\napple /);
    const shown = srt.split('\n').filter((line) => /^[a-z]/.test(line));
    assert.equal(shown.join(' '), TEXT);
    assert.match(String(await ask('vtt')), /^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\napple /);
  });

  test(`${name}: verbose_json has words and segments with all their fields`, async () => {
    const answer = await connectTo(shared(), Client).audio.transcriptions.create({
      file: file(),
      model: 'whisper-1',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    assert.equal(answer.language, 'english');
    assert.equal(answer.text, TEXT);
    assert.equal(answer.words?.map(({ word }) => word).join(' '), TEXT);
    assert.ok(answer.words?.every(({ start, end }, at, all) => end > start && start >= (all[at - 1]?.end ?? 0)));
    assert.equal(answer.segments?.map(({ text }) => text).join(''), TEXT);
    const [segment] = answer.segments ?? [];
    const fields = 'avg_logprob compression_ratio end id no_speech_prob seek start temperature text tokens';
    assert.equal(
      Object.keys(segment ?? {})
        .sort()
        .join(' '),
      fields,
    );
    assert.equal(segment?.avg_logprob, -0.1);
    assert.ok(segment!.no_speech_prob >= 0 && segment!.no_speech_prob < 1);
  });

  test(`${name}: options before or after the file, and a file sent from a stream`, async (t) => {
    const { transcriptions } = connectTo(shared(), Client).audio;
    const language = 'de';
    const first = await transcriptions.create({
      file: file(),
      model: 'svc-1.0-lite',
      response_format: 'json',
      language,
    });
    const last = await transcriptions.create({
      language,
      response_format: 'json',
      model: 'svc-1.0-lite',
      file: file(),
    });
    assert.equal(first.text, TEXT);
    assert.equal(last.text, TEXT);
    assert.equal(shared().engine.asked.at(-1)?.window.languageHint, 'de');
    const folder = await mkdtemp(join(tmpdir(), 'faircopy-openai-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'clip.wav'), WAV);
    const streamed = createReadStream(join(folder, 'clip.wav'));
    assert.equal((await transcriptions.create({ file: streamed, model: 'whisper-1' })).text, TEXT);
  });

  test(`${name}: events deliver the text in order, then the complete text`, async () => {
    const words = story(400);
    const stream = await connectTo(shared(), Client).audio.transcriptions.create({
      file: file(wavOf(spoken(words))),
      model: 'gpt-4o-transcribe',
      stream: true,
    });
    const deltas: string[] = [];
    let done: { text: string; usage?: { type: string; total_tokens: number; output_tokens: number } } | undefined;
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta);
      if (event.type === 'transcript.text.done') done = event as never;
    }
    assert.equal(done?.text, words.join(' '));
    assert.equal(deltas.join(''), done?.text);
    assert.ok(deltas.length > 1);
    assert.equal(done?.usage?.type, 'tokens');
    assert.ok(done!.usage!.total_tokens > done!.usage!.output_tokens);
  });

  test(`${name}: a client that disconnects without any text is not billed`, async (t) => {
    const service = await startService(t);
    service.engine.hold();
    const stop = new AbortController();
    const asked = connectTo(service, Client).audio.transcriptions.create(
      { file: file(), model: 'whisper-1' },
      { signal: stop.signal },
    );
    await service.engine.until(() => service.engine.running > 0);
    stop.abort();
    await assert.rejects(asked, Client.APIUserAbortError);
    const [row] = await rowsOnceThere(service, 1);
    assert.equal(row?.status, 'CLIENT_DISCONNECTED');
    assert.equal(row?.billedSeconds, 0);
  });

  test(`${name}: a client that disconnects from a stream is billed for the text it got, and its budget counts it`, async (t) => {
    const engine = new ScriptedEngine({
      slots: 1,
      // The last windows are never answered: the client disconnects before them.
      before: (_job, nth) => (nth < 8 ? undefined : new Promise(() => {})),
    });
    const service = await startService(t, { engine });
    const { storage } = service.app;
    await setBudget(storage, { accountId: service.accountId, keyId: null }, DAY_BUDGET);
    const body = { file: file(wavOf(spoken(story(600)))), model: 'whisper-1', stream: true } as const;
    const stream = await connectTo(service, Client).audio.transcriptions.create(body);
    for await (const event of stream) if (event.type === 'transcript.text.delta') break;
    const [row] = await rowsOnceThere(service, 1);
    assert.equal(row?.status, 'CLIENT_DISCONNECTED');
    assert.ok(row!.billedSeconds >= 15 && row!.billedSeconds < row!.audioSeconds, JSON.stringify(row));
    const [budget] = await listBudgets(storage.write, service.accountId);
    assert.equal(budget?.spentMs.day, 1000 * row!.billedSeconds);
  });

  test(`${name}: every error has an error class of the client`, async () => {
    const service = shared();
    const client = connectTo(service, Client);
    const create = (body: object, as = client) =>
      as.audio.transcriptions.create({ file: file(), model: 'whisper-1', ...body } as never);
    await assert.rejects(create({}, connectTo(service, Client, { apiKey: 'fc_wrong' })), (error: unknown) => {
      assert.ok(error instanceof Client.AuthenticationError);
      assert.equal(error.code, 'invalid_api_key');
      assert.ok(error.requestID);
      return true;
    });
    await assert.rejects(create({ model: 'gpt-4o' }), (error: unknown) => {
      assert.ok(error instanceof Client.NotFoundError);
      assert.deepEqual([error.code, error.param], ['model_not_found', 'model']);
      return true;
    });
    await assert.rejects(create({ response_format: 'yaml' }), (error: unknown) => {
      assert.ok(error instanceof Client.BadRequestError);
      assert.equal(error.param, 'response_format');
      return true;
    });
    await assert.rejects(create({ file: file(Buffer.from('this is no audio'.repeat(100))) }), (error: unknown) => {
      assert.ok(error instanceof Client.BadRequestError);
      assert.deepEqual([error.code, error.param, error.type], ['unsupported_format', 'file', 'invalid_request_error']);
      return true;
    });
  });

  test(`${name}: limits of length and of accounts have error classes of the client`, async (t) => {
    const service = await startService(t, { config: { maxUploads: 1, longFileSeconds: 300 } });
    const { transcriptions } = connectTo(service, Client).audio;
    const tooLong = transcriptions.create({ file: file(wavOf(hum(301))), model: 'whisper-1' });
    await assert.rejects(tooLong, (error: unknown) => {
      assert.ok(error instanceof Client.APIError);
      assert.deepEqual([error.status, error.code, error.param], [413, 'audio_too_long', 'file']);
      return true;
    });
    service.engine.hold();
    const first = transcriptions.create({ file: file(), model: 'whisper-1' });
    await service.engine.until(() => service.engine.running > 0);
    const refused = await transcriptions.create({ file: file(), model: 'whisper-1' }).catch((error: unknown) => error);
    assert.ok(refused instanceof Client.RateLimitError);
    assert.deepEqual([refused.code, refused.type], ['rate_limit_exceeded', 'rate_limit_error']);
    service.engine.release();
    assert.equal((await first).text, TEXT);
  });

  test(`${name}: a service that is not ready is retried until it answers`, async (t) => {
    const service = await startService(t, { warm: false });
    const refused = await connectTo(service, Client)
      .audio.transcriptions.create({ file: file(), model: 'whisper-1' })
      .catch((error: unknown) => error);
    assert.ok(refused instanceof Client.InternalServerError);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers?.get('retry-after')) <= 60);
    const asked = connectTo(service, Client, { maxRetries: 3 }).audio.transcriptions.create({
      file: file(),
      model: 'whisper-1',
    });
    await rowsOnceThere(service, 2);
    await service.app.warm();
    assert.equal((await asked).text, TEXT);
  });

  test(`${name}: translations request the translate task and report English`, async () => {
    const { engine } = shared();
    const { translations } = connectTo(shared(), Client).audio;
    assert.equal((await translations.create({ file: file(), model: 'whisper-1' })).text, TEXT);
    assert.equal(engine.asked.at(-1)?.window.task, 'translate');
    const verbose = (await translations.create({
      file: file(),
      model: 'whisper-1',
      response_format: 'verbose_json',
    })) as unknown as { language: string; task: string; text: string; segments: { text: string }[]; words?: unknown };
    assert.deepEqual([verbose.language, verbose.task, verbose.text], ['english', 'translate', TEXT]);
    assert.equal(verbose.segments.map(({ text }) => text).join(''), TEXT);
    assert.equal(verbose.words, undefined);
  });

  test(`${name}: models are listed and found by name`, async () => {
    const client = connectTo(shared(), Client);
    const ids: string[] = [];
    for await (const { id, object } of client.models.list()) {
      assert.equal(object, 'model');
      ids.push(id);
    }
    for (const id of ['svc-1.0-lite', 'svc-1.0-max', 'whisper-1', 'gpt-4o-transcribe']) assert.ok(ids.includes(id), id);
    assert.equal((await client.models.retrieve('whisper-1')).id, 'whisper-1');
    await assert.rejects(client.models.retrieve('gpt-4o'), Client.NotFoundError);
    await assert.rejects(connectTo(shared(), Client, { apiKey: 'fc_no' }).models.list(), Client.AuthenticationError);
  });
}

test('silence gives an empty text in every format', async () => {
  const { transcriptions } = connectTo(shared(), CLIENTS[0]!.Client).audio;
  const body = { file: file(wavOf(joined(quiet(3)))), model: 'whisper-1' };
  assert.equal((await transcriptions.create(body)).text, '');
  const verbose = await transcriptions.create({ ...body, response_format: 'verbose_json' });
  assert.deepEqual([verbose.text, verbose.segments, verbose.language], ['', [], 'unknown']);
  assert.equal(await (transcriptions.create({ ...body, response_format: 'vtt' }) as unknown), 'WEBVTT\n\n');
});
