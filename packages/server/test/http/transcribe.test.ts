// File mode, statement by statement: each test is named after what the contract says.
import assert from 'node:assert/strict';
import test from 'node:test';
import { billedSeconds, MODEL_IDS } from '@faircopy/contract';
import { setLimits } from '../../src/accounts/accounts.ts';
import { Fault } from '../../src/lib/fault.ts';
import type { Refiner } from '../../src/refine/refiner.ts';
import { RecogniserUnavailable } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { field, file, form, hum, MODEL, wavOf } from './forms.ts';
import { failure, type Service, sharedService, startService, success } from './service.ts';

const WORDS = ['apple', 'bridge', 'candle'];
const CLIP = wavOf(spoken(WORDS));
const SECONDS = (CLIP.length - 44) / 32_000;

const shared = sharedService();
const lastRow = async (from: Service) => (await from.rows()).at(-1)!;

test('a file is answered in the same response with transcript, language, duration and usage', async () => {
  const response = await shared().post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^application\/json/);
  const answer = await success(response);
  assert.deepEqual(answer, {
    status: 'success',
    result: { transcript: WORDS.join(' '), detected_language: 'en', duration_seconds: SECONDS },
    usage: { billed_audio_seconds: 15, output_token_count: 3 },
    request_id: answer.request_id,
  });
  assert.equal(response.headers.get('x-request-id'), answer.request_id);
});

for (const model of MODEL_IDS)
  test(`the model ${model} is accepted, and recognition is asked for that tier`, async () => {
    const from = shared().engine.asked.length;
    await success(await shared().post(form(field('model', model), file(CLIP))));
    assert.deepEqual(
      shared()
        .engine.asked.slice(from)
        .map(({ window }) => window.tier),
      [model],
    );
    assert.equal((await lastRow(shared())).model, model);
  });

test('a success has one row, written before the response is sent', async () => {
  const rowsBefore = (await shared().rows()).length;
  const answer = await success(await shared().post(form(MODEL, file(CLIP))));
  const rows = await shared().rows();
  assert.equal(rows.length, rowsBefore + 1);
  assert.deepEqual(rows.at(-1), {
    request_id: answer.request_id,
    status: 'success',
    model: 'svc-1.0-lite',
    billedSeconds: 15,
    audioSeconds: SECONDS,
  });
});

test('billing is per second of audio with a minimum of 15 seconds per request', async () => {
  for (const [seconds, billed] of [
    [0.1, 15],
    [15, 15],
    [15.25, 16],
    [20, 20],
  ] as const) {
    const { result, usage } = await success(await shared().post(form(MODEL, file(wavOf(quiet(seconds))))));
    assert.equal(usage.billed_audio_seconds, billed, `${seconds} s`);
    assert.equal(result.duration_seconds, seconds);
    assert.equal((await lastRow(shared())).billedSeconds, billedSeconds(seconds));
  }
});

test('the fields may come in any order, even after the file', async () => {
  const parts = [MODEL, file(CLIP), field('language', 'de'), field('include', 'words'), field('extra', 'ignored')];
  for (const order of [
    [0, 1, 2, 3, 4],
    [1, 0, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [1, 3, 2, 0, 4],
    [2, 3, 1, 4, 0],
  ]) {
    const from = shared().engine.asked.length;
    const answer = await success(await shared().post(form(...order.map((index) => parts[index]!))));
    assert.equal(answer.result.transcript, WORDS.join(' '), order.join());
    assert.deepEqual(
      answer.detail?.words?.map(({ text }) => text),
      WORDS,
      order.join(),
    );
    const { window } = shared().engine.asked.slice(from).at(-1)!;
    assert.equal(window.languageHint, 'de', order.join());
    assert.equal(window.wantWordTimes, true);
  }
});

test('a file that comes first may be longer than the decoded audio that is kept', async (t) => {
  const own = await startService(t, { config: { maxDurationSeconds: 500 } });
  const { result } = await success(await own.post(form(file(wavOf(quiet(400))), field('language', 'en'), MODEL)));
  assert.equal(result.duration_seconds, 400);
});

test('an unsupported or unrecognized language code does not fail the request', async () => {
  for (const code of ['xx', 'english', '', '!', 'EN-us']) {
    const answer = await success(await shared().post(form(MODEL, field('language', code), file(CLIP))));
    assert.equal(answer.result.detected_language, 'en', code);
  }
});

test('detected_language is present whether or not a hint was supplied, and null when inconclusive', async () => {
  const { result } = await success(await shared().post(form(MODEL, field('language', 'fr'), file(CLIP))));
  assert.equal(result.detected_language, 'en');
  const silence = await success(await shared().post(form(MODEL, file(wavOf(quiet(2))))));
  assert.equal(silence.result.detected_language, null);
  assert.equal(silence.result.transcript, '');
  assert.equal(silence.usage.output_token_count, 0);
});

test('the format is judged by content, never by file name or part type', async () => {
  const named = { name: 'audio', value: CLIP, filename: '../../etc/passwd.mp3' };
  assert.equal((await success(await shared().post(form(MODEL, named)))).result.transcript, WORDS.join(' '));
  assert.equal((await success(await shared().post(form(MODEL, { name: 'audio', value: CLIP })))).status, 'success');
  const response = await shared().post(form(MODEL, file(Buffer.from('ID3 this is no wav at all, whatever its name'))));
  assert.equal(response.status, 400);
  assert.equal((await failure(response)).error.code, 'AUDIO_FORMAT_UNSUPPORTED');
});

test('a file that is cut short after good audio is transcribed as far as it goes', async () => {
  const whole = spoken(story(6));
  const answer = await success(await shared().post(form(MODEL, file(wavOf(whole).subarray(0, 44 + whole.length)))));
  assert.equal(answer.result.transcript, story(3).join(' '));
});

test('exactly the longest duration is accepted; one sample more is AUDIO_TOO_LONG', async (t) => {
  const own = await startService(t, { config: { maxDurationSeconds: 2 } });
  assert.equal((await own.post(form(MODEL, file(wavOf(quiet(2)))))).status, 200);
  const response = await own.post(form(MODEL, file(wavOf(quiet(2 + 1 / 16_000)))));
  assert.equal(response.status, 413);
  assert.equal((await failure(response)).error.code, 'AUDIO_TOO_LONG');
  const rows = await own.rows();
  assert.deepEqual(
    rows.map(({ status, billedSeconds }) => [status, billedSeconds]),
    [
      ['success', 15],
      ['AUDIO_TOO_LONG', 0],
    ],
  );
  assert.ok(rows[1]!.audioSeconds > 2, `${rows[1]!.audioSeconds} s on record`);
});

test('the default limit is 300 seconds', async () => {
  assert.equal((await shared().post(form(MODEL, file(wavOf(quiet(300)))))).status, 200);
  assert.equal(
    (await failure(await shared().post(form(MODEL, file(wavOf(quiet(300.01))))))).error.code,
    'AUDIO_TOO_LONG',
  );
});

test('the longest duration can be raised on request, per account', async (t) => {
  const own = await startService(t, { config: { maxDurationSeconds: 1 } });
  assert.equal((await own.post(form(MODEL, file(wavOf(quiet(3)))))).status, 413);
  await setLimits(own.app.storage, own.accountId, { maxDurationSeconds: 4 });
  let status = 413;
  // Takes effect for new requests within a second.
  for (const deadline = Date.now() + 2_000; status !== 200 && Date.now() < deadline; )
    status = (await own.post(form(MODEL, file(wavOf(quiet(3)))))).status;
  assert.equal(status, 200);
});

test('the extension "include" adds details of the transcript', async () => {
  const answer = await success(
    await shared().post(form(MODEL, field('include', 'segments,words,raw,edits'), file(CLIP))),
  );
  assert.deepEqual(Object.keys(answer.detail!).sort(), ['edits', 'raw', 'segments', 'words']);
  assert.equal(answer.detail!.raw, WORDS.join(' '));
  const response = await shared().post(form(MODEL, field('include', 'feelings'), file(CLIP)));
  assert.equal(response.status, 400);
  assert.equal((await failure(response)).error.code, 'INVALID_REQUEST');
});

test('a recognition time-out: SERVICE_UNAVAILABLE, nothing billed, the work cancelled', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  // Decoding counts too, so this is long enough for a thread to start.
  const own = await startService(t, { engine, config: { recognitionTimeoutMs: 2_000 } });
  const response = await own.post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 503);
  assert.equal((await failure(response)).error.code, 'SERVICE_UNAVAILABLE');
  assert.ok(Number(response.headers.get('retry-after')) >= 1);
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  assert.deepEqual(
    engine.asked.map(({ state }) => state),
    ['aborted'],
  );
  assert.deepEqual(
    await own.rows().then((rows) => rows.map((row) => [row.status, row.billedSeconds, row.audioSeconds])),
    [['SERVICE_UNAVAILABLE', 0, SECONDS]],
  );
});

test('a recogniser that hangs on a long file times out too', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const own = await startService(t, { engine, config: { recognitionTimeoutMs: 200, maxDurationSeconds: 1200 } });
  const response = await own.post(form(MODEL, file(wavOf(hum(700)))));
  assert.equal(response.status, 503);
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  assert.equal((await lastRow(own)).billedSeconds, 0);
});

test('a refinement time-out: SERVICE_UNAVAILABLE, nothing billed, the work cancelled', async (t) => {
  let stopped: () => void = () => {};
  const refinementStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const refiner: Refiner = {
    refine: (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped();
          reject(signal.reason);
        });
      }),
  };
  const own = await startService(t, { config: { refinementTimeoutMs: 50 }, overrides: { refiner } });
  const response = await own.post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 503);
  await refinementStopped;
  assert.deepEqual(await own.rows().then((rows) => rows.map((row) => [row.status, row.billedSeconds])), [
    ['SERVICE_UNAVAILABLE', 0],
  ]);
});

test('a stage time-out of 0 expires at once', async (t) => {
  const own = await startService(t, { config: { recognitionTimeoutMs: 0 } });
  assert.equal((await own.post(form(MODEL, file(CLIP)))).status, 503);
  const other = await startService(t, { config: { refinementTimeoutMs: 0 } });
  assert.equal((await other.post(form(MODEL, file(CLIP)))).status, 503);
});

test('recognisers are down: 503, nothing billed', async (t) => {
  const engine = new ScriptedEngine({
    before: () => {
      throw new RecogniserUnavailable('out of memory');
    },
  });
  const own = await startService(t, { engine });
  assert.equal((await own.post(form(MODEL, file(CLIP)))).status, 503);
  assert.equal((await lastRow(own)).billedSeconds, 0);
});

test('the connection stays open until transcription completes', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const own = await startService(t, { engine });
  const pending = own.post(form(MODEL, file(CLIP)));
  await engine.until(({ running }) => running === 1);
  assert.deepEqual(await own.rows(), []);
  engine.release();
  assert.equal((await pending).status, 200);
});

test('eight concurrent clients each get their own words', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const words = story(4, index);
      const answer = await success(await shared().post(form(MODEL, file(wavOf(spoken(words))))));
      return [answer.result.transcript, words.join(' ')];
    }),
  );
  for (const [heard, said] of answers) assert.equal(heard, said);
});

test('when the ledger cannot be written, the response is 503 without a transcript', async (t) => {
  const own = await startService(t);
  await own.post(form(MODEL, file(CLIP)));
  await own.app.storage.write.schema.alterTable('usage_records').renameTo('lost').execute();
  const response = await own.post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 503);
  assert.equal((await failure(response)).error.code, 'SERVICE_UNAVAILABLE');
  await own.app.storage.write.schema.alterTable('lost').renameTo('usage_records').execute();
});

test('while the models load: 503 with Retry-After, alive but not ready, nothing billed', async (t) => {
  const own = await startService(t, { warm: false });
  assert.equal((await fetch(`${own.url}/healthz`)).status, 200);
  const unready = await fetch(`${own.url}/readyz`);
  assert.equal(unready.status, 503);
  assert.deepEqual(await unready.json(), { status: 'starting', message: 'the models are being loaded' });
  const response = await own.post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 503);
  assert.ok(Number(response.headers.get('retry-after')) >= 1);
  assert.match((await failure(response)).error.message, /not ready: the models are being loaded/);
  await own.app.warm();
  assert.equal((await fetch(`${own.url}/readyz`)).status, 200);
  assert.equal((await own.post(form(MODEL, file(CLIP)))).status, 200);
  assert.deepEqual(await own.rows().then((rows) => rows.map((row) => [row.status, row.billedSeconds])), [
    ['SERVICE_UNAVAILABLE', 0],
    ['success', 15],
  ]);
});

test('too busy: 503 with Retry-After before any work, never billed', async (t) => {
  const engine = new ScriptedEngine();
  const own = await startService(t, { engine, config: { recognitionTimeoutMs: 3_000 } });
  await own.post(form(MODEL, file(CLIP)));
  engine.hold();
  const statuses: number[] = [];
  const long = form(MODEL, file(wavOf(spoken(story(300)))));
  const pending = Array.from({ length: 40 }, () => own.post(long));
  for (const answer of pending)
    void answer.then(({ status }) => {
      statuses.push(status);
      if (status === 503) engine.release();
    });
  const answers = await Promise.all(pending);
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length > 0);
  for (const response of refused) assert.ok(Number(response.headers.get('retry-after')) >= 1);
  for (const row of await own.rows()) assert.equal(row.billedSeconds > 0, row.status === 'success');
});

test('a fault that the refiner throws reaches the client with its status', async (t) => {
  const refiner: Refiner = {
    refine: async () => {
      throw new Fault('SERVICE_UNAVAILABLE', { message: 'Come back later.', retryAfterSeconds: 7 });
    },
  };
  const own = await startService(t, { overrides: { refiner } });
  const response = await own.post(form(MODEL, file(CLIP)));
  assert.equal(response.status, 503);
});
