// Tests the trained tagger: corrections are applied, and fluent text stays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refineInSlices, toRefined } from '../chain.ts';
import { applyEdits } from '../edits.ts';
import { textInput } from '../refiner.ts';
import { TrainedTagger } from './tagger.ts';
import { loadTaggerModel } from './tagger-model.ts';

const signal = new AbortController().signal;
const model = loadTaggerModel();
const tagger = new TrainedTagger(() => model);

const refine = async (text: string, used: TrainedTagger | undefined = tagger) =>
  toRefined(await refineInSlices(textInput(text, 'en'), signal, used));

describe('the trained tagger', () => {
  for (const [said, written] of [
    ['When no what century did the war begin?', 'What century did the war begin?'],
    ['Who wrote the song no wait the book about the sea?', 'Who wrote the book about the sea?'],
    [
      'What dynasties reflected no inspired the style of the palace?',
      'What dynasties inspired the style of the palace?',
    ],
  ] as const)
    it(`corrects: ${said}`, async () => assert.equal((await refine(said)).text, written));

  for (const text of [
    'No, I said Tuesday.',
    'He had had a good day.',
    'I would rather go on Friday.',
    'My name is Margaret Oliver and I need a new card.',
    'There is no way that that is true.',
    'The answer is no, wait for the next one.',
    'It is on Monday, not Tuesday.',
    'Duran Duran played in Baden Baden.',
    'I mean it.',
  ])
    it(`keeps: ${text}`, async () => assert.equal((await refine(text)).text, text));

  it('records cuts as edits of the raw text', async () => {
    const { text, rawText, edits } = await refine('When no what century did the war begin?');
    assert.equal(applyEdits(rawText, edits), text);
    assert.ok(edits.some(({ pass, before }) => /tagger/u.test(pass) && /When no/u.test(before)));
  });

  it('reports a missing model once and still runs the rules', async () => {
    const failures: unknown[] = [];
    const absent = new TrainedTagger(
      () => Promise.reject(new Error('no weights')),
      (failure) => failures.push(failure),
    );
    assert.equal((await refine('um when no what century did it begin', absent)).rawText.length, 36);
    await refine('um yes', absent);
    assert.equal(failures.length, 1);
  });

  it('is used only for English', async () => {
    const { tokens } = await refineInSlices(
      textInput('nein warte no wait', 'de'),
      signal,
      new TrainedTagger(() =>
        Promise.resolve({ size: () => 1, probabilities: () => assert.fail('the model was asked') }),
      ),
    );
    assert.equal(tokens.length, 4);
  });
});
