import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Tape } from './tape.ts';

test('what is on the tape reads back as it was written, and what was dropped is gone', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      const tape = new Tape();
      let next = 0;
      for (const length of all) tape.append(Float32Array.from({ length }, () => next++));
      const cut = Math.floor(next * share);
      tape.dropBefore(cut);
      assert.equal(tape.endSample, next);
      assert.ok(tape.startSample <= cut && cut - tape.startSample < 16_000);
      const read = new Float32Array(next - cut);
      tape.read(cut, next, read);
      assert.ok(read.every((sample, index) => sample === cut + index));
      if (tape.startSample > 0) {
        assert.throws(() => tape.read(tape.startSample - 1, tape.startSample, new Float32Array(1)), RangeError);
      }
      assert.throws(() => tape.read(next, next + 1, new Float32Array(1)), RangeError);
    }),
    { numRuns: 50 },
  );
});

test('a caller may reuse its buffer', () => {
  const tape = new Tape();
  const buffer = Float32Array.of(1, 2, 3);
  tape.append(buffer);
  buffer.fill(9);
  const read = new Float32Array(3);
  tape.read(0, 3, read);
  assert.deepEqual([...read], [1, 2, 3]);
});
