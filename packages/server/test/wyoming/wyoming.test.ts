// Home Assistant's protocol over a real socket: golden bytes in, transcripts out, errors that end the connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { FrameParser, type WyomingEvent } from '../../src/endpoints/wyoming/frames.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { rowsOnceThere, startService } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';

const SPEECH = Buffer.from(pcm16Bytes(joined(quiet(0.3), spoken(story(6)), quiet(0.3))));

/** The bytes that the reference writer of Wyoming 1.10 sends for an event. */
const golden = (type: string, data = '', payload = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from(
      `{"type": "${type}", "version": "1.10.0"${data === '' ? '' : `, "data_length": ${data.length}`}` +
        `${payload.length === 0 ? '' : `, "payload_length": ${payload.length}`}}\n${data}`,
    ),
    payload,
  ]);
const FORMAT = '{"rate": 16000, "width": 2, "channels": 1, "timestamp": 0}';
const UTTERANCE = [
  golden('transcribe', '{"language": "en"}'),
  golden('audio-start', FORMAT),
  ...Array.from({ length: Math.ceil(SPEECH.length / 2048) }, (_, at) =>
    golden('audio-chunk', FORMAT, SPEECH.subarray(at * 2048, (at + 1) * 2048)),
  ),
  golden('audio-stop', '{"timestamp": 2500}'),
];

/** A service with the listener on, for an account whose key was made before. */
const startWyoming = async (t: TestContext) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-wyoming-'));
  const storage = await openStorage({ dataDir });
  const { account } = await ensureAccount(storage, 'home');
  const { key } = await createKey(storage, { accountId: account.id, name: 'home', createdBy: null });
  await storage.close();
  const service = await startService(t, {
    config: { dataDir, wyomingAddress: { host: '127.0.0.1', port: 0 }, wyomingKey: key },
  });
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  return { service, wyomingPort: service.app.ports.get('wyoming')! };
};

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
  const slots = () => service.app.storage.write.selectFrom('stream_leases').selectAll().execute();
  await eventually(slots, (taken) => taken.length === 0);
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
  // Each answer is some kilobytes; far more of them than the kernel buffers are asked for.
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
