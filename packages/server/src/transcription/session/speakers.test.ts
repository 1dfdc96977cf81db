import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../../lib/fault.ts';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken } from '../../speech/testing/tones.ts';
import { openCollected } from '../collected-session.ts';
import type { TranscriptionService } from '../service.ts';
import type { SpeakerNames } from '../speakers/speaker-names.ts';
import type { ChangedSpeakers, Final, SessionRequest, Transcript } from '../transcriber.ts';
import { REQUEST, scriptedService, writeAll } from './testing/scripted-session.ts';

/** Low tones are one voice, high tones another. */
const ANNA = 'apple bridge candle desk engine forest garden harbour'.split(' ');
const BEN = 'quarry river saddle table umbrella valley window yard'.split(' ');
const dialogue = joined(spoken(ANNA), quiet(0.8), spoken(BEN), quiet(0.8), spoken(ANNA.slice(0, 4)), quiet(0.5));
const VOICES = [...ANNA.map(() => 0), ...BEN.map(() => 1), 0, 0, 0, 0];

const setUp = () => {
  const engine = new ScriptedEngine({ slots: 2 });
  const service = scriptedService(engine);
  const transcribe = async (samples: Float32Array, request: Partial<SessionRequest> = {}): Promise<Transcript> => {
    const session = openCollected(service, { ...REQUEST, ...request });
    await writeAll(session, samples);
    return session.finish();
  };
  return { engine, service, transcribe };
};

const labelsOf = ({ words }: Pick<Transcript, 'words'>) => words.map(({ speaker }) => speaker?.speaker ?? null);
const without = <Text extends { readonly speaker?: unknown }>(texts: readonly Text[]) =>
  texts.map(({ speaker: _, ...text }) => text);

test('every word gets its speaker; text, words and segments are the same as without speakers', async (t) => {
  const { engine, service, transcribe } = setUp();
  t.after(() => service.close());
  for (const wantWordTimes of [true, false]) {
    const plain = await transcribe(dialogue, { wantWordTimes });
    const found = await transcribe(dialogue, { wantWordTimes, speakers: {} });
    assert.deepEqual(labelsOf(found), VOICES);
    assert.equal(found.speakers?.speakers.length, 2);
    assert.ok(found.segments.every(({ speaker }) => speaker !== undefined));
    assert.equal(found.text, plain.text);
    assert.deepEqual(without(found.segments), plain.segments);
    if (wantWordTimes) assert.deepEqual(without(found.words), plain.words);
    assert.equal(plain.speakers, undefined);
  }
  // Two of the four requests asked for speakers, under the account they belong to.
  assert.deepEqual(engine.speakers.owners, ['a1', 'a1']);
});

test('a given speaker count is kept, and names come from the voices', async (t) => {
  const { service, transcribe } = setUp();
  t.after(() => service.close());
  const { speakers: one } = await transcribe(dialogue, { speakers: { count: 1 } });
  assert.equal(one?.speakers.length, 1);
  const names: SpeakerNames = {
    name: ({ speakers }) =>
      speakers.map(({ embedding }) => (embedding[1]! > 0.9 ? { name: 'Anna', isSure: true } : null)),
  };
  const { speakers } = await transcribe(dialogue, { speakers: { names } });
  assert.deepEqual(
    speakers?.speakers.map(({ name, isNameSure }) => [name, isNameSure]),
    [
      ['Anna', true],
      [null, false],
    ],
  );
});

test('silence has no speakers, one word has at most one, and a job has an owner of its own', async (t) => {
  const { engine, service, transcribe } = setUp();
  t.after(() => service.close());
  for (const samples of [new Float32Array(0), quiet(0.1), quiet(12)]) {
    const { speakers, words } = await transcribe(samples, { speakers: {} });
    assert.deepEqual([speakers?.speakers, speakers?.turns, words], [[], [], []]);
  }
  const word = joined(quiet(0.5), spoken(['apple']), quiet(0.5));
  const { speakers } = await transcribe(word, { speakers: {}, isBackground: true });
  assert.ok(speakers && speakers.speakers.length <= 1);
  assert.equal(engine.speakers.owners.at(-1), 'jobs of a1');
});

test('without the models a recording fails with 503, and a live stream continues without speakers', async (t) => {
  const { engine, service, transcribe } = setUp();
  t.after(() => service.close());
  engine.speakers.failure = new RecogniserUnavailable('no models');
  await assert.rejects(
    transcribe(dialogue, { speakers: {} }),
    (thrown) => thrown instanceof Fault && thrown.code === 'SERVICE_UNAVAILABLE',
  );
  const { finals } = await live(service, dialogue);
  assert.equal(
    finals
      .map(({ transcript }) => transcript.text)
      .join(' ')
      .trim()
      .split(/\s+/).length,
    VOICES.length,
  );
  assert.ok(finals.every(({ transcript }) => transcript.speakers === undefined));
});

const live = async (service: TranscriptionService, samples: Float32Array) => {
  const finals: Final[] = [];
  const changes: ChangedSpeakers[] = [];
  const finalPolicy = { kind: 'utterances', endpointingMs: 300, wantInterims: false } as const;
  const request = { ...REQUEST, mode: 'stream', speakers: {}, finals: finalPolicy } as const;
  const session = service.open(request, (event) => {
    if (event.type === 'final') finals.push(event.final);
    if (event.type === 'speakers_changed') changes.push(event.changed);
  });
  await writeAll(session, samples, 1_600);
  await session.finish();
  return { finals: finals.filter(({ transcript }) => transcript.text !== ''), changes };
};

test('each final of a live stream has its speakers at once', async (t) => {
  const { service } = setUp();
  t.after(() => service.close());
  const { finals, changes } = await live(service, dialogue);
  assert.deepEqual(
    finals.map(({ transcript }) => [...new Set(labelsOf(transcript))]),
    [[0], [1], [0]],
  );
  assert.deepEqual(changes, []);
});
