import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { averageLinkage, groupsAfter } from './linkage.ts';
import { numbersFrom } from './testing/made-speakers.ts';

const matrixOf = (items: number, seed: number): Float32Array => {
  const next = numbersFrom(seed);
  const matrix = new Float32Array(items * items);
  for (let a = 0; a < items; a++) {
    for (let b = 0; b < a; b++) {
      matrix[a * items + b] = next();
      matrix[b * items + a] = matrix[a * items + b]!;
    }
  }
  return matrix;
};

/** Average linkage by definition: the mean over all pairs, recomputed for every pair of groups. */
const byDefinition = (matrix: Float32Array, weights: readonly number[]): number[] => {
  const items = weights.length;
  let groups = weights.map((_, item) => [item]);
  const similarities: number[] = [];
  while (groups.length > 1) {
    let best = { a: 0, b: 1, value: Number.NEGATIVE_INFINITY };
    for (let a = 0; a < groups.length; a++) {
      for (let b = a + 1; b < groups.length; b++) {
        let [sum, total] = [0, 0];
        for (const i of groups[a]!) {
          for (const j of groups[b]!) {
            sum += weights[i]! * weights[j]! * matrix[i * items + j]!;
            total += weights[i]! * weights[j]!;
          }
        }
        if (sum / total > best.value) best = { a, b, value: sum / total };
      }
    }
    similarities.push(best.value);
    const joined = [...groups[best.a]!, ...groups[best.b]!];
    groups = [...groups.filter((_, index) => index !== best.a && index !== best.b), joined];
  }
  return similarities;
};

test('merges have the mean similarity of all pairs, as the definition says', () => {
  const property = fc.property(fc.integer({ min: 1, max: 14 }), fc.nat(1_000), (items, seed) => {
    const weights = Array.from({ length: items }, (_, i) => 0.5 + ((i * 7 + seed) % 5) / 5);
    const matrix = matrixOf(items, seed);
    const expected = byDefinition(matrix, weights);
    const merges = averageLinkage(matrix.slice(), weights);
    assert.equal(merges.length, items - 1);
    merges.forEach(({ similarity }, index) => {
      assert.ok(Math.abs(similarity - expected[index]!) < 1e-4);
    });
  });
  fc.assert(property, { numRuns: 200 });
});

test('similarities of merges never rise, and each merge leaves one group fewer', () => {
  const property = fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(1_000), (items, seed) => {
    const merges = averageLinkage(matrixOf(items, seed), new Array<number>(items).fill(1));
    for (let index = 1; index < merges.length; index++) {
      assert.ok(merges[index]!.similarity <= merges[index - 1]!.similarity + 1e-4);
    }
    for (let count = 0; count <= merges.length; count++) {
      assert.equal(new Set(groupsAfter(items, merges, count)).size, items - count);
    }
  });
  fc.assert(property, { numRuns: 50 });
});

test('groups are numbered in the order of their first items', () => {
  const merges = [
    { into: 1, from: 3, similarity: 1 },
    { into: 0, from: 4, similarity: 1 },
  ];
  assert.deepEqual([...groupsAfter(5, merges, 2)], [0, 1, 2, 1, 0]);
  assert.deepEqual([...groupsAfter(0, [], 0)], []);
});
