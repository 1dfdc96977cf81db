// The message sequence of Pipecat's Deepgram service: KeepAlive, audio, Finalize when its own detector finds the end.
import assert from 'node:assert/strict';
import test from 'node:test';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { sharedService } from '../http/service.ts';
import { Listening, type Message, type Results, transcriptOf } from './listening.ts';

const QUERY =
  'model=nova-3-general&language=en&encoding=linear16&sample_rate=16000&channels=1&interim_results=true' +
  '&smart_format=false&punctuate=true&profanity_filter=true&vad_events=false';
const shared = sharedService();

test('Pipecat: each turn is finalized by the client, and its text arrives with from_finalize', async () => {
  const client = await new Listening(shared(), QUERY).opened();
  client.control({ type: 'KeepAlive' });
  for (const [index, words] of [story(4), story(5, 4)].entries()) {
    await client.send(pcm16Bytes(joined(quiet(0.2), spoken(words), quiet(0.2))));
    client.control({ type: 'Finalize' });
    const isFinalized = ({ from_finalize }: Message) => from_finalize === true;
    await client.until((messages) => messages.filter(isFinalized).length === index + 1);
    client.control({ type: 'KeepAlive' });
    await client.send(pcm16Bytes(quiet(1)));
  }
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
  const spokenFinals = client.finals.filter((final) => transcriptOf([final]) !== '');
  assert.deepEqual(
    spokenFinals.map((final: Results) => [transcriptOf([final]), final.from_finalize]),
    [
      [story(4).join(' '), true],
      [story(5, 4).join(' '), true],
    ],
  );
  assert.ok(client.results.some(({ is_final }) => !is_final));
});
