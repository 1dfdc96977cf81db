import assert from 'node:assert/strict';
import test from 'node:test';
import type { QuantizedMatrix } from './build.ts';
import { dequantized, floatsOf, floatTensor, linesOf } from './matrices.ts';
import { DATA_TYPE } from './onnx.ts';

const bytes = (name: string, dims: readonly number[], values: readonly number[]) => ({
  name,
  dims,
  dataType: DATA_TYPE.int8,
  data: new Uint8Array(Int8Array.from(values).buffer),
});

/** Two rows of three; a scale and a zero point per column, or for all. */
const matrixOf = (scales: readonly number[], zeros: readonly number[]) => ({
  weights: bytes('m', [2, 3], [1, -2, 3, 4, 5, -6]),
  scale: floatTensor('s', Float32Array.from(scales)),
  zeroPoint: bytes('z', [zeros.length], zeros),
});

const valuesOf = (matrix: QuantizedMatrix) => [...floatsOf(dequantized(matrix))];

test('a matrix is dequantised with the scale and the zero point of each column, or of all', () => {
  assert.deepEqual(valuesOf(matrixOf([1, 2, 4], [0, 1, -1])), [1, -6, 16, 4, 8, -20]);
  assert.deepEqual(valuesOf(matrixOf([0.5], [1])), [0, -1.5, 1, 1.5, 2, -3.5]);
});

test('columns and rows of a matrix keep their values', () => {
  for (const matrix of [matrixOf([1, 2, 4], [0, 1, -1]), matrixOf([0.5], [1])]) {
    const [a, , c, d, e, f] = valuesOf(matrix);
    const columns = linesOf('column', matrix, [2, 0]);
    assert.deepEqual(
      [columns.weights.dims, valuesOf(columns)],
      [
        [2, 2],
        [c, a, f, d],
      ],
    );
    const rows = linesOf('row', matrix, [1]);
    assert.deepEqual(
      [rows.weights.dims, valuesOf(rows)],
      [
        [1, 3],
        [d, e, f],
      ],
    );
    assert.notEqual(columns.weights.name, matrix.weights.name);
  }
});
