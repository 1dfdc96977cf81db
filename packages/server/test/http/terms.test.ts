// Terms on every endpoint, from outside: what reaches the recogniser, and what is refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Term } from '@faircopy/contract';
import { WebSocket } from 'ws';
import type { Recognition, SpeechWindow } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { postForm } from '../openai/clients.ts';
import { COMPLETED, Realtime } from '../realtime/realtime.ts';
import { FORM_TYPE, field, file, form, MODEL, wavOf } from './forms.ts';
import { sharedService } from './service.ts';

let heardWith: readonly Term[] | undefined;
const answer = ({ vocabulary }: SpeechWindow, recognition: Recognition): Recognition => {
  heardWith = vocabulary;
  return recognition;
};
const shared = sharedService({ engine: new ScriptedEngine({ slots: 2, answer }) });

const SPEECH = joined(quiet(0.3), spoken(story(4)), quiet(1));
const WAV = wavOf(SPEECH);
const RAW = 'encoding=linear16&sample_rate=16000';

/** The HTTP status, 101 for a stream, and the terms that reached the recogniser. */
interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly terms: readonly string[] | undefined;
}

const outcome = (status: number, body: string): Outcome => ({
  status,
  body,
  terms: heardWith?.map(({ text }) => text),
});

const ofResponse = async (response: Response): Promise<Outcome> => outcome(response.status, await response.text());

/** Sends the speech to a socket until it closes. */
const stream = (path: string, end: object): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const { url, key } = shared();
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
      headers: { authorization: `Token ${key}` },
    });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(outcome(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
    });
    socket.on('open', () => {
      socket.send(pcm16Bytes(SPEECH));
      socket.send(JSON.stringify(end));
    });
    socket.on('close', (code) =>
      code === 1000 ? resolve(outcome(101, '')) : reject(new Error(`closed with ${code}`)),
    );
  });

const query = (name: string, terms: readonly string[]): string =>
  terms.map((term) => `&${name}=${encodeURIComponent(term)}`).join('');

const ENDPOINTS: Readonly<Record<string, (terms: readonly string[]) => Promise<Outcome>>> = {
  'native file': async (terms) =>
    ofResponse(await shared().post(form(MODEL, ...terms.map((term) => field('vocabulary', term)), file(WAV)))),
  'native stream': (terms) =>
    stream(`/v1/transcribe/stream?model=svc-1.0-lite&sample_rate=16000${query('vocabulary', terms)}`, {
      type: 'close_stream',
    }),
  'OpenAI file': async (terms) =>
    ofResponse(
      await postForm(
        shared(),
        form(field('model', 'whisper-1'), ...terms.map((term) => field('keywords[]', term)), file(WAV, 'file')),
        { 'content-type': FORM_TYPE },
      ),
    ),
  'Deepgram file': async (terms) => {
    const { url, key } = shared();
    const headers = { authorization: `Token ${key}`, 'content-type': 'audio/wav' };
    return ofResponse(
      await fetch(`${url}/v1/listen?model=nova-3${query('keyterm', terms)}`, { method: 'POST', headers, body: WAV }),
    );
  },
  'Deepgram stream': (terms) =>
    stream(`/v1/listen?model=nova-3&${RAW}${query('keyterm', terms)}`, { type: 'CloseStream' }),
  Flux: (terms) => stream(`/v2/listen?model=flux-general-en&${RAW}${query('keyterm', terms)}`, { type: 'CloseStream' }),
};

for (const [name, send] of Object.entries(ENDPOINTS)) {
  const outcomeOf = (terms: readonly string[]): Promise<Outcome> => {
    heardWith = undefined;
    return send(terms);
  };

  test(`${name}: terms reach the recogniser, in any script, literally and without control characters`, async () => {
    const { status, body, terms } = await outcomeOf(['Anna\u0000\n Schmidt', '(a+)+$', '東京', 'Ελλάδα']);
    assert.ok(status < 300, `${status} ${body}`);
    assert.deepEqual(terms, ['Anna Schmidt', '(a+)+$', '東京', 'Ελλάδα']);
  });

  test(`${name}: a term of 10 kB and an empty one are refused`, async () => {
    for (const term of ['x'.repeat(10_000), '\u0000 ']) {
      const { status, body, terms } = await outcomeOf(['Anna', term]);
      assert.deepEqual([status, terms], [400, undefined], body);
      assert.match(body, /1 to 100 characters|too long/);
    }
  });

  test(`${name}: 1 000 terms reach the recogniser`, async () => {
    const allowed = Array.from({ length: 1_000 }, (_, at) => `Katarzyna ${at}`);
    const { status, body, terms } = await outcomeOf(allowed);
    assert.ok(status < 300, `${status} ${body}`);
    assert.equal(terms?.length, 1_000);
  });

  test(`${name}: more than 1 000 terms, or 32 KB of them, are refused`, async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `t${at}`);
    const large = Array.from({ length: 400 }, (_, at) => `${at} `.padEnd(99, 'x'));
    for (const terms of [many, large]) {
      const { status, body, terms: used } = await outcomeOf(terms);
      assert.deepEqual([status, used], [400, undefined], body);
    }
  });
}

test('realtime: a new prompt and new keywords apply to later speech; unusable ones are left out', async () => {
  const client = await new Realtime(shared()).opened();
  const update = async (transcription: object, count: number) => {
    client.send({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            transcription: { model: 'gpt-4o-transcribe', ...transcription },
            turn_detection: null,
          },
        },
      },
    });
    await client.until('session.updated', count);
  };
  const say = async (count: number): Promise<readonly string[] | undefined> => {
    await client.append(Buffer.from(pcm16Bytes(joined(spoken(story(4)), quiet(1)))));
    client.send({ type: 'input_audio_buffer.commit' });
    await client.until(COMPLETED, count);
    return heardWith?.map(({ text }) => text);
  };
  await update({ prompt: 'Kubernetes, etcd' }, 1);
  assert.deepEqual(await say(1), ['Kubernetes', 'etcd']);
  await update({ prompt: 'Istio' }, 2);
  assert.deepEqual(await say(2), ['Istio']);
  await update({ prompt: null, keywords: ['東京', 'x'.repeat(10_000), '\u0000'] }, 3);
  assert.deepEqual(await say(3), ['東京']);
  await update({ keywords: Array.from({ length: 2_000 }, (_, at) => `t${at}`) }, 4);
  assert.equal((await say(4))?.length, 1_000);
  client.socket.close();
  await client.closed;
});
