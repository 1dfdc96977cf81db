// Terms by letters and by sound, and the bounds on what a lookup may cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermIndex } from './term-index.ts';

test('a term is found by its letters and by its sound', () => {
  const index = new TermIndex(['Kubernetes', 'Post Gres']);
  assert.equal(index.byLetters('postgres')?.text, 'Post Gres');
  assert.deepEqual(index.bySound('coopernetties')?.term.text, 'Kubernetes');
  assert.equal(index.bySound('coopernetties')?.exact, true);
  assert.equal(index.bySound('banana'), undefined);
});

test('an answer given once is given again', () => {
  const index = new TermIndex(['Grafana']);
  assert.equal(index.bySound('graphana'), index.bySound('graphana'));
});

test('a term of very many words is left out, so that no window of words grows with it', () => {
  const index = new TermIndex(['a b c d e f g h i j k l', 'New Relic']);
  assert.equal(index.wordsMax, 2);
  assert.equal(index.byLetters('abcdefghijkl'), undefined);
});

test('terms that all sound alike are compared up to a bound', () => {
  const vowels = ['a', 'e', 'i', 'o', 'u'];
  const alike = vowels.flatMap((x) => vowels.flatMap((y) => vowels.map((z) => `b${x}n${y}t${z}`)));
  const index = new TermIndex(alike);
  assert.equal(index.bySound('bonito')?.exact, true);
  assert.equal(index.byLetters('bunutu')?.text, 'bunutu');
});
