// Home Assistant's protocol over a real socket: golden bytes in, transcripts out, errors that end the connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { FrameParser, type WyomingEvent } from '../../src/endpoints/wyoming/frames.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { rowsOnceThere } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';
import { golden, startWyoming } from './golden.ts';

const SPEECH = Buffer.from(pcm16Bytes(joined(quiet(0.3), spoken(story(6)), quiet(0.3))));

const FORMAT = '{"rate": 16000, "width": 2, "channels": 1, "timestamp": 0}';
const UTTERANCE = [
  golden('transcribe', '{"language": "en"}'),
  golden('audio-start', FORMAT),
  ...Array.from({ length: Math.ceil(SPEECH.length / 2048) }, (_, at) =>
    golden('audio-chunk', FORMAT, SPEECH.subarray(at * 2048, (at + 1) * 2048)),
  ),
  golden('audio-stop', '{"timestamp": 2500}'),
];

const exchange = async (port: number, bytes: readonly Buffer[], answers: number): Promise<WyomingEvent[]> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const parser = new FrameParser();
  const events: WyomingEvent[] = [];
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      events.push(...parser.push(chunk));
      if (events.length >= answers) resolve();
    });
    socket.on('close', () => resolve());
  });
  for (const each of bytes) socket.write(each);
  await done;
  socket.destroy();
  return events;
};

test('describe, ping, and two utterances on one connection', async (t) => {
  const { service, wyomingPort } = await startWyoming(t);
  const events = await exchange(
    wyomingPort,
    [golden('describe'), golden('ping', '{"text": "a"}'), ...UTTERANCE, ...UTTERANCE],
    4,
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['info', 'pong', 'transcript', 'transcript'],
  );
  const [program] = events[0]!.data.asr as { name: string; models: { languages: string[] }[] }[];
  assert.equal(program?.name, 'faircopy');
  assert.ok(program?.models.every(({ languages }) => languages.includes('en') && languages.includes('de')));
  assert.equal(events[1]?.data.text, 'a');
  for (const transcript of events.slice(2))
    assert.deepEqual(transcript.data, { text: story(6).join(' '), language: 'en' });
  assert.deepEqual(
    (await rowsOnceThere(service, 2)).map(({ status, billedSeconds }) => [status, billedSeconds]),
    [
      ['success', 15],
      ['success', 15],
    ],
  );
});

test('silence gives an empty transcript', async (t) => {
  const { wyomingPort } = await startWyoming(t);
  const events = await exchange(wyomingPort, [golden('audio-start', FORMAT), golden('audio-stop')], 1);
  assert.deepEqual(events[0]?.data, { text: '' });
});

test('an error is sent and ends the connection; a peer that disconnects leaves no slot behind', async (t) => {
  const { service, wyomingPort } = await startWyoming(t);
  for (const bytes of [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    golden('audio-stop'),
    golden('audio-start', '{"rate": 1, "width": 2, "channels": 1}'),
    golden('transcribe', '{"name": "no-such-model"}'),
  ]) {
    const events = await exchange(wyomingPort, [bytes], 2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['error'],
    );
  }
  const socket = connect(wyomingPort, '127.0.0.1');
  await once(socket, 'connect');
  for (const bytes of UTTERANCE.slice(0, -1)) socket.write(bytes);
  socket.end();
  const [row] = await rowsOnceThere(service, 1);
  assert.equal(row?.status, 'CLIENT_DISCONNECTED');
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('a stopping server ends an open utterance with an error, and does not bill it', async (t) => {
  const { service, dataDir, wyomingPort } = await startWyoming(t);
  const socket = connect(wyomingPort, '127.0.0.1');
  await once(socket, 'connect');
  const parser = new FrameParser();
  const events: WyomingEvent[] = [];
  socket.on('data', (chunk) => events.push(...parser.push(chunk)));
  for (const bytes of UTTERANCE.slice(0, -1)) socket.write(bytes);
  await eventually(service.takenSlots, (taken) => taken === 1);
  await Promise.all([once(socket, 'close'), service.app.close()]);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.code]),
    [['error', 'SERVICE_UNAVAILABLE']],
  );
  const storage = await openStorage({ dataDir });
  t.after(() => storage.close());
  const rows = await storage.read.selectFrom('usage_records').select(['status', 'billed_ms']).execute();
  assert.deepEqual(rows, [{ status: 'SERVICE_UNAVAILABLE', billed_ms: 0 }]);
});

test('a peer that asks and never reads is disconnected', async (t) => {
  const { wyomingPort } = await startWyoming(t);
  const socket = connect(wyomingPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.once('close', () => {
    isClosed = true;
  });
  // Each answer is a few kilobytes; the requests ask for far more than the kernel buffers.
  const questions = Buffer.concat(Array.from({ length: 1_000 }, () => golden('describe')));
  await eventually(
    () => {
      if (!isClosed && socket.writableLength < questions.length) socket.write(questions);
      return isClosed;
    },
    (closed) => closed,
  );
  assert.ok(isClosed);
});
