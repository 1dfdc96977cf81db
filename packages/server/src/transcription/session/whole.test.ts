import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { RecentLanguages } from '../language/recent-languages.ts';
import { setUpRecordings } from './testing/recordings.ts';
import { writeAll } from './testing/scripted-session.ts';

for (const mode of ['file', 'stream'] as const) {
  test(`${mode}: every word of a long recording comes back once, in order`, async () => {
    const { engine, open } = setUpRecordings({ slots: 2 });
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

test('no audio and silence of any length give an empty transcript without a recogniser', async () => {
  for (const seconds of [0, 0.1, 3, 40]) {
    const { engine, open } = setUpRecordings();
    const session = open();
    await writeAll(session, quiet(seconds));
    const transcript = await session.finish();
    assert.deepEqual([transcript.text, transcript.detectedLanguage, transcript.outputTokenCount], ['', null, 0]);
    assert.equal(engine.asked.length, 0);
  }
});

test('no sample is missed, at whatever point of voice detection the last ones arrive', async () => {
  for (let turns = 0; turns < 24; turns++) {
    const { open } = setUpRecordings();
    const session = open();
    // Longer than a clip that is recognised whole, whether voice detection has seen it or not.
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
  const { engine, open } = setUpRecordings();
  const session = open();
  const audio = joined(quiet(1), spoken(['apple', 'river']), quiet(1.5));
  await writeAll(session, audio);
  assert.equal((await session.finish()).text, 'apple river');
  assert.deepEqual(
    engine.asked.map(({ window }) => window.samples.length),
    [audio.length],
  );
});

test('words have recording times, even across pauses that windows leave out', async () => {
  const { open } = setUpRecordings();
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
  // Each word ends where the next one begins, as attention aligns them.
  const { open } = setUpRecordings({
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
  const { engine, open } = setUpRecordings({ slots: 2 });
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
  const { engine, open } = setUpRecordings();
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

test("the languages of an account's recent recordings go with its next one, if that is enabled", async () => {
  const transcribed = async ({ engine, open }: ReturnType<typeof setUpRecordings>, accountId: string) => {
    const session = open({ accountId });
    await writeAll(session, joined(spoken(story(5)), quiet(1)));
    await session.finish();
    return engine.asked.at(-1)?.window.recentLanguages;
  };
  const swedish = { languages: () => [{ language: 'sv', probability: 0.95 }] };
  const wanted = setUpRecordings(swedish, { recentLanguages: new RecentLanguages() });
  for (let nth = 0; nth < 3; nth++) assert.equal(await transcribed(wanted, 'a'), undefined);
  assert.deepEqual(await transcribed(wanted, 'a'), [{ language: 'sv', probability: 1 }]);
  assert.equal(await transcribed(wanted, 'b'), undefined);
  const unwanted = setUpRecordings(swedish);
  for (let nth = 0; nth < 4; nth++) assert.equal(await transcribed(unwanted, 'a'), undefined);
});

test('the language of confident windows is assumed later, and detected again after a poor window', async () => {
  const asked: (string | null)[] = [];
  const { open } = setUpRecordings({
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

test('a recording that would miss its deadline is read with less effort, and its transcript says so', async () => {
  const { engine, open } = setUpRecordings({}, { recognitionTimeoutMs: 30_000 });
  const words = story(600);
  const audio = spoken(words);
  engine.hold();
  const session = open({ model: 'svc-1.0-max' });
  const written = session.write(audio);
  const transcript = session.finish();
  await engine.until(({ asked }) => asked.length === 1);
  // All audio is judged for voice, a piece at a time, while the first window is held.
  for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
  // By the initial estimate for the tier, the windows after the first one take longer than the time left.
  engine.release();
  await written;
  assert.equal((await transcript).text, words.join(' '));
  assert.equal((await transcript).effort, 'reduced');
  assert.equal(engine.asked[0]?.window.isInterim, undefined, 'the first window began before time was short');
  assert.ok(engine.asked.some(({ window }) => window.isInterim));
});

test('a recording that is done in time gets the full effort', async () => {
  const { engine, open } = setUpRecordings();
  const session = open({ model: 'svc-1.0-max' });
  await session.write(spoken(story(20)));
  assert.equal((await session.finish()).effort, undefined);
  assert.ok(engine.asked.every(({ window }) => !window.isInterim));
});
