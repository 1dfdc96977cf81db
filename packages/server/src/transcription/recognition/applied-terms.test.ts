// Terms of several windows in the raw text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recognition } from '../../speech/recogniser.ts';
import { appliedTerms } from './applied-terms.ts';

const recognition = (text: string, ...terms: readonly string[]): Recognition => ({
  text,
  words: [],
  languages: [],
  languageChange: null,
  averageLogProbability: 0,
  terms: terms.map((term) => ({
    text: term,
    instead: 'x',
    start: text.indexOf(term),
    end: text.indexOf(term) + term.length,
  })),
});

test('each term is found in its own window', () => {
  const raw = 'Anna went home. Then Anna met Merneptah.';
  const found = appliedTerms(raw, [
    recognition(' Anna went home.'),
    recognition('Then Anna met Merneptah.', 'Anna', 'Merneptah'),
  ]);
  assert.deepEqual(
    found.map(({ start, end }) => [start, raw.slice(start, end)]),
    [
      [21, 'Anna'],
      [30, 'Merneptah'],
    ],
  );
});
