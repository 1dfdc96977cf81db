import assert from 'node:assert/strict';
import test from 'node:test';
import type { TurnPause } from '../../speech/turns/turn-detector.ts';
import type { Final, Interim, Turn, TurnStep } from '../transcriber.ts';
import { EMPTY_TEXT } from '../transcript-collector.ts';
import { Turns } from './turns.ts';

const finalOf = (text: string, startMs: number, endMs: number, endedBy: Final['endedBy'] = 'endpoint'): Final => ({
  startMs,
  endMs,
  endedBy,
  transcript: { ...EMPTY_TEXT, text, rawText: text },
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
const SOUND = new Float32Array(4);

/** Turns whose detector answers with this probability at every length of a pause. */
const follow = (answer: number | Error | (() => number | Error), eagerEnd: number | null = null) => {
  const steps: { step: TurnStep; turn: Turn }[] = [];
  const asked: TurnPause[] = [];
  const thresholds = { end: 0.7, eagerEnd, timeoutMs: 3_000 };
  const turns = new Turns({
    thresholds,
    detector: {
      chances: async (pause) => {
        asked.push(pause);
        const chance = typeof answer === 'function' ? answer() : answer;
        if (chance instanceof Error) throw chance;
        return [chance];
      },
    },
    emit: (event) => {
      if (event.type === 'turn') steps.push(event);
    },
  });
  const stepNames = () => steps.map(({ step }) => step);
  return { turns, steps, asked, thresholds, stepNames };
};

test('a turn starts with its first words and ends at a pause that is likely its end', async () => {
  const { turns, steps, asked, stepNames } = follow(0.9);
  turns.speechStarted(500);
  turns.speechEnded(1_500, SOUND);
  turns.silence(1_800);
  turns.final(finalOf('Yes, please.', 0, 1_736));
  await settled();
  assert.deepEqual(stepNames(), ['started', 'ended']);
  assert.deepEqual([steps[1]?.turn.startMs, steps[1]?.turn.endMs, steps[1]?.turn.index], [500, 1_500, 0]);
  assert.deepEqual([asked[0]?.text, asked[0]?.turnSeconds], ['Yes, please.', 1]);
});

test('a pause that was judged before its final is not judged again', async () => {
  const { turns, asked, stepNames } = follow(0.9);
  turns.speechStarted(500);
  await turns.chances({ atMs: 1_500, samples: SOUND }, 'Yes, please.');
  turns.speechEnded(1_500, SOUND);
  turns.silence(1_800);
  turns.final(finalOf('Yes, please.', 0, 1_596));
  await settled();
  assert.deepEqual([asked.length, stepNames()], [1, ['started', 'ended']]);
  turns.speechStarted(2_500);
  turns.speechEnded(3_500, SOUND);
  turns.final(finalOf('Goodbye.', 1_596, 3_736));
  await settled();
  assert.deepEqual([asked.length, stepNames().slice(2)], [2, ['started', 'ended']]);
});

test('a pause that could not be judged before its final is judged after it', async () => {
  const answers = [new Error('gone'), 0.9];
  const { turns, asked, stepNames } = follow(() => answers.shift()!);
  turns.speechStarted(500);
  assert.equal(await turns.chances({ atMs: 1_500, samples: SOUND }, 'Yes, please.'), null);
  turns.speechEnded(1_500, SOUND);
  turns.silence(1_800);
  turns.final(finalOf('Yes, please.', 0, 1_596));
  await settled();
  assert.deepEqual([asked.length, stepNames()], [2, ['started', 'ended']]);
});

test('an unlikely end waits for the timeout, and so does one that cannot be judged', async () => {
  for (const chance of [0.2, new Error('gone')]) {
    const { turns, stepNames } = follow(chance);
    turns.speechStarted(500);
    turns.speechEnded(1_500, SOUND);
    turns.final(finalOf('I would like to', 0, 1_736));
    await settled();
    turns.silence(4_400);
    assert.deepEqual(stepNames(), ['started']);
    turns.silence(4_500);
    assert.deepEqual(stepNames(), ['started', 'ended']);
  }
});

test('an eager end is revoked when speech continues, and the turn has all the words', async () => {
  const { turns, steps, stepNames } = follow(0.5, 0.4);
  turns.speechStarted(500);
  turns.speechEnded(1_500, SOUND);
  turns.silence(1_800);
  turns.final(finalOf('My number is', 0, 1_736));
  await settled();
  turns.speechStarted(2_500);
  turns.speechEnded(3_500, SOUND);
  turns.final(finalOf('five.', 1_736, 3_736));
  turns.silence(6_500);
  await settled();
  assert.deepEqual(stepNames(), ['started', 'eager_end', 'resumed', 'updated', 'ended']);
  assert.equal(steps.at(-1)?.turn.finals.length, 2);
});

test('a late answer about a pause that is over does not end the turn', async () => {
  const { turns, stepNames } = follow(0.9);
  turns.speechStarted(500);
  turns.speechEnded(1_500, SOUND);
  turns.final(finalOf('My number is', 0, 1_736));
  turns.speechStarted(2_000);
  await settled();
  assert.deepEqual(stepNames(), ['started']);
});

test('a late final of an earlier pause does not end the turn while somebody speaks', async () => {
  const { turns, stepNames } = follow(0.9);
  turns.speechStarted(500);
  turns.speechEnded(1_500, SOUND);
  turns.speechStarted(2_000);
  turns.final(finalOf('My number is', 0, 1_736));
  await settled();
  assert.deepEqual(stepNames(), ['started']);
});

test('thresholds may change during a pause; noise and a flush end a turn at once', async () => {
  const { turns, thresholds, steps, stepNames } = follow(0.6);
  turns.speechStarted(500);
  turns.speechEnded(1_500, SOUND);
  turns.final(finalOf('Yes.', 0, 1_736));
  await settled();
  thresholds.end = 0.5;
  turns.silence(1_900);
  assert.deepEqual(stepNames(), ['started', 'ended']);
  turns.speechStarted(5_000);
  turns.final(finalOf('And', 1_736, 5_500, 'flush'));
  assert.deepEqual(stepNames().slice(2), ['started', 'ended']);
  assert.equal(steps.at(-1)?.turn.index, 1);
  turns.speechStarted(8_000);
  turns.speechEnded(8_200, SOUND);
  turns.final(finalOf('', 5_500, 8_400));
  assert.deepEqual(stepNames().slice(4), ['ended']);
  assert.deepEqual(steps.at(-1)?.turn.finals, []);
});

test('speech after a flush, before its late final, is the next turn and ends on its own', async () => {
  const { turns, steps, stepNames } = follow(0.9);
  turns.speechStarted(0);
  // Flushed at 1,000 ms, in the middle of speech.
  turns.speechStarted(1_000);
  turns.speechEnded(2_000, SOUND);
  turns.final(finalOf('The first part', 0, 1_000, 'flush'));
  turns.final(finalOf('and the second.', 1_000, 2_236));
  turns.silence(2_300);
  await settled();
  assert.deepEqual(stepNames(), ['started', 'ended', 'started', 'ended']);
  assert.deepEqual(
    steps.filter(({ step }) => step === 'ended').map(({ turn }) => [turn.index, turn.startMs, turn.endMs]),
    [
      [0, 0, 1_000],
      [1, 1_000, 2_000],
    ],
  );
});

const interimOf = (text: string, startMs: number, endMs: number): Interim => ({
  startMs,
  endMs,
  committed: 0,
  language: 'en',
  words: text === '' ? [] : [{ text, startMs, endMs, confidence: 0.9 }],
});

test('a turn whose first words are concealed starts with the first ones shown', () => {
  const { turns, stepNames } = follow(0.9);
  turns.speechStarted(500);
  turns.interim(interimOf('', 500, 1_000));
  assert.deepEqual(stepNames(), []);
  turns.interim(interimOf('Yes', 500, 1_200));
  turns.interim(interimOf('', 500, 1_400));
  assert.deepEqual(stepNames(), ['started', 'updated']);
});

test('a turn whose words were noise ends as it started; mere noise never starts', () => {
  const { turns, steps, stepNames } = follow(0.9);
  for (const startMs of [500, 3_000]) {
    turns.speechStarted(startMs);
    if (startMs === 500) turns.interim(interimOf('Um', 500, 1_000));
    turns.speechEnded(startMs + 1_000, SOUND);
    turns.final(finalOf('', startMs, startMs + 1_300));
  }
  assert.deepEqual(stepNames(), ['started', 'ended', 'ended']);
  assert.deepEqual(
    steps.map(({ turn }) => [turn.index, turn.hasStarted]),
    [
      [0, true],
      [0, true],
      [1, false],
    ],
  );
});
