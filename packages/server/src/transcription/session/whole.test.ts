import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { Fault } from '../../lib/fault.ts';
import { deferred } from '../../lib/time/deferred.ts';
import { Metrics } from '../../observability/metrics.ts';
import { type Capacity, RecogniserUnavailable } from '../../speech/recogniser.ts';
import { type Script, ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { type CollectedSession, openCollected } from '../collected-session.ts';
import { RecentLanguages } from '../language/recent-languages.ts';
import { watchTranscription } from '../metrics.ts';
import { type TranscriberOptions, TranscriptionService } from '../service.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import type { SessionListener, SessionRequest } from '../transcriber.ts';

const asking = (model: SessionRequest['model']) => ({
  ...({ step: 'begin', mode: 'file', models: [model] } as const),
  accountId: 'a',
  waitingSecondsMax: 1_200,
});

const setUp = (script: Script = {}, options: Partial<TranscriberOptions> = {}) => {
  const engine = new ScriptedEngine(script);
  const service = new TranscriptionService({
    engine,
    refinementStage: new InlineRefinementStage(passthroughRefiner),
    recognitionTimeoutMs: 90_000,
    refinementTimeoutMs: 60_000,
    graceMs: 60_000,
    ...options,
  });
  const open = (request: Partial<SessionRequest> = {}, listener?: SessionListener): CollectedSession =>
    openCollected(
      service,
      {
        requestId: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C',
        accountId: 'a',
        mode: 'file',
        model: 'svc-1.0-pro',
        languageHint: undefined,
        vocabulary: [],
        waitingSecondsMax: 1_200,
        wantWordTimes: false,
        ...request,
      },
      listener,
    );
  return { engine, service, open };
};

const writeAll = async (session: CollectedSession, samples: Float32Array, chunkSamples = 8_000): Promise<void> => {
  for (let at = 0; at < samples.length; at += chunkSamples) await session.write(samples.slice(at, at + chunkSamples));
};

const isUnavailable = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'SERVICE_UNAVAILABLE';

for (const mode of ['file', 'stream'] as const) {
  test(`${mode}: every word of a long recording comes back once, in order`, async () => {
    const { engine, open } = setUp({ slots: 2 });
    const words = story(300);
    const audio = joined(
      ...Array.from({ length: 30 }, (_, index) =>
        joined(spoken(words.slice(index * 10, index * 10 + 10)), quiet((index % 4) * 0.8)),
      ),
    );
    const session = open({ mode });
    await writeAll(session, audio);
    const transcript = await session.finish();
    assert.equal(transcript.text, words.join(' '));
    assert.equal(transcript.detectedLanguage, 'en');
    assert.ok(transcript.outputTokenCount >= 300);
    assert.ok(engine.asked.every(({ window }) => window.samples.length <= 20 * SAMPLE_RATE_HZ));
    assert.equal(engine.openProbes, 0);
  });
}

test('nothing, silence and 0.1 s of silence give an empty transcript and touch no recogniser', async () => {
  for (const seconds of [0, 0.1, 3, 40]) {
    const { engine, open } = setUp();
    const session = open();
    await writeAll(session, quiet(seconds));
    const transcript = await session.finish();
    assert.deepEqual([transcript.text, transcript.detectedLanguage, transcript.outputTokenCount], ['', null, 0]);
    assert.equal(engine.asked.length, 0);
  }
});

test('no sample is missed, in whatever turn of voice detection the last ones come', async () => {
  for (let turns = 0; turns < 24; turns++) {
    const { open } = setUp();
    const session = open();
    // Past the length that is recognised whole, whether voice detection saw it or not.
    await session.write(quiet(6));
    await new Promise(setImmediate);
    const writes = [session.write(spoken(['apple']))];
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    writes.push(session.write(spoken(['river', 'table', 'glass'])));
    assert.equal((await session.finish()).text, 'apple river table glass', `${turns} turns between writes`);
    await Promise.all(writes);
  }
});

test('a short clip is recognised whole', async () => {
  const { engine, open } = setUp();
  const session = open();
  const audio = joined(quiet(1), spoken(['apple', 'river']), quiet(1.5));
  await writeAll(session, audio);
  assert.equal((await session.finish()).text, 'apple river');
  assert.deepEqual(
    engine.asked.map(({ window }) => window.samples.length),
    [audio.length],
  );
});

test('work begins while audio still arrives', async () => {
  const { engine, open } = setUp();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(spoken(story(30)), quiet(2)));
  await engine.until(({ asked }) => asked.length > 0);
  session.cancel();
});

test('words carry times of the recording, across pauses that windows leave out', async () => {
  const { open } = setUp();
  const session = open({ wantWordTimes: true });
  await writeAll(session, joined(quiet(3), spoken(['apple']), quiet(5), spoken(['river', 'table']), quiet(1)));
  const { words, segments } = await session.finish();
  assert.deepEqual(
    words.map(({ text, startMs }) => [text, Math.round(startMs / 100) / 10]),
    [
      ['apple', 3],
      ['river', 8.4],
      ['table', 8.7],
    ],
  );
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['apple', 'river table'],
  );
});

test('words that attention stretched into the pauses are placed where a voice was heard', async () => {
  // Each word begins where the one before it ended, as attention has it.
  const { open } = setUp({
    answer: (_, recognition) => ({
      ...recognition,
      words: recognition.words.map((word, index, { [index + 1]: next }) => ({
        ...word,
        startMs: index === 0 ? 0 : word.startMs,
        endMs: next?.startMs ?? word.endMs,
      })),
    }),
  });
  const sentences = Array.from({ length: 6 }, (_, index) => joined(spoken(story(4, index * 4)), quiet(1.3)));
  const session = open({ mode: 'file', wantWordTimes: true });
  await writeAll(session, joined(quiet(0.6), ...sentences));
  const { words } = await session.finish();
  const pauses = words.filter(({ startMs }, index) => startMs - (words[index - 1]?.endMs ?? 0) >= 1_000);
  assert.equal(words.length, 24);
  assert.equal(pauses.length, 5);
  assert.ok(Math.abs(words[0]!.startMs - 600) <= 32, String(words[0]?.startMs));
});

test('the first window of a file is recognised alone to find the language; the others run on all slots', async () => {
  const { engine, open } = setUp({ slots: 2 });
  engine.hold();
  const session = open();
  await writeAll(session, spoken(story(160)));
  const transcript = session.finish();
  await engine.until(({ running }) => running === 1);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  assert.equal(engine.asked.length, 1);
  engine.release();
  engine.hold();
  await engine.until(({ running }) => running === 2);
  assert.deepEqual(
    engine.asked.map(({ window }) => window.language),
    [null, 'en', 'en'],
  );
  engine.release();
  assert.equal((await transcript).text, story(160).join(' '));
});

test('a recogniser that falls behind holds the writer back, then releases it', async () => {
  const { engine, open } = setUp();
  engine.hold();
  const session = open({ mode: 'stream' });
  const audio = spoken(story(400));
  let written = 0;
  const writing = (async () => {
    for (let at = 0; at < audio.length; at += SAMPLE_RATE_HZ, written = at)
      await session.write(audio.slice(at, at + SAMPLE_RATE_HZ));
  })();
  await engine.until(({ running }) => running === 1);
  for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate);
  assert.ok(written < 90 * SAMPLE_RATE_HZ, `${written / SAMPLE_RATE_HZ} s were taken`);
  engine.release();
  await writing;
  assert.equal((await session.finish()).text, story(400).join(' '));
});

test('a dead recogniser ends the session with SERVICE_UNAVAILABLE, for writers too', async () => {
  const { engine, open } = setUp({ before: () => Promise.reject(new RecogniserUnavailable('out of memory')) });
  const file = open();
  await writeAll(file, spoken(story(20)));
  await assert.rejects(file.finish(), isUnavailable);
  const stream = open({ mode: 'stream' });
  await writeAll(stream, joined(spoken(story(30)), quiet(2)));
  await engine.until(({ openProbes }) => openProbes === 0);
  await assert.rejects(stream.write(quiet(1)), isUnavailable);
  await assert.rejects(stream.finish(), isUnavailable);
});

const BUGS: Record<string, (engine: ScriptedEngine) => void> = {
  'the voice probe': (engine) => {
    const probe = engine.openVoiceProbe();
    engine.openVoiceProbe = () => Object.assign(probe, { push: () => Promise.reject(new TypeError('a bug')) });
  },
  // Probabilities that are none make the segmenter and the planner throw.
  'the planner': (engine) => {
    const probe = engine.openVoiceProbe();
    engine.openVoiceProbe = () => Object.assign(probe, { push: async () => undefined });
  },
  // A recognition without languages makes the session's language decision throw, on the scheduler's side.
  'the handling of a result': (engine) => {
    const { recognise } = engine.recogniser;
    const broken = async (...of: Parameters<typeof recognise>) => ({ ...(await recognise(...of)), languages: null });
    Object.assign(engine.recogniser, { recognise: broken });
  },
};

const isBug = (thrown: unknown): boolean =>
  thrown instanceof Fault && thrown.code === 'INTERNAL_ERROR' && thrown.cause instanceof TypeError;

for (const [where, breakIt] of Object.entries(BUGS)) {
  for (const mode of ['file', 'stream'] as const) {
    test(`${mode}: a bug in ${where} is INTERNAL_ERROR with its cause, for finish and for write`, async () => {
      const finishing = setUp();
      breakIt(finishing.engine);
      const finished = finishing.open({ mode });
      await finished.write(spoken(story(60)));
      await assert.rejects(finished.finish(), isBug);

      const writing = setUp();
      breakIt(writing.engine);
      const written = writing.open({ mode });
      await assert.rejects(async () => {
        for (let count = 0; count < 20; count++) await written.write(spoken(story(160)));
      }, isBug);
    });
  }
}

test('speculative work that fails costs nothing: its window is recognised again', async () => {
  let calls = 0;
  const { engine, open } = setUp({ before: () => (calls++ === 0 ? Promise.reject(new Error('once')) : undefined) });
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(4), spoken(['apple', 'river']), quiet(1)));
  await engine.until(({ asked }) => asked[0]?.state === 'failed');
  assert.equal((await session.finish()).text, 'apple river');
});

test('a stage that takes too long is stopped for good', async () => {
  const { engine, open } = setUp({}, { recognitionTimeoutMs: 20 });
  engine.hold();
  const session = open();
  await writeAll(session, spoken(story(20)));
  await assert.rejects(session.finish(), isUnavailable);
  await engine.until(({ running }) => running === 0);
  assert.deepEqual([...new Set(engine.asked.map(({ state }) => state))], ['aborted']);
});

test('a time-out of zero expires at once, however fast the stage is', async () => {
  for (const timeout of [{ recognitionTimeoutMs: 0 }, { refinementTimeoutMs: 0 }]) {
    const { engine, open } = setUp({}, timeout);
    const session = open();
    await session.write(spoken(['apple']));
    await assert.rejects(session.finish(), isUnavailable);
    await engine.until(({ running, openProbes }) => running + openProbes === 0);
  }
});

test('refinement that takes too long is stopped', async () => {
  const aborted: boolean[] = [];
  const hang = new InlineRefinementStage({
    refine: (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(true);
          reject(signal.reason);
        }),
      ),
  });
  const { open } = setUp({}, { refinementStage: hang, refinementTimeoutMs: 20 });
  const session = open();
  await session.write(spoken(['apple']));
  await assert.rejects(session.finish(), isUnavailable);
  assert.deepEqual(aborted, [true]);
});

test('cancelling at any point settles every promise and leaves nothing behind', async () => {
  const audio = joined(spoken(story(60)), quiet(1), spoken(story(60)));
  for (let point = 0; point < 60; point++) {
    const { engine, service, open } = setUp({ slots: 2 });
    if (point % 2) engine.hold();
    const session = open({ mode: point % 3 ? 'stream' : 'file' });
    const using = writeAll(session, audio, 24_000).then(() => session.finish());
    using.catch(() => undefined);
    for (let turn = 0; turn < point * 4; turn++) await Promise.resolve();
    if (point > 40) await new Promise(setImmediate);
    session.cancel();
    session.cancel();
    await using.catch((thrown) => assert.ok(isUnavailable(thrown)));
    await engine.until(({ running, openProbes }) => running + openProbes === 0);
    await service.close();
  }
});

test('when nothing is said after a pause, the answer is ready: no new window, no new refinement', async () => {
  let refinements = 0;
  const counted = new InlineRefinementStage({
    refine: (input, signal) => {
      refinements += 1;
      return passthroughRefiner.refine(input, signal);
    },
  });
  const { engine, open } = setUp({ slots: 2 }, { refinementStage: counted });
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple', 'river']), quiet(1)));
  await engine.until(({ asked }) => asked.some(({ state }) => state === 'answered'));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  const before = [engine.asked.length, refinements];
  await writeAll(session, quiet(2));
  assert.equal((await session.finish()).text, 'apple river');
  assert.deepEqual([engine.asked.length, refinements], before);
});

test('what was recognised at the last pause is kept: only what was said since is recognised at the end', async () => {
  const { engine, open } = setUp();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple', 'river']), quiet(0.5)), 512);
  await engine.until(({ asked }) => asked.some(({ state }) => state === 'answered'));
  await writeAll(session, spoken(story(8)), 512);
  const before = engine.asked.length;
  const { text } = await session.finish();
  assert.equal(text, ['apple', 'river', ...story(8)].join(' '));
  assert.deepEqual(
    engine.asked.slice(before).map(({ window }) => window.samples.length < SAMPLE_RATE_HZ * 6),
    [true],
  );
});

test('speculative work that is overtaken is stopped', async () => {
  const { engine, open } = setUp();
  engine.hold();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple']), quiet(0.4)), 512);
  await engine.until(({ running }) => running === 1);
  await writeAll(session, joined(spoken(['river']), quiet(0.5)), 512);
  await engine.until(({ asked }) => asked[0]?.state === 'aborted');
  engine.release();
  assert.equal((await session.finish()).text, 'apple river');
});

/** What is left after a full collection is held by somebody. */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The least of some readings: buffers are freed on another thread, some time after the collection. */
const heldAfterCollection = async (engine: ScriptedEngine): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < 10; reading++) {
    engine.asked.length = 0;
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
};

test('memory stays bounded over a stream of four hours', async () => {
  const { engine, open } = setUp({ answer: (_, recognition) => ({ ...recognition, text: 'word' }) });
  const session = open({ mode: 'stream' });
  const minute = joined(spoken(story(20)), quiet(20), spoken(story(50)), quiet(14.8));
  const heldBytes: number[] = [];
  for (let count = 0; count < 240; count++) {
    await writeAll(session, minute, 160_000);
    // The scripted engine remembers its jobs for the test; a real one does not.
    engine.asked.length = 0;
    if (count % 40 === 39) heldBytes.push(await heldAfterCollection(engine));
  }
  await session.finish();
  const growth = Math.max(...heldBytes) - heldBytes[0]!;
  assert.ok(growth < 20e6, `held ${heldBytes.map((bytes) => Math.round(bytes / 1e6))} MB`);
});

test('closing waits for running sessions, then cancels the rest', async () => {
  const { engine, service, open } = setUp();
  engine.hold();
  const session = open();
  await session.write(spoken(['apple']));
  const transcript = session.finish();
  const closed = service.close();
  assert.throws(() => open(), isUnavailable);
  assert.equal(service.admit(asking('svc-1.0-max')).admitted, false);
  engine.release();
  assert.equal((await transcript).text, 'apple');
  await closed;

  const other = setUp({}, { graceMs: 5 });
  const idle = other.open();
  await other.service.close();
  await assert.rejects(idle.finish(), isUnavailable);
});

test("the languages of an account's latest recordings go with its next one, where that is wanted", async () => {
  const transcribed = async ({ engine, open }: ReturnType<typeof setUp>, accountId: string) => {
    const session = open({ accountId });
    await writeAll(session, joined(spoken(story(5)), quiet(1)));
    await session.finish();
    return engine.asked.at(-1)?.window.recentLanguages;
  };
  const swedish = { languages: () => [{ language: 'sv', probability: 0.95 }] };
  const wanted = setUp(swedish, { recentLanguages: new RecentLanguages() });
  for (let nth = 0; nth < 3; nth++) assert.equal(await transcribed(wanted, 'a'), undefined);
  assert.deepEqual(await transcribed(wanted, 'a'), [{ language: 'sv', probability: 1 }]);
  assert.equal(await transcribed(wanted, 'b'), undefined);
  const unwanted = setUp(swedish);
  for (let nth = 0; nth < 4; nth++) assert.equal(await transcribed(unwanted, 'a'), undefined);
});

test('the language of sure windows is taken for granted later, and asked for again when a window goes badly', async () => {
  const asked: (string | null)[] = [];
  const { open } = setUp({
    languages: (job) => {
      asked.push(job.language);
      return [{ language: job.language ?? 'de', probability: 0.95 }];
    },
    answer: (job, recognition) =>
      job.language && asked.length === 3 ? { ...recognition, averageLogProbability: -2 } : recognition,
  });
  const session = open({ mode: 'stream', languageHint: 'de-AT' });
  for (let part = 0; part < 4; part++) {
    await writeAll(session, joined(spoken(story(30)), quiet(1)));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  }
  assert.equal((await session.finish()).detectedLanguage, 'de');
  assert.equal(asked[0], null);
  assert.deepEqual(asked.slice(1, 4), ['de', 'de', null]);
});

test('a tier that was not loaded is refused with the reason, and the others are not', async () => {
  const { service } = setUp({}, { models: ['svc-1.0-lite'] });
  const { admitted, reason } = service.admit(asking('svc-1.0-max'));
  assert.equal(admitted, false);
  assert.match(reason ?? '', /svc-1\.0-max is not loaded on this server, which has svc-1\.0-lite\./);
  assert.equal(service.admit(asking('svc-1.0-lite')).admitted, true);
  await service.close();
});

test('a request for a tier without recognisers is refused and counted', async () => {
  const metrics = new Metrics();
  const { observer } = watchTranscription(metrics);
  const { engine, service } = setUp({}, { observer });
  const capacity: Capacity = {
    freeSlots: () => 1,
    serves: (tier) => tier !== 'svc-1.0-max',
    isContended: false,
    setWaiting: () => undefined,
    onChange: () => undefined,
  };
  Object.assign(engine.recogniser, { capacity });
  assert.equal(service.admit(asking('svc-1.0-max')).admitted, false);
  assert.equal(service.admit(asking('svc-1.0-pro')).admitted, true);
  const page = await metrics.registry.metrics();
  assert.match(page, /faircopy_tier_absent_total\{model="svc-1.0-max"\} 1/);
  assert.match(page, /faircopy_tier_absent_total\{model="svc-1.0-pro"\} 0/);
  assert.match(page, /faircopy_tier_queue_audio_seconds\{model="svc-1.0-pro"\} 0/);
  await service.close();
});

/** Refining takes no time then, so that no run waits for the one before it to cool down. */
const standingClock = { now: () => 0, monotonicMs: () => 0 };

test('stable text comes in order while the recording is recognised, and altogether it is the transcript', async () => {
  const { engine, open } = setUp({ slots: 2 }, { clock: standingClock });
  const words = story(300);
  const told: string[] = [];
  const toldWhile: number[] = [];
  const session = open({}, (event) => {
    if (event.type !== 'stable_text') return;
    told.push(event.text);
    toldWhile.push(engine.asked.length);
  });
  session.emitStableText();
  await writeAll(session, joined(spoken(words)));
  const { text } = await session.finish();
  assert.equal(text, words.join(' '));
  assert.equal(told.join(''), text);
  assert.ok(told.length > 2, 'in pieces');
  assert.ok(toldWhile[0]! < engine.asked.length, 'before all was recognised');
});

test('stable text that is asked for late begins with what is stable already', async () => {
  const gate = deferred<void>();
  const first = deferred<void>();
  const script: Script = { before: (_job, nth) => (nth < 4 ? undefined : gate.promise) };
  const { engine, open } = setUp(script, { clock: standingClock });
  const told: string[] = [];
  const session = open({}, (event) => {
    if (event.type !== 'stable_text') return;
    told.push(event.text);
    first.resolve();
  });
  await writeAll(session, spoken(story(300)));
  await engine.until(() => engine.asked.filter(({ state }) => state === 'answered').length === 4);
  session.emitStableText();
  await first.promise;
  gate.resolve();
  assert.equal((await session.finish()).text, told.join(''));
});

test('stable text is kept, even when the whole text is refined differently', async () => {
  const isWhole = (text: string) => text.split(' ').length === 300;
  const refinementStage = new InlineRefinementStage({
    async refine(input, signal) {
      const refined = await passthroughRefiner.refine(input, signal);
      return isWhole(refined.text) ? { ...refined, text: refined.text.replace(/^\S+ /, 'other ') } : refined;
    },
  });
  const { open } = setUp({}, { refinementStage, clock: standingClock });
  const words = story(300);
  const told: string[] = [];
  const session = open({}, (event) => {
    if (event.type === 'stable_text') told.push(event.text);
  });
  session.emitStableText();
  await writeAll(session, spoken(words));
  const { text } = await session.finish();
  assert.equal(text, words.join(' '));
  assert.equal(told.join(''), text);
});

test('where a language model may rewrite the text, it is stable at the end only', async () => {
  const { open } = setUp({}, { isTextStable: false });
  const told: string[] = [];
  const session = open({}, (event) => {
    if (event.type === 'stable_text') told.push(event.text);
  });
  session.emitStableText();
  await writeAll(session, spoken(story(300)));
  assert.deepEqual(told, []);
  assert.deepEqual([(await session.finish()).text], told);
});

test('what an upload brought that stands still is no work that others wait for', async () => {
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const { service, open } = setUp({ slots: 1 }, { clock, maxWaitMs: 1_000 });
  const isAdmitted = () => service.admit({ ...asking('svc-1.0-pro'), accountId: 'b', step: 'ask' }).admitted;
  const held = Array.from({ length: 12 }, (_, nth) => open({ accountId: `held ${nth}` }));
  for (const session of held) await session.write(spoken(story(8)));
  nowMs = 4_000;
  for (const session of held) await session.write(spoken(story(8)));
  assert.equal(isAdmitted(), false, 'they bring something');
  nowMs = 30_000;
  assert.equal(isAdmitted(), true, 'they have brought nothing for long');
  for (const session of held) session.cancel();
});

test('a recording that would not be done in time is read with less effort, and says so', async () => {
  const { engine, open } = setUp({}, { recognitionTimeoutMs: 30_000 });
  const words = story(600);
  const audio = spoken(words);
  engine.hold();
  const session = open({ model: 'svc-1.0-max' });
  const written = session.write(audio);
  const transcript = session.finish();
  await engine.until(({ asked }) => asked.length === 1);
  // All audio is judged for voice, a piece at a time, while the first window is held.
  for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
  // By the estimate of an untried tier, the windows behind the first one take longer than there is time.
  engine.release();
  await written;
  assert.equal((await transcript).text, words.join(' '));
  assert.equal((await transcript).effort, 'reduced');
  assert.equal(engine.asked[0]?.window.isInterim, undefined, 'the first window began before it was known');
  assert.ok(engine.asked.some(({ window }) => window.isInterim));
});

test('a recording that is done in time gets the full effort', async () => {
  const { engine, open } = setUp();
  const session = open({ model: 'svc-1.0-max' });
  await session.write(spoken(story(20)));
  assert.equal((await session.finish()).effort, undefined);
  assert.ok(engine.asked.every(({ window }) => !window.isInterim));
});
