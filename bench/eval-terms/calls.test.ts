import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipsOf, namesSaid } from './calls.ts';
import { addErrors, noErrors } from './score.ts';

const CALLS = [
  'hello my name is jean how can i help you hi jean my name is elizabeth rodriguez i lost my card',
  'hello my name is david hi my name is jane smith',
  'what is the amount',
].map((text, nth) => ({ path: `${nth}.flac`, text }));

test('names follow "my name is"', () => {
  assert.deepEqual(
    CALLS.map(({ text }) => namesSaid(text)),
    [['jean', 'elizabeth', 'rodriguez'], ['david', 'jane', 'smith'], []],
  );
});

test('a list has 100 names: those of the call and others that are not said in it', () => {
  const [first, second, ...more] = clipsOf(CALLS);
  assert.deepEqual(more, []);
  for (const { list, rare, text } of [first!, second!]) {
    assert.equal(new Set(list).size, 100);
    const said = list.filter((name) => text.split(' ').includes(name.toLowerCase()));
    assert.deepEqual(said.map((name) => name.toLowerCase()).sort(), [...rare].sort());
  }
  assert.ok(first!.list.includes('Jane') && second!.list.includes('Jean'));
});

test('names are scored wherever they are said, separately from other words', () => {
  const errors = noErrors();
  addErrors(
    errors,
    clipsOf(CALLS)[0]!,
    'Hello, my name is Jean. How can I help you? Hi Jane. My name is Elizabeth Rodrigues, I lost a card.',
  );
  assert.deepEqual(errors, { biasedWords: 4, biasedErrors: 2, otherWords: 17, otherErrors: 1 });
});
