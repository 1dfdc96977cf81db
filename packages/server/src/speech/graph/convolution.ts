// Convolutions along time as matrix products over windows of neighbouring positions, which onnxruntime computes faster:
// several times for bytes, slightly for floats.
import type { GraphBuilder, QuantizedMatrix } from './build.ts';
import { inSinglePrecision } from './matrices.ts';
import type { OnnxTensor } from './onnx.ts';

/** Of shape [outputs, inputs, size]. */
export type Kernel = QuantizedMatrix | OnnxTensor;

const tensorOf = (kernel: Kernel): OnnxTensor => ('weights' in kernel ? kernel.weights : kernel);

export const kernelDims = (kernel: Kernel): readonly number[] => tensorOf(kernel).dims;

/** `x` is [1, positions, inputs]; the result, without a bias, [1, fewer positions, outputs]. */
export const convolveInTime = (
  graph: GraphBuilder,
  x: string,
  kernel: Kernel,
  { stride, padding }: { readonly stride: number; readonly padding: number },
): string => {
  const size = kernelDims(kernel)[2]!;
  const padded = padding === 0 ? x : graph.op('Pad', [x, graph.integers([0, padding, 0, 0, padding, 0])]);
  const shifted = Array.from({ length: size }, (_, shift) => {
    const missing = size - 1 - shift;
    const end = missing === 0 ? Number.MAX_SAFE_INTEGER : -missing;
    return graph.op('Slice', [padded, ...[[shift], [end], [1], [stride]].map((values) => graph.integers(values))]);
  });
  const windows = size === 1 ? shifted[0]! : graph.op('Concat', shifted, { attributes: { axis: 2 } });
  return 'weights' in kernel
    ? graph.linear(windows, { ...kernel, weights: asMatrix(kernel.weights) })
    : graph.op('MatMul', [windows, graph.tensor(asMatrix(inSinglePrecision(kernel)))]);
};

/** The matrix [size × inputs, outputs] of a kernel. */
const asMatrix = ({ name, dims, dataType, data }: OnnxTensor): OnnxTensor => {
  const [outputs = 0, inputs = 0, size = 0] = dims;
  const bytes = data.length / (outputs * inputs * size);
  const matrix = new Uint8Array(data.length);
  for (let output = 0, from = 0; output < outputs; output++)
    for (let input = 0; input < inputs; input++)
      for (let at = 0; at < size; at++, from += bytes)
        matrix.set(data.subarray(from, from + bytes), ((at * inputs + input) * outputs + output) * bytes);
  return { name: `${name}_matrix`, dims: [size * inputs, outputs], dataType, data: matrix };
};
