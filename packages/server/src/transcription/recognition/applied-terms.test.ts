// Tests that terms of several windows are located in the raw text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { appliedTerms } from './applied-terms.ts';

const recognised = (text: string, ...terms: readonly string[]) => ({
  recognition: recognitionOf({
    text,
    terms: terms.map((term) => ({
      text: term,
      instead: 'x',
      start: text.indexOf(term),
      end: text.indexOf(term) + term.length,
    })),
  }),
});

test('each term is found in its own window', () => {
  const raw = 'Anna went home. Then Anna met Merneptah.';
  const found = appliedTerms(raw, [
    recognised(' Anna went home.'),
    recognised('Then Anna met Merneptah.', 'Anna', 'Merneptah'),
  ]);
  assert.deepEqual(
    found.map(({ start, end }) => [start, raw.slice(start, end)]),
    [
      [21, 'Anna'],
      [30, 'Merneptah'],
    ],
  );
});
