import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../lib/seeded-random.ts';
import { prepareTerms } from '../terms/term-list.ts';
import { bestPath } from './ctc-terms.ts';
import type { FastConformerGraphs } from './graphs.ts';
import { transcribe } from './transcribe.ts';
import { parseVocabulary } from './vocabulary.ts';
import type { EncodedFrames } from './windows.ts';
import { fastConformerWordTimes } from './word-times.ts';

const framesOf = (rows: readonly (readonly number[])[]): EncodedFrames => ({
  rows: Float32Array.from(rows.flat()),
  width: rows[0]!.length,
  frames: rows.length,
});

/** The best of all labellings that CTC reads as the tokens: repetitions are one token, blanks are dropped. */
const bestOfAll = (encoded: EncodedFrames, tokens: readonly number[], before: number, after: number): number => {
  const blank = encoded.width - 1;
  let best = Number.NEGATIVE_INFINITY;
  for (let code = 0; code < encoded.width ** encoded.frames; code++) {
    const labels = Array.from(
      { length: encoded.frames },
      (_, at) => Math.floor(code / encoded.width ** at) % encoded.width,
    );
    const all = [before, ...labels, after];
    const written = labels.filter((label, at) => label !== blank && label !== all[at]);
    // The tokens before and after the frames must not continue into them.
    const isJoined = [before, after].some((label, at) => label !== blank && label === labels.at(-at));
    if (isJoined || written.join() !== tokens.join()) continue;
    best = Math.max(
      best,
      labels.reduce((sum, label, at) => sum + encoded.rows[at * encoded.width + label]!, 0),
    );
  }
  return best;
};

test('the best path is the best of all ways to write the tokens', () => {
  const random = seededRandom(1);
  for (let nth = 0; nth < 60; nth++) {
    const frames = 1 + Math.floor(5 * random());
    const encoded = framesOf(
      Array.from({ length: frames }, () => {
        const values = Array.from({ length: 4 }, () => 4 * random());
        const sum = Math.log(values.reduce((total, value) => total + Math.exp(value), 0));
        return values.map((value) => value - sum);
      }),
    );
    const tokens = Array.from({ length: 1 + Math.floor(3 * random()) }, () => Math.floor(3 * random()));
    const [before, after] = [Math.floor(4 * random()), Math.floor(4 * random())];
    const found = bestPath(encoded, tokens, { start: 0, end: frames, before, after });
    const wanted = bestOfAll(encoded, tokens, before, after);
    assert.ok(found === wanted || Math.abs(found - wanted) < 1e-5, `${tokens} in ${frames}: ${found}, not ${wanted}`);
  }
});

const NAMES = ['▁see', '▁Mary', '▁Mar', 'ie', '▁soon', '▁', 'M', 'a', 'r', 'i', 'e', '▁M', '▁Ma', '<blk>'];
const vocabulary = parseVocabulary(NAMES.map((token, id) => `${token} ${id}\n`).join(''));
const BLANK = NAMES.length - 1;

/** Frames by their likeliest token and, optionally, another token with its probability. */
const heard = (...frames: readonly (readonly [token: number, other?: number, chance?: number])[]): EncodedFrames =>
  framesOf(
    frames.map(([token, other, chance = 0]) => {
      const rest = (1 - chance) * 1e-4;
      const row = NAMES.map(() => Math.log(rest));
      if (other !== undefined) row[other] = Math.log(chance);
      row[token] = Math.log(1 - chance - 10 * rest);
      return row;
    }),
  );

const write = async (encoded: EncodedFrames, ...terms: string[]) => {
  const graphs: FastConformerGraphs = {
    melBins: 80,
    joint: null,
    encode: async () => encoded,
    close: async () => undefined,
  };
  const model = { id: 'scripted', graphs, vocabulary, tokensPerFrameMax: 10 };
  const list = prepareTerms(terms.map((text) => ({ text })));
  const found = await transcribe(model, encoded, 16_000, { ...(list && { terms: list }), checkpoint: () => undefined });
  return { ...found, words: fastConformerWordTimes(vocabulary, found, { frameMs: 80, audioMs: 2_000 }) };
};

test('CTC writes a term that is nearly as likely in its frames, with the times of the words it replaces', async () => {
  const unsure = heard([BLANK], [0], [1, 2, 0.2], [BLANK, 3, 0.3], [BLANK], [4], [BLANK]);
  assert.equal((await write(unsure)).text, 'see Mary soon');
  const { text, terms, words } = await write(unsure, 'Marie');
  assert.equal(text, 'see Marie soon');
  assert.deepEqual(terms, [{ term: 'Marie', instead: 'Mary', from: 1, to: 3, replaced: 1 }]);
  assert.deepEqual(
    words.map(({ text: word, startMs, endMs }) => [word, startMs, endMs]),
    [
      ['see', 80, 160],
      ['Marie', 160, 240],
      ['soon', 400, 480],
    ],
  );
});

test('CTC writes no term that is unlikely in its frames or does not fit into them', async () => {
  const sure = heard([0], [1], [BLANK], [4]);
  assert.equal((await write(sure, 'Marie')).text, 'see Mary soon');
  const half = heard([0], [1, 2, 0.2], [4], [BLANK]);
  assert.equal((await write(half, 'Marie')).text, 'see Mary soon');
});
