// Tests terms in decoded text with a scripted model: every word is a token, and its likelihood is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOf, type Hypothesis } from '../acoustic/acoustic-model.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import { applyTerms, type ForcedDecoding, scoreByRows } from './apply-terms.ts';
import { TermList } from './term-list.ts';

const END = 0;
const CERTAIN = -0.01;
const NEVER = -30;

/** `likely`: log-probability of a word after another one; a text starts after "". */
const scripted = (text: string, likely: Readonly<Record<string, number>>) => {
  const words = ['<end>'];
  const idOf = (word: string): number => {
    if (!words.includes(word)) words.push(word);
    return words.indexOf(word);
  };
  const encode = (written: string): number[] => written.split(' ').map(idOf);
  const tokens = encode(text);
  for (const pair of Object.keys(likely)) encode(pair);
  const rowAfter = (before: number): LogitRow => {
    const logits = new Float32Array(100).fill(NEVER);
    const place = tokens.indexOf(before);
    logits[before === -1 ? tokens[0]! : (tokens[place + 1] ?? END)] = CERTAIN;
    const last = before === -1 ? '' : words[before]!;
    for (const [pair, value] of Object.entries(likely)) {
      const [first, second] = pair.split(' ');
      if (first === last) logits[second === '<end>' ? END : idOf(second!)] = value;
    }
    return { logits, logSum: 0 };
  };
  let runs = 0;
  const rows = [-1, ...tokens].map(rowAfter);
  const decoding: ForcedDecoding = {
    model: 'scripted',
    encode,
    pieces: (all) => all.map((token) => ` ${words[token]}`),
    endToken: END,
    rows,
    score: scoreByRows(rows, async (branches) => {
      runs += branches.length;
      return branches.map(({ tokens: others }) => others.map(rowAfter));
    }),
  };
  const hypothesis: Hypothesis = {
    text,
    averageLogProbability: CERTAIN,
    noSpeechProbability: 0,
    degenerate: false,
    stoppedEarly: false,
    tokens,
    logProbabilities: tokens.map(() => CERTAIN),
  };
  const apply = async (terms: readonly string[], firstToken = 0) => {
    const list = new TermList(terms.map((term) => ({ text: term })));
    const found = await applyTerms(hypothesis, list, decoding, { firstToken, checkpoint: () => undefined });
    return { ...found, text: found.tokens.map((token) => words[token]).join(' ') };
  };
  return { hypothesis, apply, runs: () => runs };
};

const SAID = { 'of Merneptah': -2, 'Merneptah the': CERTAIN };

test('a term is written where the model finds it nearly as likely, and the replaced words are reported', async () => {
  const { apply } = scripted('king of Marineptah the great', SAID);
  const { text, terms } = await apply(['Merneptah', 'Kubernetes']);
  assert.equal(text, 'king of Merneptah the great');
  assert.deepEqual(terms, [{ term: 'Merneptah', instead: 'Marineptah', from: 2, to: 3, replaced: 1 }]);
});

test('another model gets a draft without terms', async () => {
  const { apply } = scripted('king of Marineptah the great', SAID);
  assert.equal(draftOf(await apply(['Merneptah'])), 'king of Marineptah the great');
  assert.equal(draftOf(await apply(['Kubernetes'])), 'king of Marineptah the great');
  assert.equal(draftOf({ ...(await apply(['Merneptah'])), degenerate: true }), '');
});

test('a term gets the confidence of the words that it replaces', async () => {
  const { apply } = scripted('king of Marineptah the great', SAID);
  const { logProbabilities } = await apply(['Merneptah']);
  assert.deepEqual(logProbabilities, [CERTAIN, CERTAIN, CERTAIN, CERTAIN, CERTAIN]);
});

test('a term that the model finds unlikely is not even scored', async () => {
  const { apply, runs } = scripted('king of Marineptah the great', {});
  const { text, terms } = await apply(['Merneptah']);
  assert.deepEqual([text, terms, runs()], ['king of Marineptah the great', undefined, 0]);
});

test('a term after which the text is unlikely is not written', async () => {
  const { apply, runs } = scripted('king of Marineptah the great', { 'of Merneptah': -2 });
  const { text } = await apply(['Merneptah']);
  assert.deepEqual([text, runs()], ['king of Marineptah the great', 1]);
});

test('terms that sound like nothing in the text are not scored', async () => {
  const { apply, runs, hypothesis } = scripted('king of Marineptah the great', { 'of Zanzibar': -1 });
  const { tokens } = await apply(['Zanzibar', 'Quito']);
  assert.deepEqual([tokens, runs()], [hypothesis.tokens, 0]);
});

test('the end of the text counts: a term that is half a word is not written', async () => {
  const { apply } = scripted('we met Alison', { 'met Alis': -1 });
  assert.equal((await apply(['Alis'])).text, 'we met Alison');
});

test('committed text is not changed', async () => {
  const { apply } = scripted('king of Marineptah the great', SAID);
  assert.equal((await apply(['Merneptah'], 4)).text, 'king of Marineptah the great');
});

test('one term may replace several words', async () => {
  const { apply } = scripted('on cooper netties today', { 'on Kubernetes': -1, 'Kubernetes today': CERTAIN });
  const { text, terms } = await apply(['Kubernetes']);
  assert.deepEqual([text, terms?.[0]?.instead], ['on Kubernetes today', 'cooper netties']);
});

test('the punctuation and the possessive of the replaced words are kept', async () => {
  const { apply } = scripted("at Crofton's, then", { at: 0, "at Crafton's,": -1, "Crafton's, then": CERTAIN });
  assert.equal((await apply(['Crafton'])).text, "at Crafton's, then");
});

test('a lower-case term takes the capital of the word it replaces', async () => {
  const { apply } = scripted('Marineptah was king', { ' Merneptah': -1, 'Merneptah was': CERTAIN });
  assert.equal((await apply(['merneptah'])).text, 'Merneptah was king');
});

test('no term is written where nothing was heard', async () => {
  const { hypothesis, apply } = scripted('noise', {});
  const silent: Hypothesis = { ...hypothesis, text: '', tokens: [], logProbabilities: [] };
  const forced: ForcedDecoding = {
    model: 'x',
    encode: () => [1],
    pieces: () => [],
    endToken: END,
    rows: [],
    score: async () => [],
  };
  const list = new TermList([{ text: 'Merneptah' }]);
  assert.equal(await applyTerms(silent, list, forced, { checkpoint: () => undefined }), silent);
  assert.equal((await apply(['Merneptah', 'Kubernetes'])).text, 'noise');
});

test('a weight widens the margin, and 0 closes it', async () => {
  const texts = async (weight: number) => {
    const { hypothesis } = scripted('of Marineptah', {});
    const rows = [
      { logits: Float32Array.of(-30, CERTAIN, -30, -30), logSum: 0 },
      { logits: Float32Array.of(-30, -30, CERTAIN, -6.9), logSum: 0 },
      { logits: Float32Array.of(-6, -30, -30, -30), logSum: 0 },
    ];
    const names = ['<end>', 'of', 'Marineptah', 'Merneptah'];
    const forced: ForcedDecoding = {
      model: 'scripted',
      encode: () => [3],
      pieces: (all) => all.map((token) => ` ${names[token]}`),
      endToken: END,
      rows,
      score: scoreByRows(rows, async (branches) => branches.map(({ tokens }) => tokens.map(() => rows[2]!))),
    };
    const list = new TermList([{ text: 'Merneptah', weight }]);
    const heard = { ...hypothesis, tokens: [1, 2], logProbabilities: [CERTAIN, CERTAIN] };
    const { tokens } = await applyTerms(heard, list, forced, { checkpoint: () => undefined });
    return tokens.map((token) => names[token]).join(' ');
  };
  assert.equal(await texts(0), 'of Marineptah');
  assert.equal(await texts(0.5), 'of Marineptah');
  assert.equal(await texts(2), 'of Merneptah');
});
