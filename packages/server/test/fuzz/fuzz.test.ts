// A short run of the fuzzer with every test run; `npm run fuzz` runs longer.
import assert from 'node:assert/strict';
import test from 'node:test';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { corpus } from './corpus.ts';
import { fuzzGuided } from './guided.ts';
import { crashFolderOf, filesIn } from './run-target.ts';
import { FUZZ_TARGETS } from './targets/all.ts';

const INPUTS_PER_TARGET = 200;
const SECONDS_PER_TARGET = 1;

test('the corpus has every container', () => {
  const containers = [...new Set(corpus().map(({ container }) => container))].sort();
  assert.deepEqual(containers, ['adts', 'aiff', 'caf', 'flac', 'mp3', 'mp4', 'ogg', 'wav', 'webm']);
});

for (const [name, open] of FUZZ_TARGETS)
  test(`${name}: inputs of past crashes, and some new ones`, async (context) => {
    context.mock.method(console, 'error', () => undefined);
    const target = await open();
    for (const bytes of filesIn(crashFolderOf(name))) await target.run(bytes, seededRandom(bytes.length));
    const crashes: string[] = [];
    const { inputs } = await fuzzGuided({
      target,
      seed: 20_261_115,
      untilMs: Date.now() + SECONDS_PER_TARGET * 1000,
      inputsMax: INPUTS_PER_TARGET,
      onInput: () => {},
      onFound: () => {},
      onCrash: ({ what, bytes }) => crashes.push(`${what}\n${Buffer.from(bytes).toString('base64')}`),
    });
    await target.close?.();
    assert.deepEqual(crashes, []);
    assert.ok(inputs > 0);
  });
