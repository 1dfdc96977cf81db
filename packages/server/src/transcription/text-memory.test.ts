import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recognition } from '../speech/recogniser.ts';
import { recognitionOf } from '../speech/testing/recogniser-fixtures.ts';
import { TextMemory } from './text-memory.ts';

const SECOND = 16_000;
const heard = (text: string, of: Partial<Recognition> = {}): Recognition =>
  recognitionOf({ text, languages: [{ language: 'de', probability: 0.98 }], averageLogProbability: -0.2, ...of });

test('the window right before is remembered, with its language', () => {
  const memory = new TextMemory();
  assert.equal(memory.before(0), null);
  memory.add(10 * SECOND, heard('Guten Tag.'));
  memory.add(20 * SECOND, heard('Wie geht es?'));
  assert.deepEqual(memory.before(20.5 * SECOND), { text: 'Wie geht es?', language: 'de' });
  // A window that is heard late is not told what comes after it.
  assert.deepEqual(memory.before(10 * SECOND), { text: 'Guten Tag.', language: 'de' });
});

test('the nearest is told, in whatever order windows were heard', () => {
  const memory = new TextMemory();
  memory.add(10 * SECOND, heard('zweitens'));
  memory.add(8 * SECOND, heard('erstens'));
  for (let guess = 0; guess < 10; guess++) memory.add((12 + guess) * SECOND, heard('später'));
  assert.equal(memory.before(10.5 * SECOND)?.text, 'zweitens');
});

test('nothing is told after a long pause, or of what was not surely heard', () => {
  const told = (recognition: Recognition, startSample = 10 * SECOND) => {
    const memory = new TextMemory();
    memory.add(10 * SECOND, recognition);
    return memory.before(startSample);
  };
  assert.equal(told(heard('Guten Tag.'), 14 * SECOND), null);
  assert.equal(told(heard('')), null);
  assert.equal(told(heard('Guten Tag.', { averageLogProbability: -0.8 })), null);
  assert.equal(told(heard('Guten Tag.', { languages: [{ language: 'de', probability: 0.6 }] })), null);
  assert.equal(told(heard('Guten Tag. Good day.', { languageChange: SECOND })), null);
});
