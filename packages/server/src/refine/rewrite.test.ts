// Tests rewriting: punctuation of deleted words moves to their neighbours, and every change is recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits, editsOf, textOf } from './edits.ts';
import { textInput } from './refiner.ts';
import { rewrite } from './rewrite.ts';
import { tokenise } from './token.ts';

const without = (text: string, word: string): string => {
  const { rawText, tokens } = tokenise(textInput(text, 'en').pieces, 'en');
  const result = rewrite(tokens, 'test', (at) => (at.key(0) === word ? { take: 1, put: [], reason: 'deleted' } : null));
  const refined = textOf(result.tokens);
  const edits = editsOf(rawText, result.tokens, result.records);
  assert.equal(applyEdits(rawText, edits), refined);
  assert.ok(edits.every(({ pass, reason }) => pass === 'test' && reason === 'deleted'));
  return refined;
};

test('the full stop stays when the last word of a sentence is deleted', () => {
  assert.equal(without('We go home now. Then sleep.', 'now'), 'We go home. Then sleep.');
  assert.equal(without('Shall we go, now?', 'now'), 'Shall we go?');
});

test('quotation marks move to the words inside', () => {
  assert.equal(without('He said, "Um yes I do."', 'um'), 'He said, "yes I do."');
  assert.equal(without('He said "yes um" twice.', 'um'), 'He said "yes" twice.');
});

test('a deleted first word leaves no space, and a line break stays', () => {
  assert.equal(without('Um yes', 'um'), 'yes');
  assert.equal(without('One.\n\nUm two.', 'um'), 'One.\n\ntwo.');
});

test('a rule that puts back the same words records no change', () => {
  const { tokens } = tokenise(textInput('a b c', 'en').pieces, 'en');
  const result = rewrite(tokens, 'test', (at) =>
    at.key(0) === 'a' ? { take: 2, put: at.span(0, 2), reason: 'kept' } : null,
  );
  assert.deepEqual(result.records, []);
  assert.equal(textOf(result.tokens), 'a b c');
});
