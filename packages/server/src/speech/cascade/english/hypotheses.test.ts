import assert from 'node:assert/strict';
import test from 'node:test';
import { fixedModel } from '../../testing/fixed-model.ts';
import { agree, isConfirmed, isEnglishThroughout } from './hypotheses.ts';

const heard = async (text: string, averageLogProbability = -0.1) => {
  const speech = await fixedModel(text, averageLogProbability).made.encode(new Float32Array(1));
  return { speech, hypothesis: await speech.transcribe({ language: 'en', checkpoint: () => undefined }) };
};

test('hypotheses agree whatever their case, punctuation, compounds and spelled letters', async () => {
  assert.ok(agree(await heard('The death-chamber, again.'), await heard('the death chamber again')));
  assert.ok(agree(await heard('M-a-r-y B-e-s-t'), await heard('M-A-R-Y-B-E-S-T.')));
  assert.ok(!agree(await heard('the death chamber'), await heard('the deaf chamber')));
});

test('another language in a part of the window needs more agreement to be ruled out than English as a whole', async () => {
  const english = await heard('we met him at the old bridge in town');
  const similar = await heard('we met him at the old fridge in town');
  const partly = await heard('we met him at the alten Brücke im Dorf');
  const [same, different] = [isEnglishThroughout(english, similar), isEnglishThroughout(english, partly)];
  assert.deepEqual([same, different], [true, false]);
  assert.deepEqual([isConfirmed(english, similar), isConfirmed(english, partly)], [true, false]);
  const third = await heard('we met him at the old bridge im Dorf dort');
  assert.deepEqual([isEnglishThroughout(english, third), isConfirmed(english, third)], [false, true]);
  assert.ok(!isEnglishThroughout(english, await heard('we met him at the old bridge in town', -1)));
});
