// Tests of stereo calls, where channels, not voices, determine who speaks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Faircopy, FaircopyError } from '@faircopy/client';
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { type FormPart, field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { rowsOnceThere, success } from '../http/service.ts';
import { type JobService, startJobService } from '../jobs/job-service.ts';
import { ANNA, LAST } from './dialogue.ts';

let service: JobService;
const closers: (() => Promise<void>)[] = [];
before(async () => {
  service = await startJobService({ after: (close) => closers.push(close) });
});
after(async () => {
  for (const close of closers.reverse()) await close();
});

/** A stereo wav file of two channels. */
const stereo = (left: Float32Array, right: Float32Array): Buffer => {
  const samples = Float32Array.from({ length: 2 * left.length }, (_, at) => (at % 2 ? right : left)[at >> 1] ?? 0);
  return Buffer.from(writeWav(pcm16Bytes(samples), { channels: 2 }));
};

/** Two people with the same voice take turns. */
const agent = joined(spoken(ANNA), quiet(4.5), spoken(LAST), quiet(0.5));
const customer = joined(quiet(3.7), spoken(ANNA), quiet(2.9)).subarray(0, agent.length);
const SAID = [ANNA, ANNA, LAST];
const BY_CHANNEL = SAID.map((words, index) => [index % 2, words.join(' ')]);

const speakersOf = async (wav: Buffer, ...fields: readonly FormPart[]) => {
  const { detail } = await success(await service.post(form(MODEL, field('speakers', 'true'), ...fields, file(wav))));
  return detail?.paragraphs?.map(({ speaker, text }) => [speaker, text]);
};

test('people on separate channels are distinguished by channel, even if their voices are alike', async () => {
  assert.deepEqual(await speakersOf(stereo(agent, customer)), BY_CHANNEL);
});

test('channels determine speakers in jobs, in streams, and at the OpenAI and Deepgram endpoints, too', async () => {
  const wav = stereo(agent, customer);
  const { url, key } = service;
  const job = await service.ended(await service.accepted(form(MODEL, field('speakers', 'true'), file(wav))));
  assert.deepEqual(
    job.answer?.detail?.paragraphs?.map(({ speaker, text }) => [speaker, text]),
    BY_CHANNEL,
  );
  const stream = new Faircopy({ baseUrl: url, apiKey: key }).stream({
    model: 'svc-1.0-lite',
    channels: 2,
    speakers: true,
  });
  await stream.send(new Int16Array(Uint8Array.from(wav.subarray(44)).buffer));
  assert.deepEqual(
    (await stream.finish()).detail?.paragraphs?.map(({ speaker, text }) => [speaker, text]),
    BY_CHANNEL,
  );
  const body = new FormData();
  body.set('model', 'gpt-4o-transcribe-diarize');
  body.set('response_format', 'diarized_json');
  body.set('file', new File([new Uint8Array(wav)], 'call.wav'));
  const headers = { authorization: `Bearer ${key}` };
  const openai = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  const { segments } = (await openai.json()) as { segments: { speaker: string; text: string }[] };
  assert.deepEqual(
    segments.map(({ speaker, text }) => [speaker, text.trim()]),
    SAID.map((words, index) => [index % 2 ? 'B' : 'A', words.join(' ')]),
  );
  const listen = `${url}/v1/listen?model=nova-2&diarize=true`;
  const deepgram = await fetch(listen, { method: 'POST', headers, body: new Uint8Array(wav) });
  const { results } = (await deepgram.json()) as {
    results: { channels: { alternatives: { words: { speaker: number }[] }[] }[] };
  };
  assert.deepEqual(
    results.channels[0]?.alternatives[0]?.words.map(({ speaker }) => speaker),
    SAID.flatMap((words, index) => words.map(() => index % 2)),
  );
});

test('voices decide in a mono recording duplicated to stereo, and in a call with one silent channel', async () => {
  const mono = Float32Array.from(agent, (sample, at) => sample + (customer[at] ?? 0));
  for (const wav of [stereo(mono, mono), stereo(mono, quiet(mono.length / 16_000)), wavOf(mono)]) {
    const speakers = await speakersOf(wav);
    assert.deepEqual([...new Set(speakers?.map(([speaker]) => speaker))], [0]);
  }
});

test('a speaker count overrides channels that contradict it', async () => {
  const speakers = await speakersOf(stereo(agent, customer), field('num_speakers', '1'));
  assert.deepEqual([...new Set(speakers?.map(([speaker]) => speaker))], [0]);
});

const TURNS = SAID.map((words) => words.join(' '));

test('channels=split gives one transcript in time order with channel names, and bills each channel', async () => {
  const fields = [field('channels', 'split'), field('channel_names', 'agent, customer')];
  const answer = await success(await service.post(form(MODEL, ...fields, file(stereo(agent, customer)))));
  assert.equal(answer.result.transcript, TURNS.join('\n'));
  const { speakers = [], paragraphs = [] } = answer.detail ?? {};
  assert.deepEqual(
    speakers.map(({ name }) => name),
    ['agent', 'customer'],
  );
  assert.deepEqual(
    paragraphs.map(({ speaker, text }) => [speaker, text]),
    TURNS.map((text, index) => [index % 2, text]),
  );
  const row = (await service.rows()).at(-1)!;
  assert.equal(row.billedSeconds, answer.usage.billed_audio_seconds);
  assert.ok(Math.abs(row.audioSeconds - 2 * answer.result.duration_seconds) < 0.01);
});

test('a job splits the channels, too, and bills each', async () => {
  const names = field('channel_names', 'agent,customer');
  const id = await service.accepted(form(MODEL, names, file(stereo(agent, customer))));
  const { answer } = await service.ended(id);
  assert.equal(answer?.result.transcript, TURNS.join('\n'));
  assert.deepEqual(
    answer?.detail?.speakers?.map(({ name }) => name),
    ['agent', 'customer'],
  );
  const row = (await service.rows()).at(-1)!;
  assert.equal(row.billedSeconds, answer?.usage.billed_audio_seconds);
  assert.ok(Math.abs(row.audioSeconds - 2 * (answer?.result.duration_seconds ?? 0)) < 0.01);
});

test('a stream of two named channels has one transcript in time order', async () => {
  const client = new Faircopy({ baseUrl: service.url, apiKey: service.key, retries: 0 });
  const names = { model: 'svc-1.0-lite', channelNames: ['agent', 'customer'] } as const;
  const before = (await service.rows()).length;
  const stream = client.stream({ ...names, channels: 2 });
  await stream.send(new Int16Array(Uint8Array.from(stereo(agent, customer).subarray(44)).buffer));
  const { result, detail, usage } = await stream.finish();
  assert.equal(result.transcript, TURNS.join('\n'));
  assert.deepEqual(
    detail?.speakers?.map(({ name }) => name),
    ['agent', 'customer'],
  );
  const row = (await rowsOnceThere(service, before + 1)).at(-1)!;
  assert.equal(row.billedSeconds, usage.billed_audio_seconds);
  assert.ok(Math.abs(row.audioSeconds - 2 * result.duration_seconds) < 0.01);
  for (const refused of [names, { ...names, channels: 2 as const, include: ['raw' as const] }])
    await assert.rejects(
      client.stream(refused).finish(),
      (thrown) => thrown instanceof FaircopyError && thrown.code === 'INVALID_REQUEST',
    );
});

test('the field may come after the file, a mono file has one channel, and bad values are refused', async () => {
  const late = await success(
    await service.post(form(MODEL, file(stereo(agent, customer)), field('channels', 'split'))),
  );
  assert.equal(late.result.transcript, TURNS.join('\n'));
  const mono = await success(await service.post(form(MODEL, field('channels', 'split'), file(wavOf(agent)))));
  assert.equal(mono.detail?.speakers?.length, 1);
  const refused = [
    [field('channels', 'both')],
    [field('channels', 'mix'), field('channel_names', 'agent,customer')],
    [field('channel_names', 'a,b,c,d,e,f,g,h,i')],
    [field('channels', 'split'), field('include', 'raw')],
  ];
  for (const fields of refused)
    assert.equal((await service.post(form(MODEL, ...fields, file(wavOf(agent))))).status, 400);
});

test('OpenAI: an extension splits the channels, with their names as speakers', async () => {
  const { url, key } = service;
  const body = new FormData();
  body.set('model', 'whisper-1');
  body.set('response_format', 'diarized_json');
  body.set('channel_names', 'agent,customer');
  body.set('file', new File([new Uint8Array(stereo(agent, customer))], 'call.wav'));
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  const { segments } = (await response.json()) as { segments: { speaker: string; text: string }[] };
  assert.deepEqual(
    segments.map(({ speaker, text }) => [speaker, text]),
    TURNS.map((text, index) => [index % 2 ? 'customer' : 'agent', text]),
  );
});
