// Tests the lookup of terms by letters and by sound, and the bounds on its cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermIndex } from './term-index.ts';

const indexOf = (terms: readonly string[]): TermIndex => new TermIndex(terms.map((text) => ({ text })));

test('a term is found by its letters and by its sound', () => {
  const index = indexOf(['Kubernetes', 'Post Gres']);
  assert.equal(index.byLetters('postgres')?.text, 'Post Gres');
  assert.deepEqual(index.bySound('coopernetties')?.term.text, 'Kubernetes');
  assert.equal(index.bySound('coopernetties')?.isSameSound, true);
  assert.equal(index.bySound('banana'), undefined);
});

test('the same lookup returns the same result', () => {
  const index = indexOf(['Grafana']);
  assert.equal(index.bySound('graphana'), index.bySound('graphana'));
});

test('a term with too many words is ignored', () => {
  const index = indexOf(['a b c d e f g h i j k l', 'New Relic']);
  assert.equal(index.wordsMax, 2);
  assert.equal(index.byLetters('abcdefghijkl'), undefined);
});

test('only a limited number of terms that sound alike are compared', () => {
  const vowels = ['a', 'e', 'i', 'o', 'u'];
  const alike = vowels.flatMap((x) => vowels.flatMap((y) => vowels.map((z) => `b${x}n${y}t${z}`)));
  const index = indexOf(alike);
  assert.equal(index.bySound('bonito')?.isSameSound, true);
  assert.equal(index.byLetters('bunutu')?.text, 'bunutu');
});

test('a term with a low weight is found only by its letters', () => {
  const index = new TermIndex([{ text: 'Kubernetes', weight: 0.5 }]);
  assert.equal(index.byLetters('kubernetes')?.text, 'Kubernetes');
  assert.equal(index.bySound('kubernetis'), undefined);
  assert.equal(new TermIndex([{ text: 'Kubernetes' }]).bySound('kubernetis')?.term.text, 'Kubernetes');
});
