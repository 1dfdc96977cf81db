// Tests the search for places where a term may have been said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareTerms, TermList } from './term-list.ts';

const candidates = (text: string, ...terms: string[]) =>
  new TermList(terms.map((term) => ({ text: term }))).candidates(text.split(' '));

test('a term is a candidate for the words that sound like it, the most alike first', () => {
  const [best] = candidates('we use cooper netties here', 'Kubernetes');
  assert.deepEqual([best?.from, best?.to], [2, 4]);
});

test('a term that was heard is not a candidate for itself', () => {
  assert.deepEqual(candidates('we use kubernetes here', 'Kubernetes'), []);
});

test('candidates do not cross the end of a sentence', () => {
  assert.ok(candidates('a cooper. Netties say', 'Kubernetes').every(({ from, to }) => to <= 2 || from >= 2));
});

test('terms in a text are counted, except short ones', () => {
  const list = new TermList(['Churchyards', 'yawn', 'so', 'New Delhi'].map((text) => ({ text })));
  assert.equal(list.heardIn('So when churchyards yawn, in new Delhi.'), 3);
  assert.equal(list.heardIn('So it goes.'), 0);
});

test('pronunciations are searched for too', () => {
  const list = new TermList([{ text: 'Nguyen', soundsLike: ['gwinn'] }]);
  assert.equal(list.candidates(['Mister', 'Gwyn']).at(0)?.from, 1);
});

test('terms without letters, with one phone or with many words are ignored', () => {
  assert.deepEqual(candidates('a b c d e f', '…', 'b', '.*', 'a b c d e f g h i j', '🙂'), []);
});

test('a list is prepared once for all windows of a session', () => {
  assert.equal(prepareTerms([{ text: 'Anna' }]), prepareTerms([{ text: 'Anna' }]));
  assert.equal(prepareTerms([]), undefined);
});
