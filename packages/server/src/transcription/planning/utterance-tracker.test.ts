import assert from 'node:assert/strict';
import test from 'node:test';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { type TrackedEvent, UtteranceTracker } from './utterance-tracker.ts';

const frames = (count: number, probability: number): number[] => new Array(count).fill(probability);
const typesOf = (events: readonly TrackedEvent[]) => events.map(({ type }) => type);

test('speech starts, ends after the configured silence, and is one utterance', () => {
  const tracker = new UtteranceTracker(320);
  assert.deepEqual(typesOf(tracker.push(frames(20, 0))), []);
  assert.deepEqual(typesOf(tracker.push(frames(20, 0.9))), ['speech_started']);
  assert.deepEqual(typesOf(tracker.push(frames(9, 0))), []);
  const events = tracker.push(frames(1, 0));
  assert.deepEqual(typesOf(events), ['speech_ended', 'utterance']);
  const ended = events.find((event) => event.type === 'utterance');
  assert.equal(ended?.utterance.endedBy, 'endpoint');
  assert.equal(tracker.open, null);
});

test('a silence shorter than 200 ms is never an endpoint', () => {
  const tracker = new UtteranceTracker(10);
  tracker.push(frames(20, 0.9));
  assert.deepEqual(typesOf(tracker.push(frames(6, 0))), []);
  assert.deepEqual(typesOf(tracker.push(frames(1, 0))), ['speech_ended', 'utterance']);
});

test('the speculative window holds the same audio as the utterance that ends later', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(20, 0.9));
  tracker.push(frames(8, 0));
  const ahead = tracker.openWindow;
  const events = tracker.push(frames(2, 0));
  const ended = events.find((event) => event.type === 'utterance');
  assert.deepEqual(ahead?.slices, ended?.utterance.window.slices);
});

test('an eager tracker has its window after 96 ms, and may end in the pause before the endpoint', () => {
  const tracker = new UtteranceTracker(320, true);
  tracker.push(frames(20, 0.9));
  tracker.push(frames(2, 0));
  assert.deepEqual([tracker.openWindow], [null]);
  tracker.push(frames(1, 0));
  const ahead = tracker.openWindow;
  tracker.push(frames(2, 0));
  const events = tracker.endAtPause();
  assert.deepEqual(typesOf(events), ['speech_ended', 'utterance']);
  const ended = events.find((event) => event.type === 'utterance');
  assert.deepEqual(ended?.utterance.window.slices, ahead?.slices);
  assert.deepEqual([tracker.open, typesOf(tracker.push(frames(10, 0)))], [null, []]);
  assert.deepEqual(typesOf(tracker.push(frames(20, 0.9))), ['speech_started']);
});

test('a flush ends the open utterance, and the next one begins there', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(30, 0.9));
  const flushed = tracker.flush();
  assert.equal(flushed?.endSample, 30 * VOICE_FRAME_SAMPLES);
  assert.equal(tracker.flush(), null);
  tracker.push(frames(30, 0.9));
  assert.equal(tracker.open?.startSample, flushed?.endSample);
});

test('speech that continues after a flush is reported as continued, and its last sound is an utterance, too', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(30, 0.9));
  tracker.flush();
  const [started, ...rest] = [...tracker.push(frames(2, 0.3)), ...tracker.end(32 * VOICE_FRAME_SAMPLES)];
  assert.deepEqual(started, { type: 'speech_started', sample: 30 * VOICE_FRAME_SAMPLES, isContinued: true });
  assert.deepEqual(typesOf(rest), ['speech_ended', 'utterance']);
});

test('after a flush in the middle of speech, silence does not start speech', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(30, 0.9));
  tracker.flush();
  assert.deepEqual(typesOf(tracker.push(frames(20, 0))), ['speech_ended']);
  assert.deepEqual(typesOf(tracker.push(frames(5, 0.9))), ['speech_started']);
});

test('a flush ends the silence where a voice began that may become speech', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(40, 0));
  tracker.push(frames(1, 0.9));
  assert.equal(tracker.flush(), null);
  assert.equal(tracker.endSilence(), 40 * VOICE_FRAME_SAMPLES);
  const [started] = tracker.push(frames(3, 0.9));
  assert.deepEqual(started, { type: 'speech_started', sample: 40 * VOICE_FRAME_SAMPLES, isContinued: false });
  assert.deepEqual(tracker.flush()?.window.voiced?.[0]?.startSample, 40 * VOICE_FRAME_SAMPLES);
});

test('a voice that continues faintly after a flush starts where it is heard', () => {
  const tracker = new UtteranceTracker(600);
  tracker.push(frames(2, 0.95));
  tracker.push(frames(11, 0.02));
  assert.equal(tracker.flush(), null);
  tracker.endSilence();
  const [started] = tracker.push(frames(1, 0.3));
  assert.deepEqual(started, { type: 'speech_started', sample: 13 * VOICE_FRAME_SAMPLES, isContinued: false });
});

test('a faint voice that does not become speech holds a flush back by ten frames at most', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(40, 0.4));
  assert.equal(tracker.endSilence(), 30 * VOICE_FRAME_SAMPLES);
});

test('speech that was too quiet for a long time begins where its audio is still held', () => {
  const tracker = new UtteranceTracker(320);
  tracker.push(frames(5, 0.4));
  for (let count = 0; count < 300; count++) tracker.push(frames(1, 0.25));
  const heldFrom = tracker.neededFromSample;
  tracker.push(frames(10, 0.9));
  assert.ok(tracker.open!.startSample >= heldFrom);
});

test('an endless utterance is cut at its best pause', () => {
  const tracker = new UtteranceTracker(600);
  const events = [
    ...tracker.push(frames(280, 0.9)),
    ...tracker.push(frames(8, 0.05)),
    ...tracker.push(frames(280, 0.9)),
  ];
  const [cut] = events.flatMap((event) => (event.type === 'utterance' ? [event.utterance] : []));
  assert.equal(cut?.endedBy, 'length');
  assert.ok(Math.abs(cut!.endSample / VOICE_FRAME_SAMPLES - 284) <= 4);
  assert.equal(tracker.open?.startSample, cut?.endSample);
});
