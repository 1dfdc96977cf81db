// Tests spoken numbers in seven languages: each is written completely, with its value, or left as spoken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refineText } from '../../../src/refine/chain.ts';
import { escaped, KINDS } from './kinds.ts';
import { PHRASES } from './phrases.ts';
import { type Random, randomFrom } from './random.ts';

const NUMBERS_PER_LANGUAGE = Number(process.env.NUMBERS_PER_LANGUAGE ?? 5_000);
const SEED = Number(process.env.NUMBERS_SEED ?? 15);

/** Converts to lower case and removes the marks that end a word. */
const flat = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[.,;:!?…]+(?=\s|$)/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

interface Sentence {
  readonly text: string;
  readonly pattern: RegExp;
  readonly count: number;
}

const sentenceFor = (code: string, random: Random): Sentence => {
  let [text, pattern, count] = ['', '', 0];
  for (const part of random.pick(PHRASES[code]!.sentences).split(/(\{\w+\})/u)) {
    const kind = /^\{(\w+)\}$/u.exec(part)?.[1];
    if (!kind) {
      text += part;
      pattern += escaped(part.toLowerCase().replaceAll('.', ''));
      continue;
    }
    const said = KINDS[kind]!(code, random);
    text += said.said;
    pattern += said.pattern.toLowerCase().replaceAll('\\p', '\\P');
    count += said.count;
  }
  return { text, pattern: new RegExp(`^${pattern}$`, 'u'), count };
};

for (const code of Object.keys(PHRASES)) {
  test(`${code}: ${NUMBERS_PER_LANGUAGE} numbers, none harmed`, () => {
    const random = randomFrom(SEED);
    const harmed: string[] = [];
    let restored = 0;
    for (let said = 0; said < NUMBERS_PER_LANGUAGE; ) {
      const { text, pattern, count } = sentenceFor(code, random);
      said += count;
      const refined = refineText(text, code);
      restored += refined.numbersRestored;
      if (!pattern.test(flat(refined.text))) harmed.push(`${text} → ${refined.text}`);
    }
    assert.deepEqual(harmed.slice(0, 20), [], `${harmed.length} harmed`);
    assert.ok(
      restored < NUMBERS_PER_LANGUAGE / 100,
      `the number check should rarely be needed, but it undid ${restored} edits`,
    );
  });
}
