import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { SampleBuffer } from './sample-buffer.ts';

test('buffered samples read back as written, and dropped ones are gone', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      const buffer = new SampleBuffer();
      let next = 0;
      for (const length of all) buffer.append(Float32Array.from({ length }, () => next++));
      const cut = Math.floor(next * share);
      buffer.dropBefore(cut);
      assert.equal(buffer.endSample, next);
      assert.ok(buffer.startSample <= cut && cut - buffer.startSample < SAMPLE_RATE_HZ);
      const read = new Float32Array(next - cut);
      buffer.read(cut, next, read);
      assert.ok(read.every((sample, index) => sample === cut + index));
      if (buffer.startSample > 0) {
        assert.throws(() => buffer.read(buffer.startSample - 1, buffer.startSample, new Float32Array(1)), RangeError);
      }
      assert.throws(() => buffer.read(next, next + 1, new Float32Array(1)), RangeError);
      for (let at = cut; at < next; ) {
        const stretch = buffer.stretchFrom(at);
        assert.ok(stretch.length > 0 && stretch.every((sample, index) => sample === at + index));
        at += stretch.length;
      }
      assert.throws(() => buffer.stretchFrom(next), RangeError);
    }),
    { numRuns: 50 },
  );
});

test('a caller may reuse its array', () => {
  const buffer = new SampleBuffer();
  const samples = Float32Array.of(1, 2, 3);
  buffer.append(samples);
  samples.fill(9);
  const read = new Float32Array(3);
  buffer.read(0, 3, read);
  assert.deepEqual([...read], [1, 2, 3]);
});

test('a stretch stays unchanged, whatever is appended or dropped later', () => {
  const buffer = new SampleBuffer();
  buffer.append(Float32Array.of(1, 2, 3));
  const stretch = buffer.stretchFrom(1);
  buffer.append(new Float32Array(2 * SAMPLE_RATE_HZ).fill(9));
  buffer.dropBefore(buffer.endSample);
  assert.deepEqual([...stretch], [2, 3]);
});

test('a slice has silence where the buffer has no samples', () => {
  const buffer = new SampleBuffer();
  buffer.append(Float32Array.from({ length: SAMPLE_RATE_HZ + 2 }, (_, index) => index));
  const end = SAMPLE_RATE_HZ + 2;
  assert.deepEqual([...buffer.slice(end - 3, end + 1)], [end - 3, end - 2, end - 1, 0]);
  buffer.dropBefore(SAMPLE_RATE_HZ);
  assert.deepEqual([...buffer.slice(SAMPLE_RATE_HZ - 1, end)], [0, SAMPLE_RATE_HZ, SAMPLE_RATE_HZ + 1]);
  assert.equal(buffer.slice(5, 2).length, 0);
});
