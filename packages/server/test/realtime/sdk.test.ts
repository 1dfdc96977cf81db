// OpenAI's own realtime client, in both majors, over TLS: it accepts nothing else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test, { type TestContext } from 'node:test';
import OpenAI6 from 'openai-6';
import { OpenAIRealtimeWS as Realtime6 } from 'openai-6/realtime/ws';
import OpenAI7 from 'openai-7';
import { OpenAIRealtimeWS as Realtime7 } from 'openai-7/realtime/ws';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { type Service, startService } from '../http/service.ts';
import { makeCertificate } from './certificate.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

/** A service that speaks TLS itself. */
const startTls = async (t: TestContext): Promise<Service> => {
  const { tlsKey, tlsCert, remove } = makeCertificate();
  t.after(remove);
  const service = await startService(t, { config: { tlsKey, tlsCert } });
  assert.match(service.url, /^https:/);
  return service;
};

interface RealtimeClient {
  on(event: string, listener: (event: never) => void): unknown;
  send(event: never): void;
  close(): void;
  readonly socket: { on(event: string, listener: () => void): unknown };
}

const connectors: [string, (port: number, key: string) => RealtimeClient][] = [
  [
    'openai 6',
    (port, apiKey) =>
      new Realtime6(
        { model: 'gpt-4o-transcribe', options: { rejectUnauthorized: false } },
        new OpenAI6({ apiKey, baseURL: `https://127.0.0.1:${port}/v1` }),
      ) as never,
  ],
  [
    'openai 7',
    (port, apiKey) =>
      new Realtime7(
        { intent: 'transcription', options: { rejectUnauthorized: false } } as never,
        new OpenAI7({ apiKey, baseURL: `https://127.0.0.1:${port}/v1` }) as never,
      ) as never,
  ],
];

for (const [name, open] of connectors) {
  test(`${name}: a transcription session with turn detection`, { skip }, async (t) => {
    const service = await startTls(t);
    const client = open(service.port, service.key);
    const audio = Buffer.from(pcm16Bytes(joined(quiet(0.3), spoken(story(6)), quiet(1.2))));
    const transcript = new Promise<string>((resolve, reject) => {
      client.on('error', reject as never);
      client.on('session.created', (() =>
        client.send({
          type: 'session.update',
          session: {
            type: 'transcription',
            audio: {
              input: {
                format: { type: 'audio/pcm', rate: 16_000 },
                transcription: { model: 'gpt-4o-transcribe' },
                turn_detection: { type: 'server_vad', silence_duration_ms: 400 },
              },
            },
          },
        } as never)) as never);
      client.on('session.updated', (() => {
        for (let at = 0; at < audio.length; at += 3_200)
          client.send({
            type: 'input_audio_buffer.append',
            audio: audio.subarray(at, at + 3_200).toString('base64'),
          } as never);
      }) as never);
      client.on('conversation.item.input_audio_transcription.completed', ((event: { transcript: string }) =>
        resolve(event.transcript)) as never);
    });
    assert.equal(await transcript, story(6).join(' '));
    client.close();
  });
}
