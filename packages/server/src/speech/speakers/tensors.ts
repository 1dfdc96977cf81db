// Small operations on ONNX tensors that the speaker graphs need.
import type { QuantizedMatrix } from '../graph/build.ts';
import { DATA_TYPE, type OnnxTensor } from '../graph/onnx.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';

export const floatsOf = (tensor: OnnxTensor): Float32Array => {
  if (tensor.dataType !== DATA_TYPE.float) throw new UnknownGraph(`"${tensor.name}" does not hold floats`);
  // Copied, since the bytes of a file need not be aligned.
  return new Float32Array(Uint8Array.from(tensor.data).buffer);
};

export const floatTensor = (name: string, dims: readonly number[], values: Float32Array): OnnxTensor => ({
  name,
  dims,
  dataType: DATA_TYPE.float,
  data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
});

const integersOf = ({ name, dataType, data }: OnnxTensor): ArrayLike<number> => {
  if (dataType === DATA_TYPE.uint8) return data;
  if (dataType === DATA_TYPE.int8) return new Int8Array(data.buffer, data.byteOffset, data.length);
  throw new UnknownGraph(`"${name}" does not hold bytes`);
};

/** One scale and zero point for the whole tensor, or one per entry of its first dimension. */
export const dequantised = ({ weights, scale, zeroPoint }: QuantizedMatrix): OnnxTensor => {
  const integers = integersOf(weights);
  const zeros = integersOf(zeroPoint);
  const scales = floatsOf(scale);
  const groups = scales.length;
  if ((groups !== 1 && groups !== weights.dims[0]) || zeros.length !== groups)
    throw new UnknownGraph(`"${weights.name}" is quantised in another way`);
  const perGroup = integers.length / groups;
  const values = new Float32Array(integers.length);
  for (let i = 0; i < values.length; i++) {
    const group = Math.floor(i / perGroup);
    values[i] = (integers[i]! - zeros[group]!) * scales[group]!;
  }
  return floatTensor(weights.name.replace(/_quantized$/, ''), weights.dims, values);
};

/** [a, b, c] becomes [a, c, b]. */
export const swappedLastAxes = (tensor: OnnxTensor): OnnxTensor => {
  const [first = 1, rows = 1, columns = 1] = tensor.dims;
  const values = floatsOf(tensor);
  const swapped = new Float32Array(values.length);
  for (let a = 0; a < first; a++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        swapped[(a * columns + column) * rows + row] = values[(a * rows + row) * columns + column]!;
      }
    }
  }
  return floatTensor(tensor.name, [first, columns, rows], swapped);
};
