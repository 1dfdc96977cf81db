import assert from 'node:assert/strict';
import test from 'node:test';
import { align } from './align.ts';
import { plainWords, slotsOf } from './normalise.ts';
import { errorRatePercent, scoreFolders } from './score.ts';

const errors = (reference: string, hypothesis: string, language = 'en') => {
  const { substitutions, deletions, insertions } = align(
    plainWords(reference, language),
    slotsOf(hypothesis, language),
  );
  return [substitutions, deletions, insertions];
};

const SAME: readonly (readonly [reference: string, hypothesis: string, language?: string])[] = [
  ['the year was eighteen twelve', 'The year was 1812.'],
  ['SEVEN FORTY ONE NINETY', '7-41-90'],
  ['SEVEN FORTY ONE NINETY', '74190'],
  ['room two oh four', 'Room 204'],
  ['three hundred and nine', '309'],
  ['a hundred ways', '100 ways'],
  ['B O S T O N', 'B-O-S-T-O-N.'],
  ['N A S A', 'NASA'],
  ['NASA', 'N.A.S.A.'],
  ['ninety percent sure', '90% sure'],
  ['ten pounds and five pence', '£10.05'],
  ['three billion euros', '€3 billion'],
  ['the thirty second of march', 'the 32nd of March'],
  ['the eighteen sixties', 'the 1860s'],
  ['two point seven', '2.7'],
  ['at six fifteen', 'at 6:15'],
  ["at nine o'clock", 'at 9:00'],
  ["we ve seen it won't we", "We've seen it, will not we?"],
  ["uh no um she's going to", 'No, she is gonna…'],
  ['mister smith okay', 'Mr. Smith, OK!'],
  ['the neighbour realised the theatre was grey', 'The neighbor realized the theater was gray'],
  ["CAN'T", 'cannot'],
  ['sie kommt um drei', 'Sie kommt um drei.', 'de'],
  ['أين هو', 'اين هُو', 'ar'],
  ['今日は晴れです', '今日は、晴れ です。', 'ja'],
];

test('two spellings of the same words are equal', () => {
  for (const [reference, hypothesis, language] of SAME) {
    assert.deepEqual(errors(reference, hypothesis, language), [0, 0, 0], `${reference} / ${hypothesis}`);
  }
});

test('errors are counted by kind', () => {
  assert.deepEqual(errors('a b c d', 'a x c d e'), [1, 0, 1]);
  assert.deepEqual(errors('four hours are ours', 'for hours are'), [1, 1, 0]);
  assert.deepEqual(errors('forty two', '43'), [1, 0, 0]);
  assert.deepEqual(errors('über', 'uber', 'de'), [1, 0, 0]);
  assert.deepEqual(errors('one', ''), [0, 1, 0]);
});

test('folders are scored separately, and words in silence count as hallucinated', () => {
  const manifest = [
    { file: 'a/1.wav', text: 'one two three four', language: 'en', seconds: 2 },
    { file: 'a/2.wav', text: 'not counted', language: 'en', seconds: 1, score: false },
    { file: 'b/1.wav', text: '', language: '', seconds: 1 },
    { file: 'b/2.wav', text: 'no hypothesis', language: 'en' },
  ];
  const hypothesis = [
    { file: 'a/1.wav', text: 'one two tree four', language: 'en', seconds_wall: 1 },
    { file: 'a/2.wav', text: 'whatever', language: 'de' },
    { file: 'b/1.wav', text: 'Thank you.', language: null },
  ];
  const [a, b] = scoreFolders(manifest, new Map(hypothesis.map((row) => [row.file, row])));
  assert.ok(a && b);
  assert.equal(errorRatePercent(a), 25);
  assert.deepEqual([a.clips, a.scored, a.languagesScored, a.languagesRight], [2, 1, 2, 1]);
  assert.deepEqual([b.silentClips, b.hallucinatedWords, errorRatePercent(b)], [1, 2, null]);
});
