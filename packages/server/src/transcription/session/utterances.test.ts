import assert from 'node:assert/strict';
import test from 'node:test';
import type { Refiner } from '../../refine/refiner.ts';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import type { Final } from '../transcriber.ts';
import { openLive, textOf } from './testing/live-session.ts';
import { speakInto } from './testing/scripted-session.ts';

const assertTiles = (finals: readonly Final[], totalMs: number): void => {
  let endMs = 0;
  for (const final of finals) {
    assert.equal(final.startMs, endMs);
    endMs = final.endMs;
  }
  assert.equal(endMs, totalMs);
};

test('each utterance becomes one final, finals tile the stream, and the last one reaches its end', async () => {
  const live = openLive();
  const audio = joined(quiet(1), spoken(story(3)), quiet(1), spoken(story(4, 3)), quiet(2));
  await speakInto(live.session, audio);
  await live.session.finish();
  const said = live.finals.filter(({ transcript }) => transcript.text !== '');
  assert.deepEqual(
    said.map(({ transcript, endedBy }) => [transcript.text, endedBy]),
    [
      [story(3).join(' '), 'endpoint'],
      [story(4, 3).join(' '), 'endpoint'],
    ],
  );
  assert.equal(live.finals.at(-1)?.endedBy, 'end');
  assertTiles(live.finals, audio.length / 16);
  assert.deepEqual(
    live.summaries.map(({ detectedLanguage }) => detectedLanguage),
    ['en'],
  );
  assert.equal(live.started.length, 2);
  assert.equal(live.ended.length, 2);
  assert.ok(Math.abs(live.started[0]! - 1_000) < 100, String(live.started[0]));
});

test('word times are relative to the start of the stream', async () => {
  const live = openLive();
  await speakInto(live.session, joined(quiet(2), spoken(story(2)), quiet(1), spoken(story(2, 2)), quiet(1)));
  await live.session.finish();
  const starts = live.finals.flatMap(({ transcript }) =>
    transcript.words.map(({ startMs }) => Math.round(startMs / 40)),
  );
  assert.deepEqual(starts, [50, 59, 93, 102]);
});

test('flush ends the utterance in the middle of speech, and is answered in silence, too', async () => {
  const live = openLive({ wantInterims: true });
  await speakInto(live.session, joined(quiet(0.5), spoken(story(4))));
  await live.session.flush();
  assert.equal(live.finals.length, 1);
  assert.equal(live.finals[0]?.endedBy, 'flush');
  assert.equal(live.finals[0]?.transcript.text, story(4).join(' '));
  await live.session.flush();
  assert.equal(live.finals.length, 2);
  assert.equal(live.finals[1]?.transcript.text, '');
  await speakInto(live.session, joined(spoken(story(3, 4)), quiet(1)));
  await live.session.finish();
  assert.equal(textOf(live.finals), story(7).join(' '));
});

test('an utterance ends before its endpoint when its turn has probably ended', async () => {
  const audio = joined(quiet(0.5), spoken(story(4)), quiet(0.25));
  for (const [chance, finals] of [
    [0.9, 1],
    [0.1, 0],
  ] as const) {
    const turns = { end: 0.7, eagerEnd: null, timeoutMs: 3_000 };
    const live = openLive({ endpointingMs: 1_000, turns }, new ScriptedEngine({ slots: 2, turnChance: () => chance }));
    await speakInto(live.session, audio);
    for (let rounds = 0; rounds < 200; rounds++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(live.finals.length, finals, `chance ${chance}`);
    await live.session.finish();
    assert.equal(textOf(live.finals), story(4).join(' '));
  }
});

test('full stops after short pauses are checked, but the end of a turn does not wait for that', async () => {
  const turns = { end: 0.7, eagerEnd: null, timeoutMs: 3_000 };
  for (const [options, isChecked] of [
    [{}, true],
    [{ endpointingMs: 1_000 }, undefined],
    [{ turns }, undefined],
  ] as const) {
    const live = openLive(options);
    await speakInto(live.session, joined(quiet(0.5), spoken(story(4)), quiet(1.5)));
    await live.session.finish();
    const checks = live.engine.asked.map(({ window }) => window.endsAtShortPause);
    assert.deepEqual(new Set(checks), new Set([isChecked]));
  }
});

test('an utterance without pauses is cut before it is too long, and no word is lost', async () => {
  const live = openLive();
  const words = story(100);
  await speakInto(live.session, joined(quiet(0.3), spoken(words), quiet(1)));
  await live.session.finish();
  assert.ok(live.finals.length > 2);
  assert.equal(textOf(live.finals), words.join(' '));
  for (const { startMs, endMs } of live.finals) assert.ok(endMs - startMs <= 21_000);
  assert.ok(live.finals.some(({ endedBy }) => endedBy === 'length'));
});

test('finals are emitted in order, even if a later one is recognised first', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const engine = new ScriptedEngine({ slots: 2, before: (_job, nth) => (nth === 0 ? held : undefined) });
  const live = openLive({}, engine);
  await speakInto(live.session, joined(spoken(story(2)), quiet(1), spoken(story(2, 2)), quiet(1)));
  await engine.until(({ asked }) => asked.filter(({ state }) => state === 'answered').length >= 1);
  assert.equal(live.finals.length, 0);
  release();
  await live.session.finish();
  assert.equal(textOf(live.finals), story(4).join(' '));
});

test('a recogniser that fails ends the session with a fault, and nothing is left open', async () => {
  const engine = new ScriptedEngine({
    before: () => {
      throw new Error('broken');
    },
  });
  const live = openLive({}, engine);
  await assert.rejects(async () => {
    await speakInto(live.session, joined(spoken(story(2)), quiet(1)));
    await live.session.finish();
  });
  assert.equal(engine.openProbes, 0);
});

test('cancelling stops everything at once', async () => {
  const engine = new ScriptedEngine();
  engine.hold();
  const live = openLive({ wantInterims: true }, engine);
  await speakInto(live.session, joined(spoken(story(6)), quiet(0.5)));
  live.session.cancel();
  await engine.until(({ running }) => running === 0);
  assert.equal(engine.openProbes, 0);
  assert.equal(live.finals.length, 0);
  await assert.rejects(live.session.write(quiet(0.1)));
});

test('a final is recognised with the utterance before it, and emits only its own words', async () => {
  const live = openLive({ wantWordTimes: false });
  await speakInto(live.session, joined(spoken(story(4)), quiet(1), spoken(story(4, 4)), quiet(1)));
  await live.session.finish();
  const said = live.finals.flatMap(({ transcript }) => (transcript.text === '' ? [] : [transcript]));
  assert.deepEqual(
    said.map(({ text }) => text),
    [story(4).join(' '), story(4, 4).join(' ')],
  );
  // Word times that only the cut needs are not emitted.
  assert.ok(said.every(({ words }) => words.length === 0));
  const [first, second] = live.engine.asked.map(({ window }) => window) as [SpeechWindow, SpeechWindow];
  assert.ok(second.samples.length > 1.5 * first.samples.length);
  assert.equal(second.draft, story(4).join(' '));
});

test('an utterance that is lost in the reading with its run-up is read again alone', async () => {
  const answer = (_job: SpeechWindow, recognition: Recognition) =>
    recognition.words.length > 4
      ? { ...recognition, text: story(4).join(' '), words: recognition.words.slice(0, 4) }
      : recognition;
  const live = openLive({}, new ScriptedEngine({ slots: 2, answer }));
  await speakInto(live.session, joined(spoken(story(4)), quiet(1), spoken(story(4, 4)), quiet(1)));
  await live.session.finish();
  assert.equal(textOf(live.finals), story(8).join(' '));
  assert.equal(live.engine.asked.length, 3);
});

test('every final is refined at the requested level', async () => {
  const levels: unknown[] = [];
  const refiner: Refiner = {
    refine(input, signal) {
      levels.push(input.level);
      return passthroughRefiner.refine(input, signal);
    },
  };
  const live = openLive({ refinement: 'light' }, undefined, refiner);
  await speakInto(live.session, joined(spoken(story(3)), quiet(1), spoken(story(4, 3)), quiet(1)));
  await live.session.finish();
  assert.deepEqual(levels, ['light', 'light']);
});
