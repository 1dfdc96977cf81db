// Recorded sessions of clients, replayed: every answer is compared, in its order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import test from 'node:test';
import { WebSocket } from 'ws';
import { FrameParser } from '../../src/endpoints/wyoming/frames.ts';
import { type Service, sharedService } from '../http/service.ts';
import { golden, startWyoming } from '../wyoming/golden.ts';
import { FIRST_WORDS, type Message, phrasesAt, RECORDINGS, type Recording, ShownMessages } from './recording.ts';

const shared = sharedService();

/** Messages in the order of their arrival. */
class Inbox<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;

  put(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  async next(): Promise<Item> {
    while (this.#items.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#items.shift()!;
  }
}

const replay = async ({ path, rateHz, steps }: Recording, { url, key }: Service): Promise<void> => {
  const audio = Buffer.concat(phrasesAt(rateHz));
  let sent = 0;
  const take = (bytes: number): Buffer => {
    sent += bytes;
    assert.ok(sent <= audio.length, 'the recording sends no more audio than there is');
    return audio.subarray(sent - bytes, sent);
  };
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const shown = new ShownMessages();
  const inbox = new Inbox<{ readonly message: Message } | { readonly close: number }>();
  socket.on('message', (data) => {
    const message = shown.show(JSON.parse(String(data)));
    if (message) inbox.put({ message });
  });
  socket.on('close', (close) => inbox.put({ close }));
  await once(socket, 'open');
  for (const step of steps) {
    if ('expect' in step) assert.deepEqual(await inbox.next(), { message: step.expect });
    else if ('audio' in step) for (let at = 0; at < step.times; at++) socket.send(take(step.audio));
    else if ('skipped' in step) take(step.skipped);
    else if ('send' in step)
      for (let at = 0; at < step.times; at++) {
        const { audio: bytes } = step.send;
        const part = typeof bytes === 'number' ? { audio: take(bytes).toString('base64') } : {};
        socket.send(JSON.stringify({ ...step.send, ...part }));
      }
    else if (step.close === 'client') socket.close();
    else assert.deepEqual(await inbox.next(), { close: step.close });
  }
  assert.ok(audio.length - sent < rateHz, 'the recording sends all of the audio');
};

const recordings = readdirSync(RECORDINGS).map(
  (name): Recording => JSON.parse(readFileSync(new URL(name, RECORDINGS), 'utf8')),
);

test('there is a recording of every client', () => {
  const clients = recordings.map(({ client }) => client.replace(/,? .*/u, ''));
  const all = [
    '@deepgram/sdk',
    '@livekit/agents-plugin-deepgram',
    '@livekit/agents-plugin-openai',
    'openai',
    'pipecat-ai',
  ];
  assert.deepEqual([...new Set(clients)].sort(), all);
});

for (const recording of recordings) test(recording.client, () => replay(recording, shared()));

test('Wyoming, as Home Assistant sends it', async (t) => {
  const { wyomingPort } = await startWyoming(t);
  const socket = connect(wyomingPort, '127.0.0.1');
  await once(socket, 'connect');
  const parser = new FrameParser();
  const inbox = new Inbox<readonly [string, unknown]>();
  socket.on('data', (chunk) => {
    for (const { type, data } of parser.push(chunk)) inbox.put([type, type === 'info' ? {} : data]);
  });
  const format = '{"rate": 16000, "width": 2, "channels": 1}';
  const [phrase] = phrasesAt(16_000);
  socket.write(golden('describe'));
  assert.deepEqual(await inbox.next(), ['info', {}]);
  socket.write(golden('transcribe', '{"language": "en"}'));
  socket.write(golden('audio-start', format));
  for (let at = 0; at < phrase.length; at += 2_048)
    socket.write(golden('audio-chunk', format, phrase.subarray(at, at + 2_048)));
  socket.write(golden('audio-stop'));
  assert.deepEqual(await inbox.next(), ['transcript', { text: FIRST_WORDS.join(' '), language: 'en' }]);
  socket.destroy();
});
