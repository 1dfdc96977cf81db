// Tests of stable text through sessions.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deferred } from '../../lib/time/deferred.ts';
import type { Script } from '../../speech/testing/scripted-engine.ts';
import { joined, spoken, story } from '../../speech/testing/tones.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import { setUpRecordings } from './testing/recordings.ts';
import { writeAll } from './testing/scripted-session.ts';

/** With this clock, refining takes no time, so no run waits for a cool-down after the previous one. */
const standingClock = { now: () => 0, monotonicMs: () => 0 };

test('stable text arrives in order during recognition and adds up to the transcript', async () => {
  const { engine, open } = setUpRecordings({ slots: 2 }, { clock: standingClock });
  const words = story(300);
  const emitted: string[] = [];
  const askedWhen: number[] = [];
  const session = open({}, (event) => {
    if (event.type !== 'stable_text') return;
    emitted.push(event.text);
    askedWhen.push(engine.asked.length);
  });
  session.emitStableText();
  await writeAll(session, joined(spoken(words)));
  const { text } = await session.finish();
  assert.equal(text, words.join(' '));
  assert.equal(emitted.join(''), text);
  assert.ok(emitted.length > 2, 'in pieces');
  assert.ok(askedWhen[0]! < engine.asked.length, 'before all was recognised');
});

test('stable text that is requested late begins with the text that is already stable', async () => {
  const gate = deferred<void>();
  const first = deferred<void>();
  const script: Script = { before: (_job, nth) => (nth < 4 ? undefined : gate.promise) };
  const { engine, open } = setUpRecordings(script, { clock: standingClock });
  const emitted: string[] = [];
  const session = open({}, (event) => {
    if (event.type !== 'stable_text') return;
    emitted.push(event.text);
    first.resolve();
  });
  await writeAll(session, spoken(story(300)));
  await engine.until(() => engine.asked.filter(({ state }) => state === 'answered').length === 4);
  session.emitStableText();
  await first.promise;
  gate.resolve();
  assert.equal((await session.finish()).text, emitted.join(''));
});

test('stable text is kept, even when the whole text is refined differently', async () => {
  const isWhole = (text: string) => text.split(' ').length === 300;
  const refinementStage = new InlineRefinementStage({
    async refine(input, signal) {
      const refined = await passthroughRefiner.refine(input, signal);
      return isWhole(refined.text) ? { ...refined, text: refined.text.replace(/^\S+ /, 'other ') } : refined;
    },
  });
  const { open } = setUpRecordings({}, { refinementStage, clock: standingClock });
  const words = story(300);
  const emitted: string[] = [];
  const session = open({}, (event) => {
    if (event.type === 'stable_text') emitted.push(event.text);
  });
  session.emitStableText();
  await writeAll(session, spoken(words));
  const { text } = await session.finish();
  assert.equal(text, words.join(' '));
  assert.equal(emitted.join(''), text);
});

test('when a language model may rewrite the text, it is stable only at the end', async () => {
  const { open } = setUpRecordings({}, { isTextStable: false });
  const emitted: string[] = [];
  const session = open({}, (event) => {
    if (event.type === 'stable_text') emitted.push(event.text);
  });
  session.emitStableText();
  await writeAll(session, spoken(story(300)));
  assert.deepEqual(emitted, []);
  assert.deepEqual([(await session.finish()).text], emitted);
});
