import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBeams } from './beam.ts';
import { continuedBy, END_OF_TEXT, PROMPT, scriptedGraphs, scriptedTokenizer } from './testing/scripted-whisper.ts';

type Next = (text: readonly number[]) => ReadonlyMap<number, number>;

const search = async (graphs: ReturnType<typeof continuedBy>['graphs'], width: number, tokensMax = 40) =>
  decodeBeams(
    graphs,
    scriptedTokenizer,
    await graphs.encode(new Float32Array(0), 0),
    { prompt: PROMPT, tokensMax, width },
    () => undefined,
  );
const texts = async (next: Next, width: number) =>
  (await search(continuedBy(next).graphs, width)).map(({ tokens }) => tokens.join(' '));

/** After 1, which is likelier at first, nothing is sure; after 2 all is. */
const misleading: Next = ([first, second]) => {
  if (first === undefined)
    return new Map([
      [1, 0.6],
      [2, 0.4],
    ]);
  if (second !== undefined) return new Map([[END_OF_TEXT, 1]]);
  if (first === 2) return new Map([[3, 1]]);
  return new Map([4, 5, 6, 7].map((token) => [token, 0.25]));
};

test('the most probable text is found where the most probable token leads astray', async () => {
  assert.deepEqual((await texts(misleading, 1))[0]?.split(' ')[0], '1');
  assert.equal((await texts(misleading, 5))[0], '2 3');
});

test('as many texts as beams come back, with the log-probabilities of their own tokens', async () => {
  const found = await search(continuedBy(misleading).graphs, 3);
  assert.equal(found.length, 3);
  const [best] = found;
  assert.ok(Math.abs(best!.logProbabilities[0]! - Math.log(0.4)) < 1e-6);
  assert.ok(Math.abs(best!.averageLogProbability - Math.log(0.4) / 3) < 1e-6);
  assert.equal(best!.ending, 'end');
});

test('a short text has no advantage over a long one that is as probable token by token', async () => {
  const [short, long] = [[1], [2, 3, 4, 5, 6, 7]];
  const next: Next = (text) => {
    if (text.length === 0)
      return new Map([
        [1, 0.55],
        [2, 0.45],
      ]);
    const whole = text[0] === 1 ? short : long;
    return new Map([[whole[text.length] ?? END_OF_TEXT, text.length === 1 ? 0.55 : 1]]);
  };
  assert.equal((await texts(next, 5))[0], long.join(' '));
});

test('beams do not see the tokens of each other, however long they run and however many were given up', async () => {
  // What comes next depends on all tokens of the text: a place of another beam would show at once.
  const next: Next = (text) => {
    if (text.length === 30) return new Map([[END_OF_TEXT, 1]]);
    const sum = text.reduce((total, token, at) => total + token * (at + 1), 7) % 39;
    return new Map([
      [sum, 0.7],
      [(sum + 1) % 39, 0.3],
    ]);
  };
  for (const { tokens, logProbabilities } of await search(continuedBy(next).graphs, 5)) {
    for (const [at, token] of tokens.entries()) {
      const probability = next(tokens.slice(0, at)).get(token);
      assert.ok(Math.abs(Math.exp(logProbabilities[at]!) - (probability ?? 0)) < 1e-5, `token ${at}`);
    }
  }
});

test('a loop is given up, and other texts go on', async () => {
  const next: Next = (text) => {
    if (text.length === 0)
      return new Map([
        [1, 0.7],
        [2, 0.3],
      ]);
    return text[0] === 1 ? new Map([[1, 1]]) : new Map([[text.length < 4 ? text.length + 2 : END_OF_TEXT, 1]]);
  };
  assert.deepEqual(await texts(next, 5), ['2 3 4 5']);
  const [onlyLoop] = await search(scriptedGraphs(Array.from({ length: 40 }, () => 3)).graphs, 5);
  assert.equal(onlyLoop?.ending, 'loop');
});

test('a text that never ends is cut where it may be longest', async () => {
  const [endless] = await search(continuedBy((text) => new Map([[(text.length * 7) % 39, 1]])).graphs, 5, 12);
  assert.equal(endless?.ending, 'cap');
  assert.equal(endless?.tokens.length, 12);
});
