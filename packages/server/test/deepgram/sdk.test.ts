// Deepgram's own clients, unchanged: files and live streams, in both major versions that are in use.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LiveTranscriptionEvents } from 'deepgram-4';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { client4, client5 } from './clients.ts';
import type { Results } from './listening.ts';

const SPEECH = joined(quiet(0.3), spoken(story(6)), quiet(1));
const TEXT = story(6).join(' ');
const PCM = pcm16Bytes(SPEECH);
const shared = sharedService();

const FILE_OPTIONS = { model: 'nova-3', smart_format: true, utterances: true, paragraphs: true } as const;

test('SDK 5: a file, with utterances and paragraphs', async () => {
  const answer = (await client5(shared()).listen.v1.media.transcribeFile(wavOf(SPEECH), FILE_OPTIONS)) as never as {
    metadata: { duration: number; channels: number; models: string[] };
    results: {
      channels: { alternatives: { transcript: string; words: unknown[]; paragraphs: { paragraphs: unknown[] } }[] }[];
      utterances: { transcript: string }[];
    };
  };
  const [channel] = answer.results.channels;
  assert.equal(channel?.alternatives[0]?.transcript, TEXT);
  assert.equal(channel?.alternatives[0]?.words.length, 6);
  assert.equal(channel?.alternatives[0]?.paragraphs.paragraphs.length, 1);
  assert.equal(answer.results.utterances.map(({ transcript }) => transcript).join(' '), TEXT);
  assert.ok(Math.abs(answer.metadata.duration - SPEECH.length / 16_000) < 0.01);
  assert.equal(answer.metadata.models.length, 1);
});

test('SDK 5: a wrong key has its own error class', async () => {
  const asked = client5({ ...shared(), key: 'wrong' }).listen.v1.media.transcribeFile(wavOf(SPEECH), {
    model: 'nova-3',
  });
  await assert.rejects(asked as Promise<unknown>, (thrown: { statusCode?: number; body?: { err_code?: string } }) => {
    assert.equal(thrown.statusCode, 401);
    assert.equal(thrown.body?.err_code, 'INVALID_AUTH');
    return true;
  });
});

test('SDK 5: live, to Metadata and the close, without reconnecting', async () => {
  const service = shared();
  const before = (await service.rows()).length;
  const socket = await client5(service).listen.v1.connect({
    model: 'nova-3',
    encoding: 'linear16',
    sample_rate: 16_000,
    interim_results: true,
    utterance_end_ms: 1_000,
    vad_events: true,
  } as never);
  const results: Results[] = [];
  const kinds = new Set<string>();
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.on('message', (message) => {
      kinds.add(message.type);
      if (message.type === 'Results') results.push(message as never);
    });
    socket.on('close', (event) => resolve(event as never));
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendKeepAlive({ type: 'KeepAlive' });
  for (let at = 0; at < PCM.length; at += 3_200) socket.sendMedia(PCM.subarray(at, at + 3_200) as never);
  socket.sendFinalize({ type: 'Finalize' });
  socket.sendCloseStream({ type: 'CloseStream' });
  assert.equal((await closed).code, 1000);
  const finals = results.filter(({ is_final }) => is_final);
  assert.equal(finals.flatMap(({ channel }) => channel.alternatives[0]!.transcript || []).join(' '), TEXT);
  assert.ok(finals.some(({ from_finalize }) => from_finalize));
  assert.ok(kinds.has('Metadata') && kinds.has('SpeechStarted'));
  assert.equal((await service.rows()).length, before + 1);
});

test('SDK 4: a file', async () => {
  const { result, error } = await client4(shared()).listen.prerecorded.transcribeFile(wavOf(SPEECH), FILE_OPTIONS);
  assert.equal(error, null);
  assert.equal(result?.results.channels[0]?.alternatives[0]?.transcript, TEXT);
});

test('SDK 4: live', async () => {
  const live = client4(shared()).listen.live({
    model: 'nova-2',
    encoding: 'linear16',
    sample_rate: 16_000,
    interim_results: true,
  });
  const finals: Results[] = [];
  const metadata: unknown[] = [];
  live.on(LiveTranscriptionEvents.Transcript, (result: Results) => {
    if (result.is_final) finals.push(result);
  });
  live.on(LiveTranscriptionEvents.Metadata, (data: unknown) => metadata.push(data));
  const closed = new Promise<{ code: number }>((resolve) => live.on(LiveTranscriptionEvents.Close, resolve));
  await new Promise((resolve) => live.on(LiveTranscriptionEvents.Open, resolve));
  for (let at = 0; at < PCM.length; at += 3_200) live.send(new Uint8Array(PCM.subarray(at, at + 3_200)).buffer);
  live.finalize();
  live.requestClose();
  assert.equal((await closed).code, 1000);
  assert.equal(finals.flatMap(({ channel }) => channel.alternatives[0]!.transcript || []).join(' '), TEXT);
  assert.equal(metadata.length, 1);
});
