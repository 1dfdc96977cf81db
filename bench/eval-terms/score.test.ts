import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addErrors, noErrors } from './score.ts';

const clip = { text: 'rigor mortis set in', rare: ['rigor', 'mortis'], list: ['rigor', 'mortis', 'farnese', 'duel'] };

const errorsOf = (transcript: string) => {
  const errors = noErrors();
  addErrors(errors, clip, transcript);
  return errors;
};

test('a correct transcript has no errors', () => {
  assert.deepEqual(errorsOf('Rigor mortis set in.'), {
    biasedWords: 2,
    biasedErrors: 0,
    otherWords: 2,
    otherErrors: 0,
  });
});

test('an error counts for the kind of its reference word', () => {
  const { biasedErrors, otherErrors } = errorsOf('Rigor Morris sat in.');
  assert.deepEqual([biasedErrors, otherErrors], [1, 1]);
});

test('an inserted word counts as rare if it is in the list', () => {
  const { biasedErrors, otherErrors } = errorsOf('Rigor mortis farnese set in now.');
  assert.deepEqual([biasedErrors, otherErrors], [1, 1]);
});

test('a number may be read in several ways', () => {
  const errors = noErrors();
  addErrors(errors, { text: 'twenty five minims', rare: ['minims'], list: ['minims'] }, '25 minims');
  assert.deepEqual([errors.biasedErrors, errors.otherErrors], [0, 0]);
});
