import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignTokens } from './align.ts';
import { textPieces, tokenGroups, wordsOf } from './words.ts';

/** A head that attends to `frames[i]` for token i. */
const headLookingAt = (frames: readonly number[], length: number) => ({
  scores: Float32Array.from({ length: frames.length * length }, (_, i) =>
    Math.abs((i % length) - frames[Math.floor(i / length)]!) < 4 ? 8 : 0,
  ),
  frames: length,
});

test('every token spans the frames that the heads attend to', () => {
  const { starts } = alignTokens([headLookingAt([5, 20, 40], 60), headLookingAt([5, 22, 40], 60)], 3, 60);
  assert.equal(starts.length, 4);
  assert.deepEqual(
    starts.toSorted((a, b) => a - b),
    starts,
  );
  for (const [i, look] of [5, 21, 40].entries()) assert.ok(starts[i]! <= look && starts[i + 1]! >= look, `${starts}`);
});

test('a token is heard where attention rises, not where its frames begin', () => {
  const { starts, onsets } = alignTokens([headLookingAt([5, 70], 100)], 2, 100);
  assert.ok(starts[1]! < 40 && Math.abs(onsets[1]! - 65) <= 2, `${starts}; ${onsets}`);
  for (const [token, onset] of onsets.entries()) assert.ok(onset >= starts[token]! && onset <= starts[token + 1]!);
});

test('frames after the audio are ignored', () => {
  assert.equal(alignTokens([headLookingAt([5, 90], 100)], 2, 30).starts.at(-1), 30);
});

const timed = (texts: readonly string[]) =>
  texts.map((text, i) => ({ text, startMs: i * 100, endMs: i * 100 + 100, logProbability: Math.log(0.5) }));

test('words are split at spaces, and keep the punctuation after them', () => {
  assert.deepEqual(wordsOf(timed([' Hel', 'lo', ',', ' you', '.'])), [
    { text: 'Hello,', startMs: 0, endMs: 200, confidence: 0.5, markProbability: 0.5 },
    { text: 'you.', startMs: 300, endMs: 400, confidence: 0.5, markProbability: 0.5 },
  ]);
});

test('scripts without spaces are split at every character', () => {
  assert.deepEqual(
    wordsOf(timed(['延', '長', '。'])).map(({ text }) => text),
    ['延', '長。'],
  );
});

test('a character made of several tokens appears with the last one', () => {
  const letters: Record<string, string> = { '1': '\uFFFD', '1,2': '語', '3': 'a' };
  assert.deepEqual(
    textPieces([1, 2, 3], (tokens) => letters[tokens.join()]!),
    ['', '語', 'a'],
  );
});

test('a combining mark stays with its letter where words are not separated by spaces', () => {
  assert.deepEqual(tokenGroups(['ท', 'ี', '่', 'นี', '่']), [
    { from: 0, to: 3 },
    { from: 3, to: 5 },
  ]);
});
