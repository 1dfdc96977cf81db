import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_TIMESTAMP, PROMPT, scriptedGraphs, scriptedTokenizer } from './testing/scripted-whisper.ts';
import { decodeWithTimestamps } from './timestamps.ts';

const SECOND = 16_000;
const at = (seconds: number): number => FIRST_TIMESTAMP + seconds * 50;
const LOOP = Array.from({ length: 60 }, (_, i) => 30 + (i % 2));

const decodedFrom = (seconds: number, ...texts: readonly (readonly number[])[]) =>
  decodedWithin(450, seconds, ...texts);

const decodedWithin = async (tokensInAllMax: number, seconds: number, ...texts: readonly (readonly number[])[]) => {
  const { graphs } = scriptedGraphs(...texts);
  const samples = new Float32Array(seconds * SECOND);
  const encoded: number[] = [];
  const encode = (rest: Float32Array) => {
    encoded.push(rest.length / SECOND);
    return graphs.encode(rest, 0, 0);
  };
  const options = {
    prompt: PROMPT,
    samples,
    encode,
    tokensMaxFor: () => 150,
    tokensInAllMax,
    temperature: 0,
    random: () => 0,
  };
  const { tokens, logProbabilities, ending } = await decodeWithTimestamps(
    graphs,
    scriptedTokenizer,
    await graphs.encode(samples, 0, 0),
    options,
    () => undefined,
  );
  assert.equal(tokens.length, logProbabilities.length);
  return { tokens, ending, encoded };
};

test('words are kept and timestamps are not', async () => {
  const result = await decodedFrom(10, [at(0), 1, 2, at(4), at(4), 3, 4, at(9.5)]);
  assert.deepEqual(result, { tokens: [1, 2, 3, 4], ending: 'end', encoded: [] });
});

test('a loop is cut at the last timestamp before it, and the rest is decoded again', async () => {
  const result = await decodedFrom(10, [at(0), 1, 2, at(4), at(4), 5, ...LOOP], [at(0), 3, 4, at(5.5)]);
  assert.deepEqual(result, { tokens: [1, 2, 3, 4], ending: 'end', encoded: [6] });
});

test('audio after a seek that ended early is decoded too', async () => {
  const result = await decodedFrom(12, [at(0), 1, 2, at(3)], [at(0), 3, at(4)], [at(0), 4, at(4.8)]);
  assert.deepEqual(result, { tokens: [1, 2, 3, 4], ending: 'end', encoded: [9, 5] });
});

test('a seek without progress ends decoding', async () => {
  const result = await decodedFrom(10, [at(0), 1, at(4), at(4), ...LOOP], [at(0), ...LOOP]);
  assert.deepEqual(result, { tokens: [1], ending: 'loop', encoded: [6] });
});

test('all seeks together have a limit of tokens', async () => {
  const texts = [
    [at(0), 1, 2, at(4), at(4), 5, ...LOOP],
    [at(0), 3, 4, at(5.5)],
  ];
  const limited = await decodedWithin(10, 10, ...texts);
  assert.deepEqual(limited, { tokens: [1, 2], ending: 'cap', encoded: [] });
});

test('words without a closing timestamp extend to the end, and are not decoded twice', async () => {
  const result = await decodedFrom(10, [at(0), 1, 2, at(4), at(4), 3, 4]);
  assert.deepEqual(result, { tokens: [1, 2, 3, 4], ending: 'end', encoded: [] });
});

test('audio that was not decoded does not count as complete', async () => {
  assert.equal((await decodedFrom(1.2, [at(0), ...LOOP])).ending, 'loop');
  assert.equal((await decodedFrom(10, [at(0), 1, at(0.3)])).ending, 'cap');
});

test('the tokens never exceed the positions of Whisper', async () => {
  const turn = [at(0), ...Array.from({ length: 120 }, (_, i) => (i * 7 + (i % 11)) % 29), at(2.5)];
  const result = await decodedFrom(20, turn);
  assert.equal(result.ending, 'cap');
  assert.ok(result.tokens.length < 448, `${result.tokens.length} tokens`);
});
