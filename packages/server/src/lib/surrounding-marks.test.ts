import assert from 'node:assert/strict';
import test from 'node:test';
import { splitSurroundingMarks } from './surrounding-marks.ts';

const coreOf = (text: string): string => splitSurroundingMarks(text).core;

test('marks around a text are split off, those inside stay, and only marks are the text', () => {
  assert.deepEqual(splitSurroundingMarks('("Ann\'s"),'), { lead: '("', core: "Ann's", trail: '"),' });
  assert.deepEqual(splitSurroundingMarks('…'), { lead: '', core: '…', trail: '' });
  assert.equal(coreOf(''), '');
});

test('vowel signs and tone marks belong to the word', () => {
  for (const word of ['में', 'हिन्दी', 'ที่', 'தமிழ்', 'مُحَمَّدٌ']) assert.equal(coreOf(`«${word}।`), word);
});

test('a long run of marks takes time proportional to its length', () => {
  const long = `a${'-'.repeat(2_000_000)}a`;
  assert.equal(coreOf(long), long);
  assert.equal(coreOf(`${'-'.repeat(2_000_000)}a`), 'a');
  assert.equal(coreOf(`a${'-'.repeat(2_000_000)}`), 'a');
});
