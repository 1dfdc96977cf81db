// Matrix operations: quantisation, concatenation and transposition.
import type { QuantizedMatrix } from './build.ts';
import { DATA_TYPE, type OnnxTensor } from './onnx.ts';
import { UnknownGraph } from './unknown-graph.ts';

const halfValue = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};

/** Half-precision values, indexed by their bits. Computed on first use, which only the compiler needs. */
let halfValues: Float32Array | undefined;

/** The values of a float tensor, in single or half precision. */
export const floatsOf = ({ name, data, dataType }: OnnxTensor): Float32Array => {
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  if (dataType === DATA_TYPE.float) return new Float32Array(bytes);
  if (dataType === DATA_TYPE.half) {
    halfValues ??= new Float32Array(2 ** 16).map((_, bits) => halfValue(bits));
    const halves = new Uint16Array(bytes);
    const values = new Float32Array(halves.length);
    for (let i = 0; i < halves.length; i++) values[i] = halfValues[halves[i]!]!;
    return values;
  }
  throw new UnknownGraph(`"${name}" is not a float tensor`);
};

export const floatTensor = (
  name: string,
  values: Float32Array,
  dims: readonly number[] = [values.length],
): OnnxTensor => ({
  name,
  dims,
  dataType: DATA_TYPE.float,
  data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
});

/** The tensor in single precision. */
export const inSinglePrecision = (tensor: OnnxTensor): OnnxTensor =>
  tensor.dataType === DATA_TYPE.half ? floatTensor(tensor.name, floatsOf(tensor), tensor.dims) : tensor;

/** Writes a matrix into `into`, column by column. */
export const transpose = <Values extends Uint8Array | Uint16Array | Float32Array>(
  source: Values,
  rows: number,
  columns: number,
  into: Values,
): Values => {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) into[column * rows + row] = source[row * columns + column]!;
  return into;
};

/** The byte for zero, and the largest step from it. */
const ZERO = 128;
const STEPS = 127;

/** Quantises floats, with one scale per column or row. */
export const quantizedBy = (line: 'column' | 'row', tensor: OnnxTensor): QuantizedMatrix => {
  const [rows = 0, columns = 0] = tensor.dims;
  const values = floatsOf(tensor);
  const [perRow, perColumn] = line === 'row' ? [1, 0] : [0, 1];
  const scale = new Float32Array(line === 'row' ? rows : columns);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      const at = row * perRow + column * perColumn;
      const size = Math.abs(values[i]!);
      if (size > scale[at]!) scale[at] = size;
    }
  }
  // A scale of 1 for zeros avoids a division by zero.
  for (let i = 0; i < scale.length; i++) scale[i] = scale[i]! / STEPS || 1;
  const data = new Uint8Array(values.length);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      // Adding 0.5 turns truncation into rounding.
      data[i] = values[i]! / scale[row * perRow + column * perColumn]! + ZERO + 0.5;
    }
  }
  const zeros = new Uint8Array(scale.length).fill(ZERO);
  return {
    weights: { name: `${tensor.name}_bytes`, dims: tensor.dims, dataType: DATA_TYPE.uint8, data },
    scale: floatTensor(`${tensor.name}_scale`, scale),
    zeroPoint: { name: `${tensor.name}_zero_point`, dims: [zeros.length], dataType: DATA_TYPE.uint8, data: zeros },
  };
};

/** Some of the lines of a matrix, which has a scale and a zero point for all or one per column. */
export const linesOf = (line: 'column' | 'row', matrix: QuantizedMatrix, lines: readonly number[]): QuantizedMatrix => {
  const { weights, scale, zeroPoint } = matrix;
  const [rows = 0, columns = 0] = weights.dims;
  const name = `${weights.name}_${lines.length}_${line}s`;
  if (line === 'row') {
    const data = new Uint8Array(lines.length * columns);
    for (const [to, row] of lines.entries())
      data.set(weights.data.subarray(row * columns, (row + 1) * columns), to * columns);
    return { ...matrix, weights: { ...weights, name, dims: [lines.length, columns], data } };
  }
  const data = new Uint8Array(rows * lines.length);
  for (let row = 0; row < rows; row++)
    for (const [to, column] of lines.entries()) data[row * lines.length + to] = weights.data[row * columns + column]!;
  const picked = (values: ArrayLike<number>): number[] =>
    values.length === columns ? lines.map((column) => values[column]!) : [...Array.from(values)];
  return {
    weights: { ...weights, name, dims: [rows, lines.length], data },
    scale: floatTensor(`${name}_scale`, new Float32Array(picked(floatsOf(scale)))),
    zeroPoint: {
      ...zeroPoint,
      name: `${name}_zero_point`,
      dims: zeroPoint.data.length === columns ? [lines.length] : zeroPoint.dims,
      data: new Uint8Array(picked(zeroPoint.data)),
    },
  };
};

/** The matrix in single precision. */
export const dequantized = ({ weights, scale, zeroPoint }: QuantizedMatrix): OnnxTensor => {
  const [rows = 0, columns = 0] = weights.dims;
  const scales = floatsOf(scale);
  const values = new Float32Array(rows * columns);
  const signed = ({ data, dataType }: OnnxTensor): ArrayLike<number> =>
    dataType === DATA_TYPE.int8 ? new Int8Array(data.buffer, data.byteOffset, data.length) : data;
  const [bytes, zeros] = [signed(weights), signed(zeroPoint)];
  const scaleStep = scales.length === columns ? 1 : 0;
  const zeroStep = zeros.length === columns ? 1 : 0;
  for (let row = 0, i = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, i++)
      values[i] = (bytes[i]! - zeros[column * zeroStep]!) * scales[column * scaleStep]!;
  return floatTensor(`${weights.name}_floats`, values, weights.dims);
};

/** Concatenates matrices with the same input, with a scale and a zero point per column. */
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

/** Repeats a per-matrix value for every column. */
const spread = (values: ArrayLike<number>, columns: number): number[] =>
  Array.from({ length: columns }, (_, column) => values[values.length === columns ? column : 0]!);

/** Concatenates biases; missing ones are zero. */
export const biasesSideBySide = (name: string, biases: readonly (OnnxTensor | null)[], width: number): OnnxTensor => {
  const values = new Float32Array(biases.length * width);
  for (const [i, bias] of biases.entries()) if (bias) values.set(floatsOf(bias), i * width);
  return floatTensor(name, values);
};

export const transposed = (name: string, matrix: QuantizedMatrix): QuantizedMatrix => {
  const [rows = 0, columns = 0] = matrix.weights.dims;
  const source = matrix.weights.data;
  const data = transpose(source, rows, columns, new Uint8Array(source.length));
  return { ...matrix, weights: { ...matrix.weights, name, dims: [columns, rows], data } };
};
