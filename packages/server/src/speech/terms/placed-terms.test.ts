// Tests that terms are located in a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placedTerms } from './placed-terms.ts';

test('a term is located by its first word, without punctuation', () => {
  const term = { text: 'rigor mortis', instead: 'rigger Morris' };
  const words = [{ text: 'The' }, { text: 'rigor', term }, { text: 'mortis,' }, { text: 'then.' }];
  const { terms } = placedTerms('The rigor mortis, then.', words);
  assert.deepEqual(terms, [{ ...term, start: 4, end: 16 }]);
});

test('a text without terms has no list of terms', () => {
  assert.deepEqual(placedTerms('The end.', [{ text: 'The' }, { text: 'end.' }]), {});
});
