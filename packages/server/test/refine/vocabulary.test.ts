// Custom vocabulary: near-misses are corrected, and everyday words stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import { readCorpus } from './corpus.ts';
import { scoreVocabulary } from './vocabulary-corpus.ts';

test('most misheard terms are recovered, and no ordinary word is damaged', async () => {
  const corpus = readCorpus().filter(({ language }) => language === 'en');
  const score = await scoreVocabulary(corpus.map(({ expected }) => expected));
  assert.ok(score.recovered / score.misheard >= 0.8, `missed: ${score.missed.join(' | ')}`);
  assert.deepEqual(score.damaged, []);
});

test('terms work in languages that have no rules, and keep a possessive', async () => {
  const refiner = createRefiner();
  const refine = async (text: string, language: string, vocabulary: string[]) =>
    (
      await refiner.refine(
        {
          pieces: [{ text, startMs: 0, endMs: 0, language, confidence: 1 }],
          language,
          vocabulary: vocabulary.map((term) => ({ text: term })),
        },
        new AbortController().signal,
      )
    ).text;
  assert.equal(await refine('vi använder kuber netties idag', 'sv', ['Kubernetes']), 'vi använder Kubernetes idag');
  assert.equal(await refine("I read the post gress's manual.", 'en', ['Postgres']), "I read the Postgres's manual.");
});

test('a term that was heard keeps its neighbours and its capital', async () => {
  const refiner = createRefiner();
  const { text } = await refiner.refine(
    {
      pieces: [{ text: 'Egyptian sparrows swarmed up the tree.', startMs: 0, endMs: 0, language: 'en', confidence: 1 }],
      language: 'en',
      vocabulary: [{ text: 'swarmed' }, { text: 'egyptian' }],
    },
    new AbortController().signal,
  );
  assert.equal(text, 'Egyptian sparrows swarmed up the tree.');
});

test('odd terms do no harm', async () => {
  const refiner = createRefiner();
  const input = {
    pieces: [{ text: 'Nothing here is special.', startMs: 0, endMs: 0, language: 'en', confidence: 1 }],
    language: 'en',
  };
  const { text } = await refiner.refine(
    { ...input, vocabulary: ['', '   ', 'a', '🙂', 'x'.repeat(500), '.*', 'is'].map((term) => ({ text: term })) },
    new AbortController().signal,
  );
  assert.equal(text, 'Nothing here is special.');
});

test('terms that steered recognition are corrected in spelling only', async () => {
  const refiner = createRefiner();
  const refine = async (text: string, isSteered: boolean) =>
    (
      await refiner.refine(
        {
          pieces: [{ text, startMs: 0, endMs: 0, language: 'en', confidence: 1 }],
          language: 'en',
          vocabulary: [{ text: 'Kubernetes' }, { text: 'HashiCorp' }],
          isSteered,
        },
        new AbortController().signal,
      )
    ).text;
  const heard = 'We run cuber netties by hashi corp.';
  assert.equal(await refine(heard, false), 'We run Kubernetes by HashiCorp.');
  assert.equal(await refine(heard, true), 'We run cuber netties by HashiCorp.');
});
