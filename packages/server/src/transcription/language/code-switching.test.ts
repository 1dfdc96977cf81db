import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SAMPLE_RATE_HZ as SECOND } from '../../audio/pcm.ts';
import { sampleInWindow, type Window, windowSamples } from '../planning/window.ts';
import { splitAt, splittablePauses } from './code-switching.ts';

/** Six seconds, a pause that was left out, then five seconds. */
const window: Window = {
  slices: [
    { startSample: 0, endSample: 6 * SECOND },
    { startSample: 9 * SECOND, endSample: 14 * SECOND },
  ],
  voicedSamples: 10 * SECOND,
  pauses: [],
};

test('the two parts hold the whole window, in order', () => {
  const pauses = fc.array(fc.record({ sample: fc.nat(14 * SECOND), pauseSamples: fc.nat(50_000) }), { maxLength: 8 });
  fc.assert(
    fc.property(pauses, (of) => {
      const split = { ...window, pauses: of };
      for (const pause of splittablePauses(split)) {
        const [before, after] = splitAt(split, pause);
        assert.equal(windowSamples(before), sampleInWindow(split, pause.sample));
        assert.equal(windowSamples(before) + windowSamples(after), windowSamples(window));
        assert.ok(before.slices.at(-1)!.endSample <= after.slices[0]!.startSample);
        assert.ok(Math.abs(before.voicedSamples + after.voicedSamples - window.voicedSamples) <= 1);
      }
    }),
  );
});
