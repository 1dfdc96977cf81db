// Tests of interims through live sessions.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { openLive, textOf } from './testing/live-session.ts';
import { speakInto } from './testing/scripted-session.ts';

test('without interims nothing is read twice', async () => {
  const live = openLive();
  await speakInto(live.session, joined(quiet(0.5), spoken(story(12)), quiet(1)));
  await live.session.finish();
  assert.equal(live.interims.length, 0);
  assert.equal(live.engine.asked.length, 1);
});

test('interims grow, and committed words stay', async () => {
  const live = openLive({ wantInterims: true });
  const words = story(14);
  await speakInto(live.session, joined(quiet(0.5), spoken(words), quiet(1)));
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

test('when a long utterance is cut, the words after the cut stay shown in the next interim', async () => {
  const live = openLive({ wantInterims: true });
  const events: { readonly isFinal: boolean; readonly words: readonly string[] }[] = [];
  const { final, interim } = { final: live.finals.push, interim: live.interims.push };
  live.finals.push = (...emitted) => {
    for (const { transcript, endedBy } of emitted)
      events.push({ isFinal: endedBy === 'length', words: transcript.text.split(' ') });
    return final.apply(live.finals, emitted);
  };
  live.interims.push = (...emitted) => {
    for (const { words } of emitted) events.push({ isFinal: false, words: words.map(({ text }) => text) });
    return interim.apply(live.interims, emitted);
  };
  await speakInto(live.session, joined(spoken(story(65)), quiet(1)));
  const cuts = events.flatMap(({ isFinal }, at) => (isFinal ? [at] : []));
  assert.ok(cuts.length > 0);
  for (const at of cuts) {
    const before = events[at - 1]!.words;
    const now = [...events[at]!.words, ...events[at + 1]!.words];
    assert.ok(!events[at + 1]!.isFinal);
    // All but the words that were only tentative.
    const kept = before.slice(0, -3);
    assert.deepEqual(now.slice(0, kept.length), kept);
  }
  await live.session.finish();
  assert.equal(textOf(live.finals), story(65).join(' '));
});

test('a reading continues after stable text and uses the previous reading as its draft', async () => {
  const live = openLive({ wantInterims: true });
  await speakInto(live.session, joined(spoken(story(20)), quiet(1)));
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

test('a reading misled by its draft is repeated at once, from further back and without a draft', async () => {
  const nothing = { text: '', words: [], languages: [] };
  const answer = (window: SpeechWindow, recognition: Recognition) =>
    window.isInterim && window.draft !== '' ? { ...recognition, ...nothing } : recognition;
  const live = openLive({ wantInterims: true }, new ScriptedEngine({ slots: 2, answer }));
  await speakInto(live.session, joined(spoken(story(20)), quiet(1)));
  await live.session.finish();
  const readings = live.engine.asked.map(({ window }) => window).filter(({ isInterim }) => isInterim);
  const misled = readings.flatMap(({ draft }, at) => (draft === '' ? [] : [at]));
  assert.ok(misled.length > 0);
  for (const at of misled) {
    const [first, second] = [readings[at]!, readings[at + 1]];
    assert.equal(second?.draft, '');
    // Hardly any audio has arrived in between.
    assert.ok(second.samples.length >= first.samples.length);
  }
  assert.ok(live.interims.some(({ words }) => words.length > 10));
});

test('a second try that fails is not repeated at once', async () => {
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
  await speakInto(live.session, joined(spoken(story(20)), quiet(1)));
  await live.session.finish();
  const readings = live.engine.asked.map(({ window }) => window).filter(({ isInterim }) => isInterim);
  assert.ok(failed.size > 0);
  for (const [at, window] of readings.entries()) if (failed.has(window)) assert.ok(!failed.has(readings[at + 1]!));
});

test('the caption models read interims and finals; finals without interims are read by the usual ones', async () => {
  for (const wantInterims of [true, false]) {
    const live = openLive({ wantInterims });
    await speakInto(live.session, joined(spoken(story(6)), quiet(1)));
    await live.session.finish();
    assert.ok(live.engine.asked.every(({ window }) => (window.isCaptioned ?? false) === wantInterims));
  }
});

test('without interims there is no draft', async () => {
  const live = openLive();
  await speakInto(live.session, joined(spoken(story(6)), quiet(1)));
  await live.session.finish();
  assert.ok(live.engine.asked.every(({ window }) => !window.isInterim && window.draft === ''));
});
