// Fuzz tests: no text makes the chain throw, return a wrong edit list or invent a word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refineText } from '../../src/refine/chain.ts';
import { readCorpus } from './corpus.ts';
import { checkRefinement } from './properties.ts';

const languages = fc.constantFrom('en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'sv', 'zh', 'ar', null);
const vocabularyOf = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 4 });

/** Words that rules look for, in any order and with any marks, which are most likely to break a rule. */
const loaded = [
  ...new Set(readCorpus().flatMap(({ input }) => input.pieces.flatMap(({ text }) => text.split(/\s+/u)))),
];
const salad = fc
  .array(fc.tuple(fc.constantFrom(...loaded), fc.constantFrom('', '', '', ',', '.', '?', '-', '...', '"', ')')), {
    maxLength: 40,
  })
  .map((words) => words.map(([word, mark]) => word + mark).join(' '));
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  salad,
);

test('any pieces in any language yield a correct edit list and no invented word', () => {
  fc.assert(
    fc.property(
      fc.array(anything, { maxLength: 4 }),
      languages,
      vocabularyOf,
      fc.integer({ min: 100, max: 4000 }),
      checkRefinement,
    ),
    { numRuns: 1500 },
  );
});

test('languages without rules lose no letter', () => {
  // Each word occurs once, so that nothing looks like a loop.
  const word = fc.string({ unit: fc.constantFrom(...'aäзñ글אم'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 30 }), fc.constantFrom('sv', 'ru', 'ko', 'ar'), (words, language) => {
      const text = words.join(' ');
      assert.equal(refineText(text, language).text, text);
    }),
    { numRuns: 300 },
  );
});
