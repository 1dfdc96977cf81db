// Turns on a native stream: opt-in messages in addition to the contract's one result.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Faircopy, FaircopyError, type TurnEvent } from '@faircopy/client';
import { turnMessage } from '@faircopy/contract';
import { WebSocket } from 'ws';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { sharedService } from '../http/service.ts';
import { eventually } from './stream-server.ts';

// The probability that a turn has ended after this many words; 0.95 for all other numbers.
const chances: Readonly<Record<number, number>> = { 3: 0.6, 5: 0.2 };
const turnChance = ({ text }: { readonly text: string }) => chances[text.split(' ').length] ?? 0.95;
const shared = sharedService({ engine: new ScriptedEngine({ slots: 2, turnChance }) });
const client = () => new Faircopy({ baseUrl: shared().url, apiKey: shared().key, retries: 0 });
const text = (count: number, from = 0): string => story(count, from).join(' ');

test('turns continue through pauses and end, and the result joins them', async () => {
  const events: TurnEvent[] = [];
  const stream = client().stream({
    model: 'svc-1.0-lite',
    include: ['raw', 'words'],
    turns: { onEvent: (event) => events.push(event), eagerThreshold: 0.5 },
  });
  const send = async (...parts: Float32Array[]) => {
    const audio = pcm16Bytes(joined(...parts));
    for (let at = 0; at < audio.length; at += 3_200) await stream.send(audio.subarray(at, at + 3_200));
  };
  const until = (event: string) =>
    eventually(
      () => events.at(-1)?.event,
      (last) => last === event,
    );
  await send(quiet(0.3), spoken(story(3)), quiet(0.5));
  await until('probably_ended');
  await send(spoken(story(3, 3)), quiet(0.5));
  await until('ended');
  await send(spoken(story(5, 6)), quiet(0.5));
  const { result, detail } = await stream.finish();
  const steps = events.filter(({ event }) => event !== 'updated');
  assert.deepEqual(
    steps.map(({ event, index }) => `${event} ${index}`),
    ['started 0', 'probably_ended 0', 'resumed 0', 'ended 0', 'started 1', 'ended 1'],
  );
  assert.deepEqual(
    steps.filter(({ event }) => event === 'ended').map(({ transcript }) => transcript),
    [text(6), text(5, 6)],
  );
  assert.ok(steps[3]!.endSeconds > steps[3]!.startSeconds && steps[3]!.endProbability === 0.95);
  assert.equal(result.transcript, text(11));
  assert.equal(detail?.raw, text(11));
  assert.equal(detail?.words?.length, 11);
});

test('the messages match the contract package, and a stream that does not request them gets none', async () => {
  const messagesOf = async (query: string) => {
    const { url, key } = shared();
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite${query}`,
    );
    const messages: { type: string }[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.on('open', () => {
      socket.send(pcm16Bytes(joined(quiet(0.3), spoken(story(4)), quiet(1))));
      socket.send('{"type":"close_stream"}');
    });
    await new Promise((resolve) => socket.on('close', resolve));
    return messages;
  };
  const messages = await messagesOf('&turns=true');
  assert.equal(messages.at(-1)?.type, 'result');
  for (const message of messages.slice(0, -1)) turnMessage.parse(message);
  assert.ok(messages.length >= 3);
  assert.deepEqual(
    (await messagesOf('')).map(({ type }) => type),
    ['result'],
  );
});

test('a stream whose turns were sent is billed when the client ends it with an error', async () => {
  const { url, key } = shared();
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite&turns=true`,
  );
  socket.on('open', () => socket.send(pcm16Bytes(joined(quiet(0.3), spoken(story(4)), quiet(2)))));
  socket.on('message', (data) => {
    if ((JSON.parse(String(data)) as { event?: string }).event === 'ended') socket.send('not a message');
  });
  await new Promise((resolve) => socket.on('close', resolve));
  const [row] = await eventually(
    async () => (await shared().rows()).filter(({ status }) => status === 'INVALID_REQUEST'),
    (rows) => rows.length === 1,
  );
  assert.equal(row?.billedSeconds, 15);
});

test('invalid or contradictory parameters are refused', async () => {
  const refused = async (query: string): Promise<string> => {
    const { url, key } = shared();
    const answer = await fetch(`${url}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite&${query}`);
    assert.equal(answer.status, 400);
    return ((await answer.json()) as { error: { message: string } }).error.message;
  };
  assert.match(await refused('turns=yes'), /"turns" .*true or false/);
  assert.match(await refused('turn_timeout_ms=800'), /needs "turns=true"/);
  assert.match(await refused('turns=true&turn_threshold=1.5'), /0\.5 to 0\.99/);
  assert.match(await refused('turns=true&turn_threshold=0.6&turn_eager_threshold=0.7'), /may not be above/);
  assert.match(await refused('turns=true&speakers=true'), /cannot be combined/);
  const stream = client().stream({ turns: { onEvent: () => undefined, timeoutMs: 10 } });
  await assert.rejects(stream.opened, (thrown) => thrown instanceof FaircopyError && thrown.code === 'INVALID_REQUEST');
});
