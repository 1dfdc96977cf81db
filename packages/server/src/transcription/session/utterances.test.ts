import assert from 'node:assert/strict';
import test from 'node:test';
import type { Refiner } from '../../refine/refiner.ts';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { TranscriptionService } from '../service.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import type { Final, FinalPolicy, Interim, SessionRequest, SessionSummary } from '../transcriber.ts';

const REQUEST: SessionRequest = {
  requestId: 'r1',
  accountId: 'a1',
  mode: 'stream',
  model: 'svc-1.0-lite',
  languageHint: undefined,
  vocabulary: [],
  wantWordTimes: true,
  waitingSecondsMax: 1_000,
};

type LiveWishes = Partial<SessionRequest & Omit<Extract<FinalPolicy, { kind: 'utterances' }>, 'kind'>>;

/** A live session on a scripted engine, and everything it has emitted. */
const openLive = (
  { endpointingMs = 300, wantInterims = false, ...request }: LiveWishes = {},
  engine = new ScriptedEngine({ slots: 2 }),
  refiner: Refiner = passthroughRefiner,
) => {
  const service = new TranscriptionService({
    engine,
    refinementStage: new InlineRefinementStage(refiner),
    recognitionTimeoutMs: 10_000,
    refinementTimeoutMs: 10_000,
    graceMs: 0,
  });
  const finals: Final[] = [];
  const interims: Interim[] = [];
  const started: number[] = [];
  const ended: number[] = [];
  const summaries: SessionSummary[] = [];
  const policy = { kind: 'utterances', endpointingMs, wantInterims } as const;
  const session = service.open({ ...REQUEST, ...request, finals: policy }, (event) => {
    if (event.type === 'final') finals.push(event.final);
    if (event.type === 'interim') interims.push(event.interim);
    if (event.type === 'speech_started') started.push(event.atMs);
    if (event.type === 'speech_ended') ended.push(event.atMs);
    if (event.type === 'done') summaries.push(event.summary);
  });
  return { session, engine, finals, interims, started, ended, summaries };
};

/** Writes in pieces of 100 ms, as a microphone would. */
const writeAll = async ({ session }: Pick<ReturnType<typeof openLive>, 'session'>, samples: Float32Array) => {
  for (let at = 0; at < samples.length; at += 1_600) {
    await session.write(samples.subarray(at, at + 1_600));
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const textOf = (finals: readonly Final[]): string =>
  finals.flatMap(({ transcript }) => transcript.text || []).join(' ');

const assertTiles = (finals: readonly Final[], totalMs: number): void => {
  let endMs = 0;
  for (const final of finals) {
    assert.equal(final.startMs, endMs);
    endMs = final.endMs;
  }
  assert.equal(endMs, totalMs);
};

test('each utterance becomes one final, finals tile the stream, and the last one reaches to its end', async () => {
  const live = openLive();
  const audio = joined(quiet(1), spoken(story(3)), quiet(1), spoken(story(4, 3)), quiet(2));
  await writeAll(live, audio);
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

test('times of words are times of the stream', async () => {
  const live = openLive();
  await writeAll(live, joined(quiet(2), spoken(story(2)), quiet(1), spoken(story(2, 2)), quiet(1)));
  await live.session.finish();
  const starts = live.finals.flatMap(({ transcript }) =>
    transcript.words.map(({ startMs }) => Math.round(startMs / 40)),
  );
  assert.deepEqual(starts, [50, 59, 93, 102]);
});

test('without a wish for interims nothing is read twice', async () => {
  const live = openLive();
  await writeAll(live, joined(quiet(0.5), spoken(story(12)), quiet(1)));
  await live.session.finish();
  assert.equal(live.interims.length, 0);
  assert.equal(live.engine.asked.length, 1);
});

test('interims grow, and what is committed stays', async () => {
  const live = openLive({ wantInterims: true });
  const words = story(14);
  await writeAll(live, joined(quiet(0.5), spoken(words), quiet(1)));
  await live.session.finish();
  assert.ok(live.interims.length >= 3, `${live.interims.length} interims`);
  let committed: string[] = [];
  for (const interim of live.interims) {
    const texts = interim.words.map(({ text }) => text);
    assert.deepEqual(texts.slice(0, committed.length), committed);
    committed = texts.slice(0, interim.committed);
    assert.equal(interim.startMs, 0);
  }
  assert.equal(textOf(live.finals), words.join(' '));
});

test('flush ends the utterance in the middle of speech, and is answered in silence, too', async () => {
  const live = openLive({ wantInterims: true });
  await writeAll(live, joined(quiet(0.5), spoken(story(4))));
  await live.session.flush();
  assert.equal(live.finals.length, 1);
  assert.equal(live.finals[0]?.endedBy, 'flush');
  assert.equal(live.finals[0]?.transcript.text, story(4).join(' '));
  await live.session.flush();
  assert.equal(live.finals.length, 2);
  assert.equal(live.finals[1]?.transcript.text, '');
  await writeAll(live, joined(spoken(story(3, 4)), quiet(1)));
  await live.session.finish();
  assert.equal(textOf(live.finals), story(7).join(' '));
});

test('an utterance without pauses is cut before it is too long, and no word is lost', async () => {
  const live = openLive();
  const words = story(100);
  await writeAll(live, joined(quiet(0.3), spoken(words), quiet(1)));
  await live.session.finish();
  assert.ok(live.finals.length > 2);
  assert.equal(textOf(live.finals), words.join(' '));
  for (const { startMs, endMs } of live.finals) assert.ok(endMs - startMs <= 21_000);
  assert.ok(live.finals.some(({ endedBy }) => endedBy === 'length'));
});

test('finals are emitted in order, though a later one is recognised first', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const engine = new ScriptedEngine({ slots: 2, before: (_job, nth) => (nth === 0 ? held : undefined) });
  const live = openLive({}, engine);
  await writeAll(live, joined(spoken(story(2)), quiet(1), spoken(story(2, 2)), quiet(1)));
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
    await writeAll(live, joined(spoken(story(2)), quiet(1)));
    await live.session.finish();
  });
  assert.equal(engine.openProbes, 0);
});

test('cancelling stops everything at once', async () => {
  const engine = new ScriptedEngine();
  engine.hold();
  const live = openLive({ wantInterims: true }, engine);
  await writeAll(live, joined(spoken(story(6)), quiet(0.5)));
  live.session.cancel();
  await engine.until(({ running }) => running === 0);
  assert.equal(engine.openProbes, 0);
  assert.equal(live.finals.length, 0);
  await assert.rejects(live.session.write(quiet(0.1)));
});

test('where a long utterance is cut, the words behind the cut stay shown with the final before them', async () => {
  const live = openLive({ wantInterims: true });
  const events: { readonly isFinal: boolean; readonly words: readonly string[] }[] = [];
  const { final, interim } = { final: live.finals.push, interim: live.interims.push };
  live.finals.push = (...told) => {
    for (const { transcript, endedBy } of told)
      events.push({ isFinal: endedBy === 'length', words: transcript.text.split(' ') });
    return final.apply(live.finals, told);
  };
  live.interims.push = (...told) => {
    for (const { words } of told) events.push({ isFinal: false, words: words.map(({ text }) => text) });
    return interim.apply(live.interims, told);
  };
  await writeAll(live, joined(spoken(story(65)), quiet(1)));
  const cuts = events.flatMap(({ isFinal }, at) => (isFinal ? [at] : []));
  assert.ok(cuts.length > 0);
  for (const at of cuts) {
    const before = events[at - 1]!.words;
    const now = [...events[at]!.words, ...events[at + 1]!.words];
    assert.ok(!events[at + 1]!.isFinal);
    // All but what was only a guess.
    const kept = before.slice(0, -3);
    assert.deepEqual(now.slice(0, kept.length), kept);
  }
  await live.session.finish();
  assert.equal(textOf(live.finals), story(65).join(' '));
});

test('a reading continues after stable text and uses the previous reading as its draft', async () => {
  const live = openLive({ wantInterims: true });
  await writeAll(live, joined(spoken(story(20)), quiet(1)));
  await live.session.finish();
  const jobs = live.engine.asked.map(({ window }) => window);
  const readings = jobs.filter(({ isInterim }) => isInterim);
  const settled = readings.filter(({ committedText }) => committedText !== '');
  assert.ok(settled.length > 0);
  for (const { committedText } of settled) assert.ok(story(20).join(' ').includes(committedText!), committedText);
  const whole = jobs.filter(({ isInterim }) => !isInterim);
  assert.ok(whole.every(({ committedText }) => committedText === undefined));
  assert.ok(story(20).join(' ').startsWith(whole.at(-1)!.draft!));
  assert.notEqual(whole.at(-1)!.draft, '');
});

test('a reading that its draft has misled is made again at once, from further back and without a draft', async () => {
  const nothing = { text: '', words: [], languages: [] };
  const answer = (window: SpeechWindow, recognition: Recognition) =>
    window.isInterim && window.draft !== '' ? { ...recognition, ...nothing } : recognition;
  const live = openLive({ wantInterims: true }, new ScriptedEngine({ slots: 2, answer }));
  await writeAll(live, joined(spoken(story(20)), quiet(1)));
  await live.session.finish();
  const readings = live.engine.asked.map(({ window }) => window).filter(({ isInterim }) => isInterim);
  const misled = readings.flatMap(({ draft }, at) => (draft === '' ? [] : [at]));
  assert.ok(misled.length > 0);
  for (const at of misled) {
    const [first, second] = [readings[at]!, readings[at + 1]];
    assert.equal(second?.draft, '');
    // Hardly any audio has come in between.
    assert.ok(second.samples.length >= first.samples.length);
  }
  assert.ok(live.interims.some(({ words }) => words.length > 10));
});

test('a second try that fails is not made again at every moment', async () => {
  const answer = (window: SpeechWindow, recognition: Recognition) =>
    window.isInterim && window.draft !== '' ? { ...recognition, text: '', words: [], languages: [] } : recognition;
  const failed = new Set<SpeechWindow>();
  const isSecondTry = (window: SpeechWindow) => window.isInterim && window.draft === '' && window.committedText !== '';
  const before = async (window: SpeechWindow) => {
    if (!isSecondTry(window)) return;
    failed.add(window);
    throw new Error('no reading');
  };
  const live = openLive({ wantInterims: true }, new ScriptedEngine({ slots: 2, answer, before }));
  await writeAll(live, joined(spoken(story(20)), quiet(1)));
  await live.session.finish();
  const readings = live.engine.asked.map(({ window }) => window).filter(({ isInterim }) => isInterim);
  assert.ok(failed.size > 0);
  for (const [at, window] of readings.entries()) if (failed.has(window)) assert.ok(!failed.has(readings[at + 1]!));
});

test('interims and finals are read by the models for captions, and finals alone by the usual ones', async () => {
  for (const wantInterims of [true, false]) {
    const live = openLive({ wantInterims });
    await writeAll(live, joined(spoken(story(6)), quiet(1)));
    await live.session.finish();
    assert.ok(live.engine.asked.every(({ window }) => (window.isCaptioned ?? false) === wantInterims));
  }
});

test('without interims there is no draft', async () => {
  const live = openLive();
  await writeAll(live, joined(spoken(story(6)), quiet(1)));
  await live.session.finish();
  assert.ok(live.engine.asked.every(({ window }) => !window.isInterim && window.draft === ''));
});

test('a final is recognised with the utterance before it, and emits only its own words', async () => {
  const live = openLive({ wantWordTimes: false });
  await writeAll(live, joined(spoken(story(4)), quiet(1), spoken(story(4, 4)), quiet(1)));
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

test('an utterance that the reading with a run-up lost is read again by itself', async () => {
  const answer = (_job: SpeechWindow, recognition: Recognition) =>
    recognition.words.length > 4
      ? { ...recognition, text: story(4).join(' '), words: recognition.words.slice(0, 4) }
      : recognition;
  const live = openLive({}, new ScriptedEngine({ slots: 2, answer }));
  await writeAll(live, joined(spoken(story(4)), quiet(1), spoken(story(4, 4)), quiet(1)));
  await live.session.finish();
  assert.equal(textOf(live.finals), story(8).join(' '));
  assert.equal(live.engine.asked.length, 3);
});

test('every final is refined at the level that was asked for', async () => {
  const levels: unknown[] = [];
  const refiner: Refiner = {
    refine(input, signal) {
      levels.push(input.level);
      return passthroughRefiner.refine(input, signal);
    },
  };
  const live = openLive({ refinement: 'light' }, undefined, refiner);
  await writeAll(live, joined(spoken(story(3)), quiet(1), spoken(story(4, 3)), quiet(1)));
  await live.session.finish();
  assert.deepEqual(levels, ['light', 'light']);
});
