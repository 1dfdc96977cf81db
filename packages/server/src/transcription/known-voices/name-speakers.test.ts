import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TONE_EMBEDDING } from '../../speech/testing/tone-speakers.ts';
import { madeEmbedding, numbersFrom } from '../speakers/testing/made-speakers.ts';
import { nameSpeakers, SURE_MARGIN, type VoicePrint } from './name-speakers.ts';

const SIMILARITIES = TONE_EMBEDDING.similarities;
const WIDE = { similarities: SIMILARITIES, isNarrowBand: false };

/** A vector with this cosine to the first axis. */
const at = (cosine: number, axis = 1): Float32Array => {
  const vector = new Float32Array(8);
  vector[0] = cosine;
  vector[axis] = Math.sqrt(1 - cosine ** 2);
  return vector;
};
const axis = (index: number): Float32Array => Float32Array.from({ length: 8 }, (_, i) => (i === index ? 1 : 0));
const print = (id: string, embedding: Float32Array, isNarrowBand = false): VoicePrint => ({
  id,
  name: id,
  embedding,
  isNarrowBand,
});
const speaker = (number: number, embedding: Float32Array, seconds = 10) => ({ speaker: number, embedding, seconds });
const ADA = print('Ada', axis(0));

const isSureAt = (cosine: number, isNarrowBand = false, seconds = 10) =>
  nameSpeakers([speaker(0, at(cosine), seconds)], [ADA], { ...WIDE, isNarrowBand }).get(0)?.isSure;

test('a speaker is known, perhaps known or unknown, and telephone audio needs a higher similarity', () => {
  assert.equal(isSureAt(SIMILARITIES.knownWide - 0.01), undefined);
  assert.equal(isSureAt(SIMILARITIES.knownWide + 0.01), false);
  assert.equal(isSureAt(SIMILARITIES.knownWide + SURE_MARGIN + 0.01), true);
  assert.equal(isSureAt(SIMILARITIES.knownNarrow - 0.01, true), undefined);
  assert.equal(isSureAt(SIMILARITIES.knownNarrow + SURE_MARGIN + 0.01, true), true);
  const enrolledByTelephone = print('Ada', axis(0), true);
  const found = nameSpeakers([speaker(0, at(SIMILARITIES.knownNarrow - 0.01))], [enrolledByTelephone], WIDE);
  assert.equal(found.size, 0);
});

test('a few words, or two equally similar voices, give no certain name', () => {
  assert.equal(isSureAt(0.9, false, 1), false);
  const twin = print('Bo', at(0.99));
  const named = nameSpeakers([speaker(0, axis(0))], [ADA, twin], WIDE);
  assert.deepEqual(named.get(0), { id: 'Ada', name: 'Ada', isSure: false });
  const second = { ...twin, name: 'Ada' };
  assert.equal(nameSpeakers([speaker(0, axis(0))], [ADA, second], WIDE).get(0)?.isSure, true);
});

test('a voice names only the most similar speaker', () => {
  const speakers = [speaker(0, at(0.6)), speaker(1, at(0.8)), speaker(2, at(0.7))];
  assert.deepEqual([...nameSpeakers(speakers, [ADA], WIDE).keys()], [1]);
});

test('without prints or speakers nobody is named', () => {
  assert.equal(nameSpeakers([speaker(0, axis(0))], [], WIDE).size, 0);
  assert.equal(nameSpeakers([], [ADA], WIDE).size, 0);
});

test('names do not depend on the order of prints, and each is used once', () => {
  const property = fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 6 }), (seed, people) => {
    const next = numbersFrom(seed);
    const prints = Array.from({ length: people }, (_, index) => print(`p${index}`, madeEmbedding(index, 0.2, next)));
    const speakers = Array.from({ length: people + 1 }, (_, index) => speaker(index, madeEmbedding(index, 0.2, next)));
    const named = nameSpeakers(speakers, prints, WIDE);
    assert.deepEqual(new Map(nameSpeakers(speakers, prints.toReversed(), WIDE)), new Map(named));
    for (let index = 0; index < people; index++) assert.equal(named.get(index)?.id, `p${index}`);
    assert.equal(named.has(people), false);
  });
  fc.assert(property, { numRuns: 50 });
});
