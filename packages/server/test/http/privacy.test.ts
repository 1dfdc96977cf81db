// Keys, tokens, transcripts and audio appear in no log line; every request writes exactly one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../../src/lib/fault.ts';
import { createLog } from '../../src/observability/log.ts';
import { logLine } from '../../src/observability/log-lines.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { field, file, form, MODEL, wavOf } from './forms.ts';
import { startService } from './service.ts';

const SAID = ['umbrella', 'quarry'];
const SECRET_NAME = 'my-private-recording.wav';

test('no log line contains a key, a token in a URL, a transcript or a file name', async (t) => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => lines.push(line) });
  const engine = new ScriptedEngine({ slots: 2 });
  const service = await startService(t, { engine, overrides: { log } });
  const { url, key } = service;
  const clip = { name: 'audio', value: wavOf(spoken(SAID)), filename: SECRET_NAME };

  const requests: Promise<Response>[] = [
    service.post(form(MODEL, clip, field('include', 'segments,words,raw,edits'))),
    service.post(form(field('model', key), clip)),
    service.post(form(MODEL, { name: key, value: key, filename: SECRET_NAME })),
    service.post(form(MODEL, file(Buffer.from(SAID.join(' '))))),
    service.post(Buffer.from(key)),
    fetch(`${url}/v1/transcribe`, { method: 'POST', headers: { authorization: `Bearer ${key}` } }),
    fetch(`${url}/v1/transcribe/stream?token=${key}&model=${key}`),
    fetch(`${url}/v1/transcribe/${key}?token=${key}`),
    fetch(`${url}/${key}/%zz?token=${key}`),
    fetch(`${url}/healthz?token=${key}`, { headers: { cookie: `session=${key}` } }),
  ];
  const answers = await Promise.all(requests);
  for (const answer of answers) await answer.text();
  const { transcript } = ((await (await service.post(form(MODEL, clip))).json()) as { result: { transcript: string } })
    .result;
  assert.equal(transcript, SAID.join(' '));

  const everything = lines.join('');
  for (const secret of [key, key.slice(3), ...SAID, SECRET_NAME])
    assert.equal(everything.includes(secret), false, secret);

  const entries = lines.map((line) => JSON.parse(line) as { msg: string; requestId?: string });
  const ids = entries.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId);
  const expected = answers.map((answer) => answer.headers.get('x-request-id'));
  for (const id of expected) assert.equal(ids.filter((one) => one === id).length, 1, `one line for ${id}`);
});

test('fields with private names are redacted if logged by mistake', () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => lines.push(line) });
  log.info({ token: 'hush', headers: { authorization: 'hush' }, a: { b: { transcript: 'hush' } } }, 'x');
  log.error({ err: new Fault('INTERNAL_ERROR', { cause: new Error('broken pipe') }) }, 'x');
  assert.equal(lines.join('').includes('hush'), false);
  assert.match(lines[1]!, /broken pipe/);
});

test('a human-readable log line has the same content', () => {
  const line = logLine('{"level":"info","time":"2026-01-02T03:04:05.678Z","msg":"request","status":200,"ms":12}\n');
  assert.match(line, /03:04:05.*request.*status=200 ms=12/);
  assert.equal(logLine('not json\n'), 'not json\n');
});
