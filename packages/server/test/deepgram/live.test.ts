// Deepgram's live endpoint on the wire: results, control messages, close codes, and what is billed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { interleaved, wavOf } from '../http/forms.ts';
import { rowsOnceThere, sharedService, startService } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';
import { Listening, type Message, type Results, transcriptOf } from './listening.ts';

const RAW = 'model=nova-3&encoding=linear16&sample_rate=16000';
const FIRST = joined(quiet(0.5), spoken(story(4)), quiet(1.3));
const SPEECH = joined(FIRST, spoken(story(5, 4)), quiet(1.5));
const shared = sharedService();

const assertTiles = (finals: readonly Results[]) => {
  let end = 0;
  for (const { start, duration } of finals) {
    assert.ok(Math.abs(start - end) < 0.1, `${start} after ${end}`);
    end = start + duration;
  }
  return end;
};

test('finals tile the stream; Metadata and close 1000 come after CloseStream; one row is written', async () => {
  const service = shared();
  const before = (await service.rows()).length;
  const client = await new Listening(service, `${RAW}&interim_results=true&vad_events=true&tag=a&extra=k:v`).opened();
  // A final that arrives after speech has resumed does not end an utterance, so the second one waits for the first.
  const secondByte = 2 * FIRST.length;
  await client.send(pcm16Bytes(SPEECH).subarray(0, secondByte));
  await client.until((messages) => messages.some(({ speech_final }) => speech_final));
  await client.send(pcm16Bytes(SPEECH).subarray(secondByte));
  client.control({ type: 'CloseStream' });
  assert.deepEqual(await client.closed, { code: 1000, reason: '' });
  assert.equal(transcriptOf(client.finals), story(9).join(' '));
  assert.ok(Math.abs(assertTiles(client.finals) - SPEECH.length / 16_000) < 0.01);
  assert.deepEqual(
    client.finals.filter(({ speech_final }) => speech_final).map((final) => transcriptOf([final])),
    [story(4).join(' '), story(5, 4).join(' ')],
  );
  assert.ok(client.messages.some(({ type }) => type === 'SpeechStarted'));
  const metadata = client.messages.at(-1)!;
  assert.equal(metadata.type, 'Metadata');
  assert.equal(metadata.channels, 1);
  assert.deepEqual(metadata.tags, ['a']);
  assert.deepEqual(metadata.extra, { k: 'v' });
  assert.match(String(metadata.sha256), /^[0-9a-f]{64}$/);
  assert.match(String(metadata.request_id), /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  const row = (await rowsOnceThere(service, before + 1)).at(-1)!;
  assert.equal(row.status, 'success');
  assert.equal(row.model, 'svc-1.0-max');
  assert.equal(row.billedSeconds, 15);
  assert.equal(metadata.duration, row.audioSeconds);
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('words are lower case without punctuation, with their written form and increasing times', async () => {
  const client = await new Listening(shared(), `${RAW}&smart_format=true`).opened();
  await client.send(pcm16Bytes(SPEECH));
  client.control({ type: 'CloseStream' });
  await client.closed;
  const words = client.finals.flatMap(({ channel }) => channel.alternatives[0]!.words);
  assert.equal(words.map(({ punctuated_word }) => punctuated_word).join(' '), transcriptOf(client.finals));
  assert.ok(words.every(({ start, end }, at) => end >= start && start >= (words[at - 1]?.start ?? 0)));
  assert.ok(
    client.results.every(({ is_final }) => is_final),
    'no interims were requested',
  );
});

test('Finalize is always answered, even in silence and before any audio', async () => {
  const client = await new Listening(shared(), RAW).opened();
  client.control({ type: 'Finalize' });
  await client.until((messages) => messages.length === 1);
  assert.equal(client.finals[0]?.from_finalize, true);
  await client.send(pcm16Bytes(spoken(story(3))));
  client.control({ type: 'Finalize' });
  await client.until((messages) => messages.filter(({ from_finalize }) => from_finalize).length === 2);
  assert.equal(transcriptOf(client.finals), story(3).join(' '));
  // A channel that does not exist is as good as none.
  client.control({ type: 'Finalize', channel: 1 });
  await client.until((messages) => messages.filter(({ from_finalize }) => from_finalize).length === 3);
  await client.send(pcm16Bytes(joined(spoken(story(2, 3)), quiet(1))));
  // The old form of CloseStream.
  client.socket.send(Buffer.alloc(0));
  assert.equal((await client.closed).code, 1000);
  assert.equal(transcriptOf(client.finals), story(5).join(' '));
});

test('each Finalize ends before the audio that was sent after it', async (t) => {
  const engine = new ScriptedEngine({ slots: 4 });
  const client = await new Listening(await startService(t, { engine }), RAW).opened();
  engine.hold();
  for (const [count, from] of [
    [4, 0],
    [3, 4],
    [2, 7],
  ] as const) {
    await client.send(pcm16Bytes(joined(quiet(0.2), spoken(story(count, from)))));
    client.control({ type: 'Finalize' });
  }
  await engine.until(({ running }) => running > 0);
  engine.release();
  await client.until((messages) => messages.filter(({ from_finalize }) => from_finalize).length === 3);
  assert.deepEqual(
    client.finals.filter(({ from_finalize }) => from_finalize).map((final) => transcriptOf([final])),
    [story(4), story(3, 4), story(2, 7)].map((words) => words.join(' ')),
  );
  client.control({ type: 'CloseStream' });
  await client.closed;
});

test('CloseStream without audio gets an empty result', async () => {
  const client = await new Listening(shared(), RAW).opened();
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
  assert.deepEqual(
    client.messages.map(({ type }) => type),
    ['Results', 'Metadata'],
  );
});

test('UtteranceEnd comes once per utterance, after the gap', async () => {
  const client = await new Listening(shared(), `${RAW}&interim_results=true&utterance_end_ms=1000`).opened();
  const isEnd = ({ type }: Message) => type === 'UtteranceEnd';
  await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(3)), quiet(2))));
  await client.until((messages) => messages.some(isEnd));
  await client.send(pcm16Bytes(joined(spoken(story(3, 3)), quiet(2))));
  await client.until((messages) => messages.filter(isEnd).length === 2);
  client.control({ type: 'CloseStream' });
  await client.closed;
  const ends = client.messages.filter(({ type }) => type === 'UtteranceEnd');
  assert.equal(ends.length, 2);
  const firstFinal = client.finals.find((final) => transcriptOf([final]) !== '');
  assert.ok(Math.abs(Number(ends[0]?.last_word_end) - firstFinal!.channel.alternatives[0]!.words.at(-1)!.end) < 0.01);
});

test('each channel is recognised separately', async () => {
  const [left, right] = [joined(spoken(story(5)), quiet(3)), joined(quiet(2), spoken(story(4, 5)), quiet(1))];
  const stereo = interleaved(left, right);
  const client = await new Listening(shared(), `${RAW}&channels=2&multichannel=true`).opened();
  await client.send(pcm16Bytes(stereo), 6_400);
  client.control({ type: 'CloseStream' });
  await client.closed;
  const said = (channel: number) =>
    transcriptOf(client.finals.filter(({ channel_index }) => channel_index[0] === channel));
  assert.equal(said(0), story(5).join(' '));
  assert.equal(said(1), story(4, 5).join(' '));
  assert.ok(client.finals.every(({ channel_index }) => channel_index[1] === 2));
  const row = await eventually(
    async () => (await shared().rows()).at(-1),
    (newest) => newest?.status === 'success' && newest.audioSeconds > stereo.length / 2 / 16_000,
  );
  assert.equal(row?.audioSeconds.toFixed(3), (stereo.length / 16_000).toFixed(3));
});

test('a container is detected by content, telephone codecs by the query', async () => {
  const wav = await new Listening(shared(), 'model=nova-3').opened();
  await wav.send(wavOf(SPEECH));
  wav.control({ type: 'CloseStream' });
  assert.equal((await wav.closed).code, 1000);
  assert.equal(transcriptOf(wav.finals), story(9).join(' '));

  const alaw = Uint8Array.from(SPEECH, (sample) => alawOf(sample));
  const phone = await new Listening(shared(), 'model=nova-2-phonecall&encoding=alaw&sample_rate=16000').opened();
  await phone.send(alaw, 1_600);
  phone.control({ type: 'CloseStream' });
  await phone.closed;
  assert.equal(transcriptOf(phone.finals), story(9).join(' '));
});

/** Encodes a sample as G.711 A-law, straight from its definition. */
const alawOf = (sample: number): number => {
  const size = Math.min(32_767, Math.abs(Math.round(sample * 32_768)));
  const exponent = size < 256 ? 0 : Math.min(7, Math.floor(Math.log2(size)) - 7);
  const mantissa = exponent === 0 ? (size >> 4) & 15 : (size >> (exponent + 3)) & 15;
  return ((sample >= 0 ? 0x80 : 0) | (exponent << 4) | mantissa) ^ 0x55;
};

test('browsers send the key as a subprotocol, which is never echoed', async () => {
  const service = shared();
  const client = await new Listening(service, RAW, {}, ['token', service.key]).opened();
  assert.equal(client.socket.protocol, 'token');
  client.control({ type: 'CloseStream' });
  await client.closed;
});

const refusal = (query: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Record<string, string> }>((resolve) => {
    const client = new Listening(shared(), query, { headers });
    client.socket.on('unexpected-response', async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
    });
  });

test('a refused handshake gives the reason in the body and in headers', async () => {
  const wrongKey = await refusal(RAW, { authorization: 'Token wrong' });
  assert.equal(wrongKey.status, 401);
  assert.equal(wrongKey.body.err_code, 'INVALID_AUTH');
  assert.equal(wrongKey.headers['dg-request-id'], wrongKey.body.request_id);
  assert.equal(wrongKey.headers['dg-error'], wrongKey.body.err_msg);
  const authorization = `Token ${shared().key}`;
  for (const query of [
    'model=nova-3&encoding=linear16',
    'model=nova-3&encoding=g729&sample_rate=8000',
    'model=no-such-model',
    `${RAW}&interim_results=maybe`,
    `${RAW}&redact=phi`,
  ]) {
    const { status, body } = await refusal(query, { authorization });
    assert.equal(status, 400, query);
    assert.equal(body.err_code, 'Bad Request');
  }
});

test('audio that cannot be decoded and text that is not JSON end with DATA-0000', async () => {
  const service = shared();
  const rows = (await service.rows()).length;
  const noise = await new Listening(service, 'model=nova-3').opened();
  await noise.send(Buffer.alloc(4_000, 7));
  noise.control({ type: 'CloseStream' });
  assert.deepEqual(await noise.closed, { code: 1008, reason: 'DATA-0000' });
  const text = await new Listening(service, RAW).opened();
  text.control('hello');
  assert.deepEqual(await text.closed, { code: 1008, reason: 'DATA-0000' });
  assert.equal(text.messages.at(-1)?.type, 'Error');
  assert.equal((await rowsOnceThere(service, rows + 2)).length, rows + 2);
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('an idle stream is finished, billed and closed with 1000, so that clients do not reconnect', async (t) => {
  const service = await startService(t, { config: { idleTimeoutMs: 300 } });
  const client = await new Listening(service, RAW).opened();
  await client.send(pcm16Bytes(joined(spoken(story(3)), quiet(0.2))));
  const { code, reason } = await client.closed;
  assert.equal(code, 1000);
  assert.match(reason, /^idle/);
  assert.equal(transcriptOf(client.finals), story(3).join(' '));
  const [row] = await rowsOnceThere(service, 1);
  assert.equal(row?.status, 'success');
  assert.equal(row?.billedSeconds, 15);
});

test('KeepAlive keeps a connection without audio open; without it the idle time-out ends it', async (t) => {
  const service = await startService(t, { config: { idleTimeoutMs: 400 } });
  const client = await new Listening(service, RAW).opened();
  const openedMs = performance.now();
  const held = setInterval(() => client.control({ type: 'KeepAlive' }), 50);
  // More than twice the limit.
  await eventually(
    () => performance.now() - openedMs,
    (ms) => ms > 900,
  );
  assert.equal(client.socket.readyState, client.socket.OPEN);
  clearInterval(held);
  assert.equal((await client.closed).code, 1000);
});

test('unknown messages such as Configure are ignored', async () => {
  const client = await new Listening(shared(), RAW).opened();
  client.control({ type: 'Configure', thresholds: { eot_threshold: 0.7 } });
  await client.send(pcm16Bytes(joined(spoken(story(3)), quiet(0.5))));
  client.control({ type: 'Nonsense' });
  client.control({});
  client.control({ type: 'CloseStream' });
  assert.deepEqual(await client.closed, { code: 1000, reason: '' });
  assert.equal(transcriptOf(client.finals), story(3).join(' '));
  assert.ok(client.messages.every(({ type }) => type !== 'Error'));
});

test('a flood of Finalize messages ends the connection', async () => {
  const client = await new Listening(shared(), RAW).opened();
  await client.send(pcm16Bytes(spoken(story(2))));
  for (let count = 0; count < 500; count++) client.control({ type: 'Finalize' });
  assert.equal((await client.closed).code, 1008);
});

test('audio faster than real time gets back-pressure, and none of it is lost', async () => {
  const words = story(300);
  const client = await new Listening(shared(), `${RAW}&interim_results=true`).opened();
  await client.send(pcm16Bytes(spoken(words)), 500_000);
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
  assert.equal(transcriptOf(client.finals), words.join(' '));
});

test('a client that disconnects is recorded with the audio it sent', async (t) => {
  const service = await startService(t);
  const client = await new Listening(service, RAW).opened();
  await client.send(pcm16Bytes(spoken(story(10))));
  client.socket.terminate();
  const [row] = await rowsOnceThere(service, 1);
  assert.equal(row?.status, 'CLIENT_DISCONNECTED');
  assert.ok(row!.audioSeconds > 0);
  await eventually(service.takenSlots, (taken) => taken === 0);
});

test('a plain GET with a key gets the refusal of a handshake, and takes no slot', async () => {
  const service = shared();
  const ask = async (query: string, key = service.key) => {
    const answer = await fetch(`${service.url}/v1/listen?${query}`, { headers: { authorization: `Token ${key}` } });
    return [answer.status, ((await answer.json()) as { err_code: string }).err_code];
  };
  assert.deepEqual(await ask('model=nova-3'), [426, 'Upgrade Required']);
  assert.deepEqual(await ask('model=nova-3', 'fc_wrong'), [401, 'INVALID_AUTH']);
  assert.equal((await fetch(`${service.url}/v1/listen`)).status, 426);
});
