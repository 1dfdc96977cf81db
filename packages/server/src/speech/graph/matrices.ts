// Edits of quantised matrices: several side by side as one, and transposed.
import type { QuantizedMatrix } from './build.ts';
import { DATA_TYPE, type OnnxTensor } from './onnx.ts';
import { UnknownGraph } from './weights.ts';

export const floatsOf = (tensor: OnnxTensor): Float32Array =>
  new Float32Array(tensor.data.buffer.slice(tensor.data.byteOffset, tensor.data.byteOffset + tensor.data.byteLength));

export const floatTensor = (name: string, values: Float32Array): OnnxTensor => ({
  name,
  dims: [values.length],
  dataType: DATA_TYPE.float,
  data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
});

/** Matrices of the same input as one wide matrix, with a scale and a zero point per column. */
export const sideBySide = (name: string, matrices: readonly QuantizedMatrix[]): QuantizedMatrix => {
  const rows = matrices[0]!.weights.dims[0]!;
  const { dataType } = matrices[0]!.weights;
  if (matrices.some(({ weights }) => weights.dims[0] !== rows || weights.dataType !== dataType))
    throw new UnknownGraph(`the matrices of "${name}" do not fit side by side`);
  const widths = matrices.map(({ weights }) => weights.dims[1]!);
  const width = widths.reduce((sum, columns) => sum + columns, 0);
  const data = new Uint8Array(rows * width);
  const scale = new Float32Array(width);
  const zeroPoint = new Uint8Array(width);
  let offset = 0;
  for (const [i, matrix] of matrices.entries()) {
    const columns = widths[i]!;
    for (let row = 0; row < rows; row++) {
      data.set(matrix.weights.data.subarray(row * columns, (row + 1) * columns), row * width + offset);
    }
    scale.set(spread(floatsOf(matrix.scale), columns), offset);
    zeroPoint.set(spread(matrix.zeroPoint.data, columns), offset);
    offset += columns;
  }
  return {
    weights: { name: `${name}_weights`, dims: [rows, width], dataType, data },
    scale: floatTensor(`${name}_scale`, scale),
    zeroPoint: { name: `${name}_zero_point`, dims: [width], dataType, data: zeroPoint },
  };
};

/** A value of the whole matrix as one per column. */
const spread = (values: ArrayLike<number>, columns: number): number[] =>
  Array.from({ length: columns }, (_, column) => values[values.length === columns ? column : 0]!);

/** Biases side by side; where a part has none it is zero. */
export const biasesSideBySide = (name: string, biases: readonly (OnnxTensor | null)[], width: number): OnnxTensor => {
  const values = new Float32Array(biases.length * width);
  for (const [i, bias] of biases.entries()) if (bias) values.set(floatsOf(bias), i * width);
  return floatTensor(name, values);
};

export const transposed = (name: string, matrix: QuantizedMatrix): QuantizedMatrix => {
  const [rows = 0, columns = 0] = matrix.weights.dims;
  const source = matrix.weights.data;
  const data = new Uint8Array(source.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) data[column * rows + row] = source[row * columns + column]!;
  }
  return { ...matrix, weights: { ...matrix.weights, name, dims: [columns, rows], data } };
};
