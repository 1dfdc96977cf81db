// A short run of the fuzzer with every test run; `npm run fuzz` goes on for longer.
import assert from 'node:assert/strict';
import test from 'node:test';
import { corpus } from './corpus.ts';
import { trial } from './trial.ts';

const INPUTS = 150;

test(`${INPUTS} damaged files end or are refused, alike whole and in pieces`, async (context) => {
  context.mock.method(console, 'error', () => undefined);
  const faults: string[] = [];
  for (let seed = 1; seed <= INPUTS; seed++) {
    await trial(seed).catch((thrown: Error) => faults.push(`input ${seed}: ${thrown.message}`));
  }
  assert.deepEqual(faults, []);
});

test('the corpus has every container', () => {
  const containers = [...new Set(corpus().map(({ container }) => container))].sort();
  assert.deepEqual(containers, ['adts', 'aiff', 'caf', 'flac', 'mp3', 'mp4', 'ogg', 'wav', 'webm']);
});
