// Small operations on ONNX tensors that the speaker graphs need.
import type { QuantizedMatrix } from '../graph/build.ts';
import { floatsOf, floatTensor, transpose } from '../graph/matrices.ts';
import { DATA_TYPE, type OnnxTensor } from '../graph/onnx.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';

const integersOf = ({ name, dataType, data }: OnnxTensor): ArrayLike<number> => {
  if (dataType === DATA_TYPE.uint8) return data;
  if (dataType === DATA_TYPE.int8) return new Int8Array(data.buffer, data.byteOffset, data.length);
  throw new UnknownGraph(`"${name}" does not contain bytes`);
};

/** One scale and zero point for the whole tensor, or one per entry of its first dimension. */
export const dequantised = ({ weights, scale, zeroPoint }: QuantizedMatrix): OnnxTensor => {
  const integers = integersOf(weights);
  const zeros = integersOf(zeroPoint);
  const scales = floatsOf(scale);
  const groups = scales.length;
  if ((groups !== 1 && groups !== weights.dims[0]) || zeros.length !== groups)
    throw new UnknownGraph(`"${weights.name}" has an unsupported quantisation`);
  const perGroup = integers.length / groups;
  const values = new Float32Array(integers.length);
  for (let i = 0; i < values.length; i++) {
    const group = Math.floor(i / perGroup);
    values[i] = (integers[i]! - zeros[group]!) * scales[group]!;
  }
  return floatTensor(weights.name.replace(/_quantized$/, ''), values, weights.dims);
};

/** [a, b, c] becomes [a, c, b]. */
export const swappedLastAxes = (tensor: OnnxTensor): OnnxTensor => {
  const [first = 1, rows = 1, columns = 1] = tensor.dims;
  const values = floatsOf(tensor);
  const swapped = new Float32Array(values.length);
  const size = rows * columns;
  for (let at = 0; at < values.length; at += size)
    transpose(values.subarray(at, at + size), rows, columns, swapped.subarray(at, at + size));
  return floatTensor(tensor.name, swapped, [first, columns, rows]);
};
