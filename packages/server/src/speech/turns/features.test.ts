// Compares the features with those of the training code, and tests the network on them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { contourOf } from './contour.ts';
import { chanceAfter, PAUSE_SECONDS } from './turn-detector.ts';
import { loadTurnModel } from './turn-model.ts';
import { wordIds } from './turn-words.ts';

interface Vector {
  readonly sounds: readonly { readonly samples: readonly number[]; readonly contour: readonly (readonly number[])[] }[];
  readonly texts: readonly { readonly text: string; readonly ids: readonly (readonly number[])[] }[];
}

// Written by training/turns/vector.py.
const FILE = new URL('../../../../src/speech/turns/testing/features.json', import.meta.url);
const { sounds, texts } = JSON.parse(readFileSync(FILE, 'utf8')) as Vector;
const audioOf = (samples: readonly number[]) => Float32Array.from(samples, (sample) => sample / 32_768);

test('contours agree with the training code', () => {
  for (const { samples, contour } of sounds) {
    const found = contourOf(audioOf(samples));
    contour.flat().forEach((expected, at) => {
      assert.ok(Math.abs(found[at]! - expected) <= 1e-4, `step ${at}: ${found[at]} instead of ${expected}`);
    });
  }
});

test('words agree with the training code', () => {
  for (const { text, ids } of texts) assert.deepEqual([...wordIds(text)].map(Number), ids.flat());
});

test('a finished sentence is more likely to end the turn than an unfinished one', async () => {
  const chances = await loadTurnModel();
  const samples = audioOf(sounds[0]!.samples);
  const ask = (text: string) => chances({ kind: 'turn', samples, text, turnSeconds: 2 });
  const finished = await ask('hi my name is mary davis and i lost my debit card thank you goodbye');
  const unfinished = await ask('hi my name is mary davis and i would like to');
  assert.equal(finished.length, PAUSE_SECONDS.length);
  assert.ok([...finished, ...unfinished].every((chance) => chance >= 0 && chance <= 1));
  assert.ok(finished.at(-1)! > unfinished.at(-1)!, `${finished.at(-1)} and ${unfinished.at(-1)}`);
});

test('the probability is 0 for a very short pause, and no longer changes for a very long one', () => {
  assert.equal(chanceAfter([0.2, 0.4, 0.6], 0.09), 0);
  assert.equal(chanceAfter([0.2, 0.4, 0.6], 0.12), 0.4);
  assert.equal(chanceAfter([0.2, 0.4, 0.6], 5), 0.6);
  assert.equal(chanceAfter([], 1), 0);
});
