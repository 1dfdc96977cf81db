// Tests the whole refinement chain on a few sentences. The corpus tests are in test/refine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refineSync, refineText } from './chain.ts';
import { createRefiner } from './create-refiner.ts';
import { applyEdits } from './edits.ts';

const SAID = 'um so i think we should uh meet on tuesday no wednesday at three p m';

test('a spoken sentence is refined', () => {
  assert.equal(refineText(SAID, 'en').text, 'So I think we should meet on Wednesday at 3 p.m.');
});

test('the edits are sorted, do not overlap, and turn the raw text into the refined text', () => {
  const { rawText, text, edits } = refineText(SAID, 'en');
  assert.equal(rawText, SAID);
  assert.equal(applyEdits(rawText, edits), text);
  for (const [index, edit] of edits.entries()) {
    assert.equal(edit.before, rawText.slice(edit.rawStart, edit.rawEnd));
    assert.ok(index === 0 || edits[index - 1]!.rawEnd <= edit.rawStart);
  }
  assert.deepEqual([...new Set(edits.flatMap((edit) => edit.pass.split('+')))].sort(), [
    'casing',
    'corrections',
    'fillers',
    'numbers',
  ]);
});

test('each piece uses the rules of its own language', () => {
  const piece = (text: string, language: string, startMs: number) => ({
    text,
    language,
    startMs,
    endMs: startMs + 1000,
    confidence: 1,
  });
  const { text } = refineSync({
    pieces: [piece('Um, this is it.', 'en', 0), piece('Um zwölf, ähm, bin ich da.', 'de', 1500)],
    language: 'en',
    vocabulary: [],
  });
  assert.equal(text, 'This is it. Um zwölf bin ich da.');
});

test('the level determines the passes', () => {
  const said = 'um so i i think it costs twenty five dollars no thirty';
  assert.equal(refineText(said, 'en', 'none').text, said);
  assert.deepEqual(refineText(said, 'en', 'none').edits, []);
  assert.equal(refineText(said, 'en', 'light').text, 'so i think it costs twenty five dollars no thirty');
  assert.equal(refineText('Um, this is, uh, it.', 'en', 'light').text, 'This is it.');
  assert.equal(refineText(said, 'en', 'standard').text, refineText(said, 'en').text);
});

test('light joins windows and applies no other rule', () => {
  const pieces = ['We walked to the', 'Park [Music] and comma then'].map((text, n) => ({
    text,
    startMs: n * 1000,
    endMs: n * 1000 + 950,
    language: 'en',
    confidence: 1,
  }));
  const { text } = refineSync({ pieces, language: 'en', vocabulary: [], level: 'light' });
  assert.equal(text, 'We walked to the Park [Music] and comma then');
});

test('an aborted signal stops the refiner', async () => {
  const refiner = createRefiner();
  await assert.rejects(refiner.refine({ pieces: [], language: null, vocabulary: [] }, AbortSignal.abort()));
});

test('a year recognised as two numbers is joined only after a day or a month', () => {
  const written = (text: string) => refineText(text, 'en').text;
  assert.equal(written('November 2nd, 19, 65.'), 'November 2nd, 1965.');
  assert.equal(written('It was March 19 65.'), 'It was March 1965.');
  assert.equal(written('The numbers are 19, 65 and 70.'), 'The numbers are 19, 65 and 70.');
  assert.equal(written('On the 2nd, 19, 65, 70 came.'), 'On the 2nd, 19, 65, 70 came.');
});

test('spelled letters get capitals, hyphens in a name, and a space before the digits of a code', () => {
  const written = (text: string) => refineText(text, 'en').text;
  assert.equal(written('G-i-n-s-b-e-r-g.'), 'G-I-N-S-B-E-R-G.');
  assert.equal(written('Ginsberg, g i n s b e r g.'), 'Ginsberg, G-I-N-S-B-E-R-G.');
  for (const code of ['GRAG85.', 'GRAG-85.', 'GRAG 85.']) assert.equal(written(code), 'GRAG 85.');
  assert.equal(written('COVID-19.'), 'COVID-19.');
  assert.equal(written('We had COVID-19 and an RTX4090.'), 'We had COVID-19 and an RTX4090.');
});

test('a sentence that ends with the mark of another script gets no second one', () => {
  for (const [first, second] of [
    ['यह ठीक है।', 'Amazon से आया।'],
    ['هل هذا صحيح؟', 'Amazon أرسله.'],
    ['Սա լավ է։', 'Amazon ուղարկեց։'],
  ] as const) {
    const pieces = [first, second].map((text, at) => ({
      text,
      startMs: at * 4_000,
      endMs: at * 4_000 + 3_000,
      language: null,
      confidence: 1,
    }));
    const { text } = refineSync({ pieces, language: null, vocabulary: [], level: 'standard' });
    assert.equal(text, `${first} ${second}`);
  }
});
