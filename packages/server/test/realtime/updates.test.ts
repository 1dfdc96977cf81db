// Updates, commits and clears in the middle of a realtime stream: every text stays with its own item.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { deferred } from '../../src/lib/time/deferred.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { startService } from '../http/service.ts';
import { COMPLETED, DELTA, PCM_16K, Realtime, session, speech } from './realtime.ts';

const COMMITTED = 'input_audio_buffer.committed';
const COMMIT = 'input_audio_buffer.commit';
const CLEAR = 'input_audio_buffer.clear';
const text = (count: number, from = 0): string => story(count, from).join(' ');

/** A session whose recogniser holds every window that it gets before `release`. */
const withHeldWindows = async (t: TestContext, input: object) => {
  const released = deferred<void>();
  const engine = new ScriptedEngine({ slots: 4, before: () => released.promise });
  const client = await new Realtime(await startService(t, { engine })).opened();
  client.send(session({ ...PCM_16K, ...input }));
  await client.until('session.updated');
  const texts = () => client.of(COMPLETED).map(({ transcript }) => transcript);
  const close = async () => {
    client.socket.close();
    await client.closed;
  };
  return { client, engine, release: () => released.resolve(), texts, close };
};

/** Checks items: the next one starts only after a commit, and the deltas of an item are its text unless revised. */
const checkItems = ({ events }: Realtime): void => {
  let open: unknown = null;
  for (const { type, item_id: id } of events) {
    if (type === 'input_audio_buffer.speech_started') {
      assert.equal(open, null);
      open = id;
    }
    if (type === COMMITTED) open = null;
  }
  for (const { item_id, transcript, deltas_revised } of events.filter(({ type }) => type === COMPLETED)) {
    const deltas = events.filter((event) => event.type === DELTA && event.item_id === item_id);
    assert.equal(deltas.map(({ delta }) => delta).join('') !== transcript, deltas_revised === true);
  }
};

test('an update while an item waits for its text: every text stays with its item', async (t) => {
  const { client, release, texts, close } = await withHeldWindows(t, {});
  await client.append(speech(quiet(0.3), spoken(story(5)), quiet(1), spoken(story(3, 5))));
  await client.until('input_audio_buffer.speech_started', 2);
  client.send(session({ transcription: { model: 'gpt-4o-mini-transcribe' } }));
  await client.until('session.updated', 2);
  await client.append(speech(quiet(0.3), spoken(story(4, 8)), quiet(1)));
  release();
  await client.until(COMPLETED, 3);
  assert.deepEqual(texts(), [text(5), text(3, 5), text(4, 8)]);
  checkItems(client);
  const starts = client.of('input_audio_buffer.speech_started').map(({ audio_start_ms }) => Number(audio_start_ms));
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
  );
  await close();
});

test('without turn detection, an update keeps the open item, and a commit after it is not an error', async (t) => {
  const { client, release, texts, close } = await withHeldWindows(t, { turn_detection: null });
  await client.append(speech(spoken(story(4))));
  client.send(session({ transcription: { language: 'en' } }));
  client.send({ type: COMMIT });
  await client.append(speech(quiet(0.3), spoken(story(3, 4))));
  client.send({ type: COMMIT });
  await client.append(speech(spoken(story(2, 7))));
  client.send({ type: COMMIT });
  release();
  await client.until(COMPLETED, 3);
  assert.deepEqual(texts(), [text(4), text(3, 4), text(2, 7)]);
  assert.equal(client.of('error').length, 0);
  await close();
});

test('switching turn detection on completes uncommitted audio, and its own items follow', async (t) => {
  const { client, release, texts, close } = await withHeldWindows(t, { turn_detection: null });
  await client.append(speech(spoken(story(4)), quiet(0.3)));
  client.send(session({ turn_detection: { type: 'server_vad', silence_duration_ms: 300 } }));
  await client.append(speech(quiet(0.3), spoken(story(3, 4)), quiet(1)));
  release();
  await client.until(COMPLETED, 2);
  assert.deepEqual(texts(), [text(4), text(3, 4)]);
  checkItems(client);
  await close();
});

test('a clear discards uncommitted audio, and committed items get their text', async (t) => {
  for (const input of [{}, { turn_detection: null }]) {
    const { client, release, texts, close } = await withHeldWindows(t, input);
    await client.append(speech(quiet(0.3), spoken(story(4))));
    client.send({ type: COMMIT });
    client.send({ type: CLEAR });
    await client.until('input_audio_buffer.cleared');
    await client.append(speech(spoken(story(3, 4))));
    client.send({ type: CLEAR });
    await client.append(speech(quiet(0.3), spoken(story(2, 7))));
    client.send({ type: COMMIT });
    release();
    await client.until(COMPLETED, 2);
    assert.deepEqual(texts(), [text(4), text(2, 7)]);
    checkItems(client);
    await close();
  }
});

test('a commit ends the item before audio that was appended after it', async (t) => {
  for (const input of [{}, { turn_detection: null }]) {
    const { client, engine, release, texts, close } = await withHeldWindows(t, input);
    engine.holdVoices();
    for (const words of [story(4), story(3, 4), story(2, 7)]) {
      await client.append(speech(spoken(words)));
      client.send({ type: COMMIT });
    }
    // Its answer comes after all audio has arrived.
    client.send({ type: 'unknown' });
    await client.until('error');
    engine.release();
    release();
    await client.until(COMPLETED, 3);
    assert.deepEqual(texts(), [text(4), text(3, 4), text(2, 7)]);
    assert.equal(client.of('error').length, 1);
    checkItems(client);
    await close();
  }
});

test('a disconnect stops every input, also those that wait for their text', { timeout: 60_000 }, async (t) => {
  const { client, engine, close } = await withHeldWindows(t, { turn_detection: null });
  for (const language of ['en', 'de', 'fr']) {
    client.send(session({ transcription: { language } }));
    await client.append(speech(spoken(story(2))));
    client.send({ type: COMMIT });
  }
  await engine.until(({ openProbes }) => openProbes === 3);
  await close();
  await engine.until(({ openProbes }) => openProbes === 0);
});

test('a connection waits while many inputs wait for their text, and loses nothing', async (t) => {
  const { client, engine, release, texts, close } = await withHeldWindows(t, { turn_detection: null });
  const words = story(10);
  for (const word of words) {
    await client.append(speech(spoken([word])));
    client.send({ type: COMMIT });
    client.send({ type: CLEAR });
  }
  await engine.until(({ openProbes }) => openProbes > 4);
  release();
  await client.until(COMPLETED, words.length);
  assert.deepEqual(texts(), words);
  await close();
});

test('a flood of commits and clears opens a bounded number of inputs', { timeout: 60_000 }, async (t) => {
  const { client, engine } = await withHeldWindows(t, { turn_detection: null });
  const appended = (samples: Float32Array) => ({
    type: 'input_audio_buffer.append',
    audio: speech(samples).toString('base64'),
  });
  // Later inputs wait for the text of the first. Events that are read together are handled even after a pause.
  const [first, ...later] = Array.from({ length: 30 }, (_, nth) => [
    appended(nth === 0 ? spoken(story(1)) : quiet(0.01)),
    { type: COMMIT },
    { type: CLEAR },
  ]);
  client.sendTogether(first!);
  await client.until('input_audio_buffer.cleared');
  client.sendTogether(later.flat());
  await Promise.race([client.closed, client.until('input_audio_buffer.cleared', 30)]);
  assert.ok(engine.openProbesMax <= 16, `${engine.openProbesMax} inputs`);
  assert.equal(await client.closed, 1008);
  await engine.until(({ openProbes }) => openProbes === 0);
});

test('without turn detection, the deltas of an item follow its commit', async (t) => {
  const { client, engine, release, close } = await withHeldWindows(t, { turn_detection: null });
  release();
  await client.append(speech(spoken(story(5)), quiet(2), spoken(story(4, 5))));
  await engine.until(({ asked }) => asked.some(({ state }) => state === 'answered'));
  client.send({ type: COMMIT });
  const { item_id: id, transcript } = await client.until(COMPLETED);
  assert.equal(transcript, text(9));
  const kinds = client.events.filter(({ item_id }) => item_id === id).map(({ type }) => type);
  assert.deepEqual(
    [kinds[0], ...new Set(kinds.slice(1, -1)), kinds.at(-1)],
    [COMMITTED, DELTA, COMPLETED],
    kinds.join(', '),
  );
  checkItems(client);
  await close();
});

test('a clear also discards uncommitted audio from before an update', async (t) => {
  const { client, release, texts, close } = await withHeldWindows(t, { turn_detection: null });
  await client.append(speech(spoken(story(4))));
  client.send(session({ transcription: { language: 'en' } }));
  await client.append(speech(spoken(story(3, 4))));
  client.send({ type: CLEAR });
  await client.append(speech(spoken(story(2, 7))));
  client.send({ type: COMMIT });
  release();
  await client.until(COMPLETED);
  assert.deepEqual(texts(), [text(2, 7)]);
  checkItems(client);
  await close();
});

test('a clear also discards speech that an update has ended, but turn detection has not committed', async (t) => {
  const { client, engine, release, texts, close } = await withHeldWindows(t, {});
  await client.append(speech(quiet(0.3), spoken(story(2))));
  await client.until('input_audio_buffer.speech_started');
  engine.holdVoices();
  await client.append(speech(spoken(story(2, 2))));
  client.send(session({ transcription: { language: 'en' } }));
  client.send({ type: CLEAR });
  await client.until('input_audio_buffer.cleared');
  engine.release();
  await client.append(speech(quiet(0.3), spoken(story(2, 7)), quiet(1)));
  release();
  await client.until(COMPLETED);
  assert.deepEqual(texts(), [text(2, 7)]);
  assert.equal(client.of(COMMITTED).length, 1);
  await close();
});

test('a commit in silence is answered with an empty item', async (t) => {
  const { client, release, texts, close } = await withHeldWindows(t, {});
  release();
  await client.append(speech(quiet(0.5)));
  client.send({ type: COMMIT });
  await client.until(COMPLETED);
  assert.deepEqual(texts(), ['']);
  assert.equal(client.of(COMMITTED).length, 1);
  await close();
});
