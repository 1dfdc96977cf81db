import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MoonshineGraphs } from './graphs.ts';
import { encodeAudio, transcribe } from './transcribe.ts';

const END = 2;
const FIRST = 10;
const WORDS = 40;

/** Gives these tokens, by default one after the other, with these log-probabilities, and then ends. */
const scriptedGraphs = (logProbabilities: readonly number[], tokens = logProbabilities.map((_, nth) => nth)) => {
  let steps = 0;
  const graphs: MoonshineGraphs = {
    encode: async () => ({ audio: {}, past: {}, tokens: 0 }),
    async decode(given, memory) {
      steps += 1;
      const rowAt = (place: number) => {
        const logits = new Float32Array(FIRST + WORDS);
        logits[place >= logProbabilities.length ? END : FIRST + tokens[place]!] = 9;
        return { logits, logSum: 9 - (logProbabilities[place] ?? 0) };
      };
      const rows = given.map((_, nth) => rowAt(memory.tokens + nth));
      return { rows, memory: { ...memory, tokens: memory.tokens + given.length }, attention: [] };
    },
    shorten: (memory, count) => ({ ...memory, tokens: Math.min(memory.tokens, count) }),
    attend: async () => [],
    close: async () => undefined,
  };
  return { graphs, steps: () => steps };
};

const SAMPLES = new Float32Array(10 * 16_000);
const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);
const read = async (logProbabilities: readonly number[], stopWhenLost = false, scripted?: number[]) => {
  const { graphs, steps } = scriptedGraphs(logProbabilities, scripted);
  const audio = await encodeAudio(graphs, SAMPLES);
  const transcript = await transcribe(graphs, audio, SAMPLES.length, { checkpoint: () => undefined, stopWhenLost });
  return { ...transcript, steps: steps() };
};

test('a model that is at a loss after twelve tokens stops, where that is asked', async () => {
  const { tokens, isLost, degenerate, steps } = await read(repeated(-1, 30), true);
  assert.equal(isLost, true);
  assert.equal(degenerate, true);
  assert.equal(tokens.length, 12);
  assert.equal(steps, 12);
});

test('elsewhere it decodes to the end', async () => {
  const { tokens, isLost, averageLogProbability } = await read(repeated(-1, 30));
  assert.equal(isLost, false);
  assert.equal(tokens.length, 30);
  assert.ok(Math.abs(averageLogProbability + 30 / 31) < 1e-6);
});

test('a few doubtful words among good ones are no loss', async () => {
  const { isLost, degenerate, tokens } = await read([...repeated(-3, 3), ...repeated(-0.1, 20)], true);
  assert.equal(isLost, false);
  assert.equal(degenerate, false);
  assert.equal(tokens.length, 23);
});

test('a loop is a loop, not a loss', async () => {
  const phrase = [0, 1, 2, 3];
  const tokens = [...Array.from({ length: 11 }, (_, nth) => 20 + nth), ...phrase, ...phrase, ...phrase, ...phrase];
  const { isLost, degenerate } = await read(repeated(-0.6, tokens.length), true, tokens);
  assert.equal(isLost, false);
  assert.equal(degenerate, true);
});
