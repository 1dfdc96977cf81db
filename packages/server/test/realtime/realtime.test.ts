// OpenAI's realtime protocol on the wire: turns by silence and by commit, updates in both forms, non-fatal errors.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { rowsOnceThere, sharedService, startService } from '../http/service.ts';
import { COMPLETED, DELTA, PCM_16K, Realtime, session, speech } from './realtime.ts';

const shared = sharedService();

test('silence ends an item: speech_started, speech_stopped, committed, deltas, completed', async () => {
  const client = await new Realtime(shared()).opened();
  const created = await client.until('session.created');
  assert.equal((created.session as { type: string }).type, 'transcription');
  client.send(session({ ...PCM_16K, transcription: { model: 'gpt-4o-transcribe', language: 'en' } }));
  await client.until('session.updated');
  await client.append(speech(quiet(0.3), spoken(story(5)), quiet(1), spoken(story(4, 5)), quiet(1)));
  await client.until(COMPLETED, 2);
  assert.deepEqual(
    client.of(COMPLETED).map(({ transcript }) => transcript),
    [story(5).join(' '), story(4, 5).join(' ')],
  );
  const [first, second] = client.of(COMPLETED);
  const kinds = client.events.filter((event) => event.item_id === first?.item_id).map(({ type }) => type);
  assert.deepEqual(
    kinds.filter((type) => type !== DELTA),
    [
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      COMPLETED,
    ],
  );
  const deltas = client.of(DELTA).filter(({ item_id }) => item_id === first?.item_id);
  assert.equal(deltas.map(({ delta }) => delta).join(''), story(5).join(' '));
  const committed = client.of('input_audio_buffer.committed');
  assert.deepEqual(
    committed.map(({ previous_item_id }) => previous_item_id),
    [null, first?.item_id],
  );
  assert.notEqual(first?.item_id, second?.item_id);
  assert.ok(client.events.every(({ event_id }) => typeof event_id === 'string'));
  client.socket.close();
  await client.closed;
});

test('semantic_vad: an item is a turn, which continues through pauses', async (t) => {
  // A turn has ended after an even number of words.
  const turnChance = ({ text }: { readonly text: string }) => (text.split(' ').length % 2 === 0 ? 0.97 : 0.1);
  const client = await new Realtime(
    await startService(t, { engine: new ScriptedEngine({ slots: 2, turnChance }) }),
  ).opened();
  client.send(session({ ...PCM_16K, turn_detection: { type: 'semantic_vad', eagerness: 'low' } }));
  const updated = await client.until('session.updated');
  assert.deepEqual((updated.session as { audio: { input: { turn_detection: object } } }).audio.input.turn_detection, {
    type: 'semantic_vad',
    eagerness: 'low',
  });
  await client.append(speech(quiet(0.3), spoken(story(3)), quiet(1), spoken(story(3, 3)), quiet(1)));
  const completed = await client.until(COMPLETED);
  assert.equal(completed.transcript, story(6).join(' '));
  assert.deepEqual(
    client.events
      .filter(({ item_id, type }) => item_id === completed.item_id && type !== DELTA)
      .map(({ type }) => type),
    [
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      COMPLETED,
    ],
  );
  client.send(session({ turn_detection: { type: 'semantic_vad', eagerness: 'wild' } }));
  const { error } = await client.until('error');
  assert.equal((error as { param: string }).param, 'session.audio.input.turn_detection.eagerness');
  client.socket.close();
});

test('without turn detection the client commits, and one item contains all earlier audio', async () => {
  const service = shared();
  const before = (await service.rows()).length;
  const client = await new Realtime(service, 'model=gpt-4o-mini-transcribe').opened();
  client.send({
    type: 'transcription_session.update',
    session: { input_audio_format: 'pcm16', input_audio_transcription: { model: 'whisper-1' }, turn_detection: null },
  });
  const updated = await client.until('transcription_session.updated');
  assert.equal((updated.session as { turn_detection: unknown }).turn_detection, null);
  client.send({ type: 'input_audio_buffer.commit', event_id: 'mine' });
  const error = await client.until('error');
  assert.equal((error.error as { code: string }).code, 'input_audio_buffer_commit_empty');
  assert.equal((error.error as { event_id: string }).event_id, 'mine');
  client.send(session({ ...PCM_16K }));
  await client.until('session.updated');
  await client.append(speech(spoken(story(5)), quiet(2), spoken(story(4, 5))));
  client.send({ type: 'input_audio_buffer.commit' });
  const completed = await client.until(COMPLETED);
  assert.equal(completed.transcript, story(9).join(' '));
  assert.equal((completed.usage as { type: string }).type, 'duration');
  assert.equal(client.of('input_audio_buffer.speech_started').length, 0);
  client.socket.close();
  await client.closed;
  const row = (await rowsOnceThere(service, before + 1)).at(-1)!;
  assert.equal(row.status, 'success');
  assert.ok(row.audioSeconds > 4 && row.billedSeconds === 15);
});

test('a commit of the silence after an item that the server ended gets an empty item, not an error', async () => {
  const client = await new Realtime(shared()).opened();
  client.send(session(PCM_16K));
  await client.append(speech(spoken(story(4)), quiet(1.2)));
  assert.equal((await client.until(COMPLETED)).transcript, story(4).join(' '));
  client.send({ type: 'input_audio_buffer.commit' });
  assert.equal((await client.until(COMPLETED, 2)).transcript, '');
  client.send({ type: 'input_audio_buffer.commit' });
  const { error } = await client.until('error');
  assert.equal((error as { code: string }).code, 'input_audio_buffer_commit_empty');
  client.socket.close();
});

test('cleared audio is never transcribed', async () => {
  const client = await new Realtime(shared()).opened();
  client.send(session({ ...PCM_16K, turn_detection: null }));
  await client.append(speech(spoken(story(3))));
  client.send({ type: 'input_audio_buffer.clear' });
  await client.until('input_audio_buffer.cleared');
  await client.append(speech(spoken(story(2, 3))));
  client.send({ type: 'input_audio_buffer.commit' });
  assert.equal((await client.until(COMPLETED)).transcript, story(2, 3).join(' '));
  client.socket.close();
});

test('an invalid event gets an error, and the session continues', async () => {
  const client = await new Realtime(shared()).opened();
  const wrong: [string | object, string][] = [
    ['no json', 'invalid_json'],
    [{ type: 'response.create' }, 'unknown_event'],
    [{ type: 'input_audio_buffer.append', audio: 7 }, 'invalid_value'],
    [session({ format: { type: 'audio/mp3' } }), 'invalid_value'],
    [session({ transcription: { model: 'no-such-model' } }), 'invalid_value'],
    [{ type: 'session.update', session: { type: 'realtime' } }, 'invalid_value'],
    [session({ transcription: { model: 'whisper-1', keywords: [{ toString: 1, valueOf: 1 }] } }), 'invalid_value'],
  ];
  for (const [event, code] of wrong) {
    const count = client.of('error').length;
    if (typeof event === 'string') client.socket.send(event);
    else client.send(event);
    const { error } = await client.until('error', count + 1);
    assert.equal((error as { code: string }).code, code, JSON.stringify(event));
  }
  client.send(session(PCM_16K));
  await client.until('session.updated');
  client.socket.close();
});

test('faulty audio events count as control events, and a large one ends the connection at once', {
  timeout: 60_000,
}, async () => {
  const many = await new Realtime(shared()).opened();
  for (let count = 0; count < 500; count++) many.send({ type: 'input_audio_buffer.append', audio: 7 });
  assert.equal(await many.closed, 1008);
  const large = await new Realtime(shared()).opened();
  large.send({ type: 'input_audio_buffer.append', event_id: 'x'.repeat(8 * 1024 * 1024), audio: 7 });
  assert.equal(await large.closed, 1008);
  assert.ok(large.events.every((event) => JSON.stringify(event).length < 10_000));
});

test('an event id is echoed only if it is short', async () => {
  const client = await new Realtime(shared()).opened();
  for (const [length, isEchoed] of [
    [512, true],
    [513, false],
  ] as const) {
    const id = 'x'.repeat(length);
    client.send({ type: 'input_audio_buffer.commit', event_id: id });
    const { error } = await client.until('error', isEchoed ? 1 : 2);
    assert.equal((error as { event_id: string | null }).event_id, isEchoed ? id : null);
  }
  client.socket.close();
});

test('the usage row names the model that transcribed most of the audio', async (t) => {
  const service = await startService(t);
  const client = await new Realtime(service, 'model=gpt-4o-mini-transcribe').opened();
  client.send(session({ ...PCM_16K, transcription: { model: 'svc-1.0-lite' }, turn_detection: null }));
  await client.append(speech(spoken(story(5))));
  client.send({ type: 'input_audio_buffer.commit' });
  await client.until(COMPLETED);
  client.send(session({ transcription: { model: 'svc-1.0-max' } }));
  await client.until('session.updated', 2);
  client.socket.close();
  await client.closed;
  assert.equal((await rowsOnceThere(service, 1))[0]?.model, 'svc-1.0-lite');
});

test('a flood of updates ends the connection', async () => {
  const client = await new Realtime(shared()).opened();
  for (let count = 0; count < 500; count++) client.send(session(PCM_16K));
  assert.equal(await client.closed, 1008);
});
