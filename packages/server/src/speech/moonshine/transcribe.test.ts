import assert from 'node:assert/strict';
import { test } from 'node:test';
import llamaTokenizer from 'llama-tokenizer-js';
import type { MoonshineGraphs } from './graphs.ts';
import { encodeAudio, transcribe } from './transcribe.ts';

const END = 2;
const FIRST = 10;
const WORDS = 40;

/** Emits these tokens (default: 0, 1, 2, …) with these log-probabilities, and then the end. */
const scriptedGraphs = (
  logProbabilities: readonly number[],
  tokens = logProbabilities.map((_, nth) => nth),
  words = WORDS,
) => {
  let steps = 0;
  const graphs: MoonshineGraphs = {
    frameMs: 24,
    leadMs: 0,
    encode: async () => ({ audio: {}, past: {}, tokens: 0 }),
    async decode(given, state) {
      steps += 1;
      const rowAt = (place: number) => {
        const logits = new Float32Array(FIRST + words);
        logits[place >= logProbabilities.length ? END : FIRST + tokens[place]!] = 9;
        return { logits, logSum: 9 - (logProbabilities[place] ?? 0) };
      };
      const rows = given.map((_, nth) => rowAt(state.tokens + nth));
      return { rows, state: { ...state, tokens: state.tokens + given.length }, attention: [] };
    },
    shorten: (state, count) => ({ ...state, tokens: Math.min(state.tokens, count) }),
    attend: async () => [],
    close: async () => undefined,
  };
  return { graphs, steps: () => steps };
};

const SAMPLES = new Float32Array(10 * 16_000);
const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);
const read = async (logProbabilities: readonly number[], stopWhenUnlikely = false, scripted?: number[]) => {
  const { graphs, steps } = scriptedGraphs(logProbabilities, scripted);
  const audio = await encodeAudio(graphs, SAMPLES);
  const hypothesis = await transcribe(graphs, audio, SAMPLES.length, { checkpoint: () => undefined, stopWhenUnlikely });
  return { ...hypothesis, steps: steps() };
};

test('improbable text stops after twelve tokens, if requested', async () => {
  const { tokens, stoppedEarly, degenerate, steps } = await read(repeated(-1, 30), true);
  assert.equal(stoppedEarly, true);
  assert.equal(degenerate, true);
  assert.equal(tokens.length, 12);
  assert.equal(steps, 12);
});

test('by default, improbable text is decoded to the end', async () => {
  const { tokens, stoppedEarly, averageLogProbability } = await read(repeated(-1, 30));
  assert.equal(stoppedEarly, false);
  assert.equal(tokens.length, 30);
  assert.ok(Math.abs(averageLogProbability + 30 / 31) < 1e-6);
});

test('a few doubtful words among good ones do not stop decoding', async () => {
  const { stoppedEarly, degenerate, tokens } = await read([...repeated(-3, 3), ...repeated(-0.1, 20)], true);
  assert.equal(stoppedEarly, false);
  assert.equal(degenerate, false);
  assert.equal(tokens.length, 23);
});

test('a loop is reported as a loop', async () => {
  const phrase = [0, 1, 2, 3];
  const tokens = [...Array.from({ length: 11 }, (_, nth) => 20 + nth), ...phrase, ...phrase, ...phrase, ...phrase];
  const { stoppedEarly, degenerate } = await read(repeated(-0.6, tokens.length), true, tokens);
  assert.equal(stoppedEarly, false);
  assert.equal(degenerate, true);
});

test('committed text is kept, whatever the model would choose, without extra steps', async () => {
  const { graphs, steps } = scriptedGraphs(repeated(-0.1, 5));
  const audio = await encodeAudio(graphs, SAMPLES);
  const options = { checkpoint: () => undefined, committedText: 'we met' };
  const { tokens, text } = await transcribe(graphs, audio, SAMPLES.length, options);
  assert.ok(text.startsWith('we met'), text);
  assert.equal(tokens.length, 5);
  // One run for the committed words, and one for each token after them.
  assert.equal(steps(), 1 + tokens.length - 2);
});

test('a correct draft is checked in one run; a wrong one changes nothing', async () => {
  const said = llamaTokenizer.encode('we met at noon near the old bridge', false, true);
  const scripted = said.map((token) => token - FIRST);
  const readWith = async (draft: string) => {
    const { graphs, steps } = scriptedGraphs(repeated(-0.1, said.length), scripted, 40_000);
    const audio = await encodeAudio(graphs, SAMPLES);
    const { text } = await transcribe(graphs, audio, SAMPLES.length, { checkpoint: () => undefined, draft });
    return { text, steps: steps() };
  };
  const plain = await readWith('');
  assert.deepEqual(plain, { text: 'we met at noon near the old bridge', steps: said.length + 1 });
  assert.deepEqual(await readWith(plain.text), { text: plain.text, steps: 1 });
  for (const draft of ['we met at nine near the old bridge', 'he met', 'near the old bridge', 'something else'])
    assert.equal((await readWith(draft)).text, plain.text);
});
