// Tests custom vocabulary: near misses are corrected, and everyday words stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import { textInput } from '../../src/refine/refiner.ts';
import { readCorpus } from './corpus.ts';
import { scoreVocabulary } from './vocabulary-corpus.ts';

const NEVER = new AbortController().signal;
const refiner = createRefiner();
const refine = async (
  text: string,
  terms: readonly string[],
  { language = 'en', isSteered = false } = {},
): Promise<string> => {
  const vocabulary = terms.map((term) => ({ text: term }));
  return (await refiner.refine({ ...textInput(text, language), vocabulary, isSteered }, NEVER)).text;
};

test('most misheard terms are recovered, and no ordinary word is damaged', async () => {
  const corpus = readCorpus().filter(({ language }) => language === 'en');
  const score = await scoreVocabulary(corpus.map(({ expected }) => expected));
  assert.ok(score.recovered / score.misheard >= 0.8, `missed: ${score.missed.join(' | ')}`);
  assert.deepEqual(score.damaged, []);
});

test('terms work in languages that have no rules, and keep a possessive', async () => {
  const swedish = await refine('vi använder kuber netties idag', ['Kubernetes'], { language: 'sv' });
  assert.equal(swedish, 'vi använder Kubernetes idag');
  assert.equal(await refine("I read the post gress's manual.", ['Postgres']), "I read the Postgres's manual.");
});

test('a correctly recognised term keeps its neighbours and its capital', async () => {
  const said = 'Egyptian sparrows swarmed up the tree.';
  assert.equal(await refine(said, ['swarmed', 'egyptian']), said);
});

test('odd terms do no harm', async () => {
  const said = 'Nothing here is special.';
  assert.equal(await refine(said, ['', '   ', 'a', '🙂', 'x'.repeat(500), '.*', 'is']), said);
});

test('only the spelling of terms that steered recognition is corrected', async () => {
  const heard = 'We run cuber netties by hashi corp.';
  const terms = ['Kubernetes', 'HashiCorp'];
  assert.equal(await refine(heard, terms), 'We run Kubernetes by HashiCorp.');
  assert.equal(await refine(heard, terms, { isSteered: true }), 'We run cuber netties by HashiCorp.');
});

test('vowel signs tell names apart in Indic scripts', async () => {
  assert.equal(await refine('रानी आई', ['रीना'], { language: 'hi' }), 'रानी आई');
  assert.equal(await refine('उसने गीत गाया', ['गीता'], { language: 'hi' }), 'उसने गीत गाया');
  assert.equal(await refine('kafe nero', ['Café Nero'], { language: 'it' }), 'Café Nero');
});
