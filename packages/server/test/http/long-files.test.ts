// The length of a file is counted as it arrives, independently of recognition.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { FORM_TYPE, type FormPart, file, form, hum, MODEL, wavOf } from './forms.ts';
import { failure, type Service, startService } from './service.ts';

test('a file that is too long is refused while recognition has finished nothing', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const own = await startService(t, { engine });
  const response = await own.post(form(MODEL, file(wavOf(hum(610)))));
  assert.equal(response.status, 413);
  assert.equal((await failure(response)).error.code, 'AUDIO_TOO_LONG');
  assert.equal(engine.asked.filter(({ state }) => state === 'answered').length, 0);
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  const [row] = await own.rows();
  assert.equal(row!.billedSeconds, 0);
  assert.ok(row!.audioSeconds > 300, `${row!.audioSeconds} s on record`);
});

const openAi = (service: Service, ...parts: readonly FormPart[]) =>
  fetch(`${service.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': FORM_TYPE },
    body: form(...parts),
  });

test('the endpoints of other services accept longer files, up to their own limit', async (t) => {
  const own = await startService(t, { config: { maxDurationSeconds: 4, longFileSeconds: 30, longFileMb: 1 } });
  const words = story(20);
  const clip = wavOf(spoken(words));
  assert.equal((await own.post(form(MODEL, file(clip)))).status, 413);
  const answer = await openAi(own, MODEL, file(clip, 'file'));
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { text: string }).text, words.join(' '));
  const listened = await fetch(`${own.url}/v1/listen?model=svc-1.0-lite`, {
    method: 'POST',
    headers: { authorization: `Token ${own.key}`, 'content-type': 'audio/wav' },
    body: clip,
  });
  assert.equal(listened.status, 200);
  assert.equal((await openAi(own, MODEL, file(wavOf(hum(31)), 'file'))).status, 413);
  const large = await openAi(own, MODEL, file(Buffer.concat([clip, Buffer.alloc(1024 * 1024)]), 'file'));
  assert.equal(large.status, 413);
  assert.match(await large.text(), /larger than 1 MB/);
});

test('the time-outs of those endpoints grow with the audio; those of the contract do not', async (t) => {
  const own = await startService(t, { config: { recognitionTimeoutMs: 0 } });
  const clip = wavOf(spoken(story(100)));
  assert.equal((await own.post(form(MODEL, file(clip)))).status, 503);
  const answer = await openAi(own, MODEL, file(clip, 'file'));
  assert.equal(answer.status, 200, await answer.text());
});

test('a file of more than 50 MB must be preceded by its model', async (t) => {
  const own = await startService(t, { config: { longFileMb: 500 } });
  const clip = spoken(story(6));
  const header = wavOf(clip);
  const long = Buffer.concat([header, Buffer.alloc(51 * 1024 * 1024)]);
  long.writeUInt32LE(0xffffffff, 40);
  const late = await openAi(own, file(long, 'file'), MODEL);
  assert.equal(late.status, 400);
  assert.match(await late.text(), /model must be sent before a file that is larger than 50 MB/);
});
