// Tests a tier on an OpenAI-compatible server, which is a second Faircopy service.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { ErrorResponse, SuccessResponse } from '@faircopy/contract';
import { systemClock } from '../../src/lib/time/clock.ts';
import { deferred } from '../../src/lib/time/deferred.ts';
import { RecogniserSet } from '../../src/speech/recogniser-set.ts';
import { RemoteTier } from '../../src/speech/remote-tier/remote-tier.ts';
import { type RemoteTierSettings, remoteTiersSetting } from '../../src/speech/remote-tier/settings.ts';
import { EnergyProbe } from '../../src/speech/testing/energy-probe.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { field, file, form, wavOf } from '../http/forms.ts';
import { type Service, startService } from '../http/service.ts';

const TIER = 'svc-1.0-max';
const settingsOf = (of: Partial<RemoteTierSettings> & { url: string }): RemoteTierSettings => {
  const parsed = remoteTiersSetting.parse(JSON.stringify({ [TIER]: { model: 'svc-1.0-pro', ...of } }));
  return parsed[TIER]!;
};

const remoteOf = (settings: RemoteTierSettings) => {
  const seen: string[] = [];
  const tier = new RemoteTier({
    tier: TIER,
    settings,
    clock: systemClock,
    observer: { answered: (_tier, outcome) => seen.push(outcome), circuit: (_tier, state) => seen.push(state) },
  });
  return { tier, seen };
};

/** A server with scripted responses. */
const standIn = async (
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void,
): Promise<{ url: string; asked: () => number }> => {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response, asked++));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked };
};

const never = () => new AbortController().signal;
const window = (of = {}) => windowOf({ tier: TIER, samples: spoken(story(3)), ...of });

/** A service whose largest tier is recognised by another service. */
const twoServices = async (t: TestContext, of: Partial<RemoteTierSettings> = {}) => {
  const server = await startService(t, { engine: new ScriptedEngine({ slots: 4 }) });
  const settings = settingsOf({ url: `${server.url}/v1`, key: server.key, wordTimes: true, ...of });
  const { tier, seen } = remoteOf(settings);
  const here = new ScriptedEngine({ slots: 2 });
  const local = { ...here.recogniser, tiers: ['svc-1.0-lite', ...(settings.fallback ? [TIER] : [])] as const };
  const service = await startService(t, {
    overrides: {
      engine: {
        recogniser: new RecogniserSet({ local: local as never, remote: [tier] }),
        openVoiceProbe: () => new EnergyProbe(),
        ready: async () => {},
        close: async () => {},
      },
    },
  });
  return { server, service, here, seen };
};

const post = async (service: Service, model: string, words: readonly string[]) => {
  const response = await service.post(form(field('model', model), file(wavOf(spoken(words)))));
  const body = (await response.json()) as Pick<SuccessResponse, 'result'> & Pick<ErrorResponse, 'error'>;
  return { status: response.status, body };
};

test('files of one or many windows are recognised by the server; other tiers stay local', async (t) => {
  const { server, service, here } = await twoServices(t);
  for (const words of [story(5), story(120)]) {
    const { status, body } = await post(service, TIER, words);
    assert.equal(status, 200);
    assert.equal(body.result.transcript, words.join(' '));
    assert.equal(body.result.detected_language, 'en');
  }
  assert.ok(server.engine.asked.length >= 4);
  assert.equal(here.asked.length, 0);
  const { body } = await post(service, 'svc-1.0-lite', story(5));
  assert.equal(body.result.transcript, story(5).join(' '));
  assert.equal(here.asked.length, 1);
  const rows = await service.rows();
  assert.ok(rows.every((row) => row.status === 'success'));
});

test('a key refused by the server gives 503 without a bill, and pauses requests', async (t) => {
  const { service, seen } = await twoServices(t, { key: 'fc_wrong' });
  const { status, body } = await post(service, TIER, story(5));
  assert.deepEqual([status, body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.ok(seen.includes('open'));
  const refused = await post(service, TIER, story(5));
  assert.equal(refused.status, 503);
  assert.ok((await service.rows()).every(({ billedSeconds }) => billedSeconds === 0));
});

test('an unavailable server is replaced by local recognisers, if configured', async (t) => {
  const { server, service, here } = await twoServices(t, { fallback: true });
  assert.equal((await post(service, TIER, story(5))).body.result.transcript, story(5).join(' '));
  assert.equal(here.asked.length, 0);
  await server.app.close();
  const { status, body } = await post(service, TIER, story(40));
  assert.equal(status, 200);
  assert.equal(body.result.transcript, story(40).join(' '));
  assert.ok(here.asked.length > 0);
});

test('a window in a language the server does not support stays local', async (t) => {
  const { url, asked } = await standIn(t, (_request, response) => response.end('{"text":"there"}'));
  const { tier } = remoteOf(settingsOf({ url, languages: ['en'], fallback: true }));
  const here = new ScriptedEngine({ text: () => 'here' });
  const set = new RecogniserSet({ local: { ...here.recogniser, tiers: [TIER] }, remote: [tier] });
  assert.equal((await set.recognise(window({ language: 'de' }), never())).text, 'here');
  assert.equal((await set.recognise(window({ language: 'en' }), never())).text, 'there');
  assert.equal(asked(), 1);
});

test('an answer in an unlisted language is requested again in a listed one', async (t) => {
  const { url, asked } = await standIn(t, (_request, response) =>
    response.end('{"text":"Vi ses i morgen foran stasjonen","language":"norwegian"}'),
  );
  const { tier } = remoteOf(settingsOf({ url }));
  const { languages } = await tier.recognise(window({ languages: ['zh', 'da'] }), never());
  assert.deepEqual([languages[0]?.language, asked()], ['da', 2]);
  await tier.recognise(window({ languages: ['no', 'da'] }), never());
  assert.equal(asked(), 3);
});

test('a single failure is retried; repeated failures pause the server, then try one request', async (t) => {
  let isWell = false;
  const { url, asked } = await standIn(t, (_request, response, nth) => {
    if (nth === 1 || isWell) response.end('{"text":"well"}');
    else response.writeHead(500).end();
  });
  const { tier, seen } = remoteOf(settingsOf({ url, slots: 3 }));
  assert.equal((await tier.recognise(window(), never())).text, 'well');
  assert.equal(asked(), 2);
  for (const _ of [1, 2, 3]) await assert.rejects(tier.recognise(window(), never()), /status 500/);
  assert.deepEqual([tier.serves(TIER), tier.freeSlots(TIER)], [false, 0]);
  assert.deepEqual([...seen].sort(), ['done', 'failed', 'failed', 'failed', 'open']);
  isWell = true;
  await new Promise<void>((resolve) => tier.onChange(resolve));
  assert.equal(tier.freeSlots(TIER), 1, 'one trial window');
  await tier.recognise(window(), never());
  assert.equal(tier.freeSlots(TIER), 3);
  assert.ok(seen.includes('closed'));
});

test('a hung server times out; a cancelled window closes its connection', async (t) => {
  const hungUp = deferred<void>();
  const { url } = await standIn(t, ({ socket }) => void socket.on('close', () => hungUp.resolve()));
  const { tier } = remoteOf(settingsOf({ url, timeoutMs: 100 }));
  await assert.rejects(tier.recognise(window(), never()), /longer than 100 ms/);
  const patient = remoteOf(settingsOf({ url, timeoutMs: 60_000 })).tier;
  const stop = new AbortController();
  const running = patient.recognise(window(), stop.signal);
  setImmediate(() => stop.abort(new Error('not wanted')));
  await assert.rejects(running, /not wanted/);
  assert.equal(patient.freeSlots(TIER), patient.slots);
  await hungUp.promise;
});

test('an invalid setting is reported with the reason', () => {
  const faults = (value: string) => remoteTiersSetting.safeParse(value).error?.issues.map(({ message }) => message);
  assert.match(faults('{')?.[0] ?? '', /is not JSON/);
  assert.match(faults('/no/such/file.json')?.[0] ?? '', /cannot be read \(ENOENT\)/);
  assert.match(faults('{"svc-1.0-max":{"url":"ftp://x","model":"m"}}')?.[0] ?? '', /svc-1\.0-max\.url/);
  assert.match(faults('{"svc-1.0-max":{"url":"http://x","model":"m","slot":1}}')?.[0] ?? '', /slot/);
  assert.ok(faults('{"huge":{"url":"http://x","model":"m"}}'));
  assert.equal(
    remoteTiersSetting.parse('{"svc-1.0-max":{"url":"http://x/v1/","model":"m"}}')['svc-1.0-max']?.url,
    'http://x/v1',
  );
});
