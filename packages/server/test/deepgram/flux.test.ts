// Deepgram's turn-based endpoint on the wire, with its own client, and with an agent that answers when a turn ends.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition, SpeechWindow } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { rowsOnceThere, type Service, sharedService } from '../http/service.ts';
import { client5 } from './clients.ts';
import { Listening, type Message } from './listening.ts';

const RAW = 'model=flux-general-en&encoding=linear16&sample_rate=16000';
/** A turn has certainly ended after an even number of words; after an odd number it may have. */
const turnChance = ({ text }: { readonly text: string }) => (text.split(' ').length % 2 === 0 ? 0.95 : 0.85);
/** The term "Tango" is heard as the first word of a window. */
const withTerms = ({ vocabulary }: SpeechWindow, recognition: Recognition): Recognition =>
  vocabulary.some(({ text }) => text === 'Tango')
    ? { ...recognition, text: recognition.text.replace(/^\S+/u, 'Tango') }
    : recognition;
const engine = new ScriptedEngine({ slots: 2, turnChance, answer: withTerms });
const shared = sharedService({ engine });

const listen = (query = RAW, service: Service = shared()) =>
  new Listening(service, query, {}, undefined, '/v2/listen').opened();
const turnsOf = (messages: readonly Message[]) => messages.filter(({ type }) => type === 'TurnInfo');
const eventsOf = (messages: readonly Message[]) =>
  turnsOf(messages)
    .map(({ event }) => event)
    .filter((event) => event !== 'Update');
const hears =
  (event: string, count = 1) =>
  (messages: readonly Message[]) =>
    messages.filter((message) => message.event === event).length >= count;

test('a turn continues through pauses, and ends when it has probably ended', async () => {
  const service = shared();
  const before = (await service.rows()).length;
  const client = await listen(`${RAW}&eager_eot_threshold=0.4&eot_threshold=0.8`);
  await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(3)), quiet(1))));
  await client.until(hears('EagerEndOfTurn'));
  await client.send(pcm16Bytes(joined(spoken(story(3, 3)), quiet(1))));
  await client.until(hears('EndOfTurn'));
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
  assert.deepEqual(eventsOf(client.messages), ['StartOfTurn', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn']);
  const turns = turnsOf(client.messages);
  const end = turns.at(-1)!;
  assert.equal(end.transcript, story(6).join(' '));
  assert.equal((end.words as unknown[]).length, 6);
  assert.ok((end.end_of_turn_confidence as number) >= 0.8);
  assert.ok(turns.every(({ turn_index }) => turn_index === 0));
  assert.deepEqual(
    client.messages.map(({ sequence_id }) => sequence_id),
    client.messages.map((_, at) => at),
  );
  assert.equal(client.messages[0]?.type, 'Connected');
  assert.equal((await rowsOnceThere(service, before + 1)).at(-1)?.status, 'success');
});

test('a time-out always ends a turn, Configure changes it, and changes of fixed settings are refused', async () => {
  const client = await listen(`${RAW}&eot_timeout_ms=10000`);
  await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(3)), quiet(1))));
  await client.until(hears('StartOfTurn'));
  client.control({ type: 'Configure', thresholds: { eot_timeout_ms: 600 } });
  client.control({ type: 'Configure', thresholds: { eot_threshold: 2 } });
  client.control({ type: 'Configure', encoding: 'mulaw' });
  await client.until((messages) => messages.filter(({ type }) => type === 'ConfigureFailure').length === 2);
  const [configured] = client.messages.filter(({ type }) => type === 'ConfigureSuccess');
  assert.deepEqual(configured?.thresholds, { eot_threshold: 0.7, eot_timeout_ms: 600 });
  await client.send(pcm16Bytes(quiet(0.5)));
  await client.until(hears('EndOfTurn'));
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
});

test('Configure changes the terms for later speech', async () => {
  const client = await listen();
  const finalTexts = () =>
    turnsOf(client.messages)
      .filter(({ event }) => event === 'EndOfTurn')
      .map(({ transcript }) => String(transcript).split(' ')[0]);
  const say = async (turn: number) => {
    await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(4, 4 * turn)), quiet(1))));
    client.control({ type: 'ForceEndTurn' });
    await client.until(hears('EndOfTurn', turn + 1));
  };
  const answers = (type: string, count: number) => (messages: readonly Message[]) =>
    messages.filter((message) => message.type === type).length >= count;
  await say(0);
  client.control({ type: 'Configure', keyterms: ['Tango', 'etcd'] });
  await client.until(answers('ConfigureSuccess', 1));
  assert.deepEqual(client.messages.at(-1)?.keyterms, ['Tango', 'etcd']);
  await say(1);
  client.control({ type: 'Configure', keyterms: [] });
  await client.until(answers('ConfigureSuccess', 2));
  await say(2);
  assert.deepEqual(finalTexts(), [story(1)[0], 'Tango', story(1, 8)[0]]);
  client.control({ type: 'Configure', keyterms: Array.from({ length: 2_000 }, (_, at) => `term ${at}`) });
  client.control({ type: 'Configure', keyterms: ['x'.repeat(10_000)] });
  await client.until(answers('ConfigureFailure', 2));
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
});

test('ForceEndTurn and CloseStream end the turn with what was said', async () => {
  const client = await listen();
  await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(3)))));
  client.control({ type: 'ForceEndTurn' });
  await client.until(hears('EndOfTurn'));
  await client.send(pcm16Bytes(joined(quiet(0.5), spoken(story(3, 3)))));
  client.control({ type: 'CloseStream' });
  assert.equal((await client.closed).code, 1000);
  const ends = turnsOf(client.messages).filter(({ event }) => event === 'EndOfTurn');
  assert.deepEqual(
    ends.map(({ transcript, turn_index }) => [transcript, turn_index]),
    [
      [story(3).join(' '), 0],
      [story(3, 3).join(' '), 1],
    ],
  );
});

test('wrong parameters are refused before the upgrade, and wrong messages end the stream with an error', async () => {
  for (const query of [
    `${RAW}&eot_threshold=0.2`,
    `${RAW}&eager_eot_threshold=0.8&eot_threshold=0.6`,
    `${RAW}&eot_timeout_ms=1`,
  ]) {
    const refused = new Listening(shared(), query, {}, undefined, '/v2/listen');
    const status = await new Promise((resolve) =>
      refused.socket.on('unexpected-response', (_, response) => resolve(response.statusCode)),
    );
    assert.equal(status, 400);
  }
  const client = await listen();
  client.control('not JSON');
  await client.closed;
  assert.equal(client.messages.at(-1)?.type, 'Error');
});

test('language hints reach recognition, and the English model never detects a language', async () => {
  const askedFor = async (query: string) => {
    const client = await listen(query);
    await client.send(pcm16Bytes(joined(quiet(0.3), spoken(story(2)), quiet(1))));
    await client.until(hears('EndOfTurn'));
    const { languageHint, languages } = engine.asked.at(-1)!.window;
    client.control({ type: 'CloseStream' });
    await client.closed;
    return { languageHint, languages };
  };
  const multi = RAW.replace('-en', '-multi');
  assert.deepEqual(await askedFor(RAW), { languageHint: null, languages: ['en'] });
  assert.deepEqual(await askedFor(`${multi}&language_hint=de&language_hint=en`), {
    languageHint: null,
    languages: ['de', 'en'],
  });
  assert.deepEqual(await askedFor(`${multi}&language_hint=de`), { languageHint: 'de', languages: undefined });
});

test('options without effect are listed when the stream opens', async () => {
  const { messages, closed, ...client } = await listen(`${RAW}&diarize=true&search=Tango&tag=a`);
  assert.deepEqual(
    (messages[0]!.warnings as { parameter: string }[]).map(({ parameter }) => parameter),
    ['diarize', 'search'],
  );
  client.socket.close();
  await closed;
});

test('SDK 5: the v2 socket, from Connected to EndOfTurn', async () => {
  const socket = await client5(shared()).listen.v2.connect({
    model: 'flux-general-en',
    encoding: 'linear16',
    sample_rate: 16_000,
    eot_threshold: 0.8,
  } as never);
  const messages: Message[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('message', (message) => {
      messages.push(message as never);
      if ((message as never as Message).event === 'EndOfTurn') resolve();
    });
  });
  const closed = new Promise<{ code: number }>((resolve) => socket.on('close', (event) => resolve(event as never)));
  socket.connect();
  await socket.waitForOpen();
  const pcm = pcm16Bytes(joined(quiet(0.3), spoken(story(4)), quiet(1)));
  for (let at = 0; at < pcm.length; at += 3_200) socket.sendMedia(pcm.subarray(at, at + 3_200) as never);
  await ended;
  socket.sendCloseStream({ type: 'CloseStream' } as never);
  assert.equal((await closed).code, 1000);
  assert.deepEqual(eventsOf(messages), ['StartOfTurn', 'EndOfTurn']);
  assert.equal(turnsOf(messages).at(-1)?.transcript, story(4).join(' '));
});

test('an agent that answers at EndOfTurn and stops at StartOfTurn is never interrupted by a late event', async () => {
  const client = await listen(`${RAW}&eager_eot_threshold=0.4&eot_threshold=0.8`);
  const said: string[] = [];
  let state: 'listening' | 'preparing' | 'answering' = 'listening';
  let interruptions = 0;
  let read = 0;
  const follow = () => {
    for (const { event, transcript, turn_index } of turnsOf(client.messages).slice(read)) {
      read += 1;
      if (event === 'StartOfTurn' && state === 'answering') interruptions += 1;
      if (event === 'StartOfTurn' || event === 'TurnResumed') state = 'listening';
      if (event === 'EagerEndOfTurn') state = 'preparing';
      if (event === 'Update') assert.notEqual(state, 'answering', 'no update belongs to a turn that has ended');
      if (event !== 'EndOfTurn') continue;
      said.push(String(transcript));
      assert.equal(turn_index, said.length - 1);
      state = 'answering';
    }
  };
  for (const [index, words] of [story(3), story(1, 3), story(2, 4), story(6, 6)].entries()) {
    await client.send(pcm16Bytes(joined(quiet(0.2), spoken(words), quiet(1))));
    // An odd number of words does not end a turn: the speaker continues.
    await client.until(index === 0 ? hears('EagerEndOfTurn') : hears('EndOfTurn', index));
    follow();
    // While the agent answers, the caller is silent.
    if (index > 0) await client.send(pcm16Bytes(quiet(1)));
  }
  client.control({ type: 'CloseStream' });
  await client.closed;
  follow();
  assert.deepEqual(said, [story(4).join(' '), story(2, 4).join(' '), story(6, 6).join(' ')]);
  assert.equal(interruptions, 2, 'only the caller interrupts, by speaking');
});
