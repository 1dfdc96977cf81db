import assert from 'node:assert/strict';
import test from 'node:test';
import { correctedEdits, replacements } from './corrections.ts';
import { editedText } from './edited-text.ts';
import type { TextEdit } from './types.ts';

const RAW = 'so um i use fair copy at at three pm';
const at = (before: string, after: string, from = 0): TextEdit => {
  const rawStart = RAW.indexOf(before, from);
  return { rawStart, rawEnd: rawStart + before.length, after };
};
const EDITS: TextEdit[] = [at('so um i', 'I'), at(' at', '', RAW.indexOf('at at') + 2), at('three pm', '3 p.m.')];
const correct = (text: string, edits = EDITS) => correctedEdits(RAW, edits, text, (edit) => edit);

test('edits are applied to the raw text', () => {
  assert.equal(editedText(RAW, EDITS), 'I use fair copy at 3 p.m.');
});

test('corrections produce exactly the typed text', () => {
  for (const typed of [
    'I use Faircopy at 3 p.m.',
    'I use Faircopy at 4 p.m. today',
    'We use fair copy at 3 p.m.',
    'Now I use fair copy at 3 p.m.',
    'I use fair copy at 3 p.m.!',
    'I use fair copy now at 3 p.m.',
    'I use fair copy at about 3 p.m.',
    'use fair copy at 3',
    'I use fair copy\n\nat 3 p.m.',
    '',
    'something else altogether',
  ]) {
    const edits = correct(typed);
    assert.equal(editedText(RAW, edits), typed);
    edits.reduce((end, edit) => {
      assert.ok(edit.rawStart >= end, `edits of "${typed}" overlap`);
      return edit.rawEnd;
    }, 0);
  }
});

test('edits outside a correction are kept', () => {
  const edits = correct('I use Faircopy at 3 p.m.');
  for (const edit of EDITS) assert.ok(edits.includes(edit));
  assert.deepEqual(
    edits.filter((edit) => !EDITS.includes(edit)),
    [at('fair copy', 'Faircopy')],
  );
});

test('typing the spoken words undoes the edit', () => {
  assert.deepEqual(correct('I use fair copy at three pm'), EDITS.slice(0, 2));
});

test('a correction can be corrected', () => {
  const once = correct('I use Faircopy at 3 p.m.');
  const twice = correct('I use Faircopy Pro at 3 p.m.', once);
  assert.equal(editedText(RAW, twice), 'I use Faircopy Pro at 3 p.m.');
  assert.equal(editedText(RAW, correct('I use fair copy at 3 p.m.', twice)), 'I use fair copy at 3 p.m.');
});

test('replacements exclude inserted and deleted words', () => {
  assert.deepEqual(replacements('I use fair copy and fair copy here', 'I use Faircopy and Faircopy now here'), [
    { before: 'fair copy', after: 'Faircopy' },
    { before: 'fair copy', after: 'Faircopy now' },
  ]);
  assert.deepEqual(replacements('a b', 'a b c'), []);
});

test('one change in twenty thousand words becomes one edit', () => {
  const words = Array.from({ length: 20_000 }, (_, n) => `w${n}`);
  const typed = words.with(7_000, 'other').join(' ');
  const edits = correctedEdits(words.join(' '), [] as TextEdit[], typed, (edit) => edit);
  assert.equal(edits.length, 1);
});
