// OpenAI's own realtime client, in both major versions, over TLS, which it requires.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test, { type TestContext } from 'node:test';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { type Service, startService } from '../http/service.ts';
import { REALTIME_CLIENTS } from '../openai/clients.ts';
import { makeCertificate } from './certificate.ts';
import { COMPLETED, PCM_16K, session, speech } from './realtime.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

/** A service that speaks TLS itself. */
const startTls = async (t: TestContext): Promise<Service> => {
  const { tlsKey, tlsCert, remove } = makeCertificate();
  t.after(remove);
  const service = await startService(t, { config: { tlsKey, tlsCert } });
  assert.match(service.url, /^https:/);
  return service;
};

for (const [version, open] of Object.entries(REALTIME_CLIENTS)) {
  test(`openai ${version}: a transcription session with turn detection`, { skip }, async (t) => {
    const service = await startTls(t);
    const client = open(service.port, service.key);
    const audio = speech(quiet(0.3), spoken(story(6)), quiet(1.2));
    const transcript = new Promise<string>((resolve, reject) => {
      client.on('error', reject as never);
      client.on('session.created', (() =>
        client.send(
          session({
            ...PCM_16K,
            transcription: { model: 'gpt-4o-transcribe' },
            turn_detection: { type: 'server_vad', silence_duration_ms: 400 },
          }) as never,
        )) as never);
      client.on('session.updated', (() => {
        for (let at = 0; at < audio.length; at += 3_200)
          client.send({
            type: 'input_audio_buffer.append',
            audio: audio.subarray(at, at + 3_200).toString('base64'),
          } as never);
      }) as never);
      client.on(COMPLETED, ((event: { transcript: string }) => resolve(event.transcript)) as never);
    });
    assert.equal(await transcript, story(6).join(' '));
    client.close();
  });
}
