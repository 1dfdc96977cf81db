import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { madeWindow } from '../testing/made-speakers.ts';
import { ATOM_LENGTHS, atomsOf, changePoints, runsOf, segmentsOf } from './atoms.ts';
import { consensusOf, consensusOfSpeech } from './consensus.ts';

test('a single window decides alone, and frames that no window covers are silent', () => {
  const { speakers, change } = consensusOf([madeWindow(100, '0110330')], 90, 180);
  assert.equal(speakers[0], 0);
  assert.equal(speakers[10 + 15], 1);
  assert.equal(speakers[10 + 45], 2);
  assert.equal(change[10 + 40], 1);
  assert.equal(change[10 + 41], 0);
});

test('a pause does not count as a change, another speaker after it does', () => {
  const same = consensusOf([madeWindow(0, '110011')], 0, 60);
  assert.ok(same.change.every((share) => share === 0));
  const other = consensusOf([madeWindow(0, '110022')], 0, 60);
  assert.equal(other.change[40], 1);
});

test('windows that disagree are weighted: a window counts more in its middle', () => {
  const edge = madeWindow(0, `${'0'.repeat(58)}1`);
  const middle = madeWindow(290, '0'.repeat(59));
  const { speakers } = consensusOf([edge, middle], 580, 590);
  assert.ok(speakers[4]! > 0 && speakers[4]! < 0.5);
});

test('a part of a recording has the same consensus as that part of the whole', () => {
  const digits = fc.stringMatching(/^[0-6]{59}$/);
  const property = fc.property(fc.array(digits, { minLength: 1, maxLength: 4 }), fc.nat(300), (blocks, from) => {
    const windows = blocks.map((text, index) => madeWindow(index * 148, text));
    const whole = consensusOf(windows, 0, 1_200);
    const part = consensusOf(windows, from, from + 200);
    assert.deepEqual(part.speakers, whole.speakers.slice(from, from + 200));
    assert.deepEqual(part.change, whole.change.slice(from, from + 200));
  });
  fc.assert(property, { numRuns: 30 });
});

test('speech is cut at pauses and where the speaker changes', () => {
  const consensus = consensusOf([madeWindow(0, '111112222200111')], 0, 200);
  assert.deepEqual(segmentsOf(consensus), [
    { fromFrame: 0, toFrame: 50 },
    { fromFrame: 50, toFrame: 100 },
    { fromFrame: 120, toFrame: 150 },
  ]);
});

test('change points keep their distance and are found where the evidence is', () => {
  const property = fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { maxLength: 120 }), (evidence) => {
    const points = changePoints(Float32Array.from(evidence)).sort((a, b) => a - b);
    points.slice(1).forEach((point, index) => {
      assert.ok(point - points[index]! > 4);
    });
  });
  fc.assert(property);
  assert.deepEqual(changePoints(new Float32Array(50)), []);
});

test('atoms cover their segment without gaps, and pool within it', () => {
  const lengths = fc.array(fc.integer({ min: 10, max: 900 }), { minLength: 1, maxLength: 5 });
  const property = fc.property(lengths, (frames) => {
    let at = 0;
    const segments = frames.map((length) => {
      const segment = { fromFrame: at, toFrame: at + length };
      at += length + 20;
      return segment;
    });
    const consensus = consensusOfSpeech(segments, 0, at);
    const atoms = atomsOf(segments, consensus, ATOM_LENGTHS);
    const covered = new Uint8Array(at);
    for (const { fromFrame, toFrame } of atoms) covered.fill(1, fromFrame, toFrame);
    assert.deepEqual(
      runsOf(at, (frame) => covered[frame] === 1),
      segments,
    );
    for (const { fromFrame, spans, pooledSeconds } of atoms) {
      const segment = segments.find((candidate) => candidate.fromFrame <= fromFrame && fromFrame < candidate.toFrame)!;
      assert.ok(spans[0]! >= segment.fromFrame && spans.at(-1)! <= segment.toFrame);
      assert.ok(pooledSeconds > 0 && pooledSeconds <= ATOM_LENGTHS.poolSeconds + 0.02);
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('overlapped frames are left out of the pool if enough others remain', () => {
  const consensus = consensusOf([madeWindow(0, '1111333111')], 0, 120);
  const [atom] = atomsOf([{ fromFrame: 0, toFrame: 100 }], consensus, ATOM_LENGTHS);
  assert.deepEqual([...atom!.spans], [0, 40, 70, 100]);
  const crowded = consensusOf([madeWindow(0, '1333333331')], 0, 120);
  const [other] = atomsOf([{ fromFrame: 0, toFrame: 92 }], crowded, ATOM_LENGTHS);
  assert.deepEqual([...other!.spans], [0, 92]);
});
