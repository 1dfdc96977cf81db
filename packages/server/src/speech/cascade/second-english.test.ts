import assert from 'node:assert/strict';
import test from 'node:test';
import type { SpeechWindow } from '../recogniser.ts';
import { fixedModel as model, tierModels } from '../testing/fixed-model.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { recogniseWith } from './recognise.ts';
import { TIERS } from './tiers.ts';

const MAX = TIERS['svc-1.0-max'];

const recognise = async (
  english: string,
  second: string,
  small: string,
  average = -0.15,
  options: Partial<Pick<SpeechWindow, 'wantWordTimes' | 'vocabulary' | 'language'>> = {},
) => {
  const [first, along, multilingual] = [model(english, average), model(second), model(small)];
  const models = tierModels(MAX, first.made, multilingual.made, { secondEnglish: along.made });
  const window = windowOf({ tier: 'svc-1.0-max', samples: new Float32Array(16_000), ...options });
  const recognition = await recogniseWith(models, window, () => undefined);
  return { recognition, along: along.asked, small: multilingual.asked };
};

test('when two English models agree, no other is asked, and the second one gives the spelling', async () => {
  const { recognition, along, small } = await recognise('we met at noon', 'We met at noon.', 'never asked');
  assert.equal(recognition.text, 'We met at noon.');
  assert.equal(recognition.languages[0]?.language, 'en');
  assert.equal(small.length, 0);
  assert.equal(along[0]?.draft, 'we met at noon');
});

test('when they differ, the multilingual model gets the first text as draft, and the three vote', async () => {
  const { recognition, small } = await recognise(
    'it lasted percentories',
    'it lasted for centuries',
    'It lasted for centuries.',
  );
  assert.equal(recognition.text, 'It lasted for centuries.');
  assert.deepEqual(
    small.map(({ draft }) => draft),
    ['it lasted percentories'],
  );
});

test('very confident text is accepted alone, even with a vocabulary', async () => {
  for (const vocabulary of [[], [{ text: 'Anna' }]]) {
    const { recognition, along, small } = await recognise('We met Ana.', 'never asked', 'never asked', -0.05, {
      vocabulary,
    });
    assert.equal(recognition.text, 'We met Ana.');
    assert.equal(along.length + small.length, 0);
  }
});

test('a language change is searched for when English is not established or its text is not accepted', async () => {
  const parts = async (language: string | null, average: number) => {
    const [english, along, multilingual] = [model('it is', average), model('it was'), model('It was.')];
    const models = tierModels(MAX, english.made, multilingual.made, { secondEnglish: along.made });
    const [samples, pausePositions] = [new Float32Array(80_000), [40_000]];
    const window = windowOf({ tier: 'svc-1.0-max', samples, pausePositions, language });
    await recogniseWith(models, window, () => undefined);
    return multilingual.counts.partsDetected;
  };
  assert.equal(await parts('en', -0.15), 0);
  assert.equal(await parts('en', -0.5), 2);
  assert.equal(await parts(null, -0.15), 2);
});

test('agreement on poor speech is not trusted', async () => {
  const { small } = await recognise('a special medical', 'a special medical', 'a special magical', -0.4);
  assert.equal(small.length, 1);
});

test('voted words have times', async () => {
  const { recognition } = await recognise('the cold man', 'the cold man here', 'the old man', -0.15, {
    wantWordTimes: true,
  });
  assert.equal(recognition.words.map(({ text }) => text).join(' '), recognition.text);
  assert.ok(recognition.words.every(({ startMs, endMs }) => endMs >= startMs));
});

test('an interim that looks like English is accepted, unless another language is hinted', async () => {
  const ask = async (average: number, languageHint: string | null, isInterim: boolean) => {
    const [english, along, multilingual] = [model('we met', average), model('we met'), model('We met.')];
    const models = tierModels(MAX, english.made, multilingual.made, { secondEnglish: along.made });
    const window = windowOf({ tier: 'svc-1.0-max', samples: new Float32Array(16_000), languageHint, isInterim });
    await recogniseWith(models, window, () => undefined);
    return along.asked.length + multilingual.asked.length;
  };
  assert.equal(await ask(-0.45, null, true), 0);
  assert.equal(await ask(-0.45, 'en', true), 0);
  assert.ok((await ask(-0.45, 'de', true)) > 0);
  assert.ok((await ask(-0.55, null, true)) > 0);
  assert.ok((await ask(-0.45, null, false)) > 0);
});
