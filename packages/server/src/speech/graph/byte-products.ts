// Converts the weights of a graph's matrix products to signed or unsigned bytes, whichever suit the processor.
import type { ByteSign } from '../../lib/process/processor.ts';
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from './onnx.ts';

/** Indices of the weights and zero points among the inputs of each operator that multiplies bytes. */
const PRODUCTS: Readonly<Record<string, readonly { readonly weights: number; readonly zeroPoint: number }[]>> = {
  DynamicQuantizeMatMul: [{ weights: 1, zeroPoint: 3 }],
  MatMulInteger: [{ weights: 1, zeroPoint: 3 }],
  DynamicQuantizeLSTM: [
    { weights: 1, zeroPoint: 9 },
    { weights: 2, zeroPoint: 11 },
  ],
};
const TYPES = { signed: DATA_TYPE.int8, unsigned: DATA_TYPE.uint8 } as const;

/** Shifts bytes and zero point by 128: every product stays bit-identical. */
const resigned = (tensor: OnnxTensor, sign: ByteSign): OnnxTensor => ({
  ...tensor,
  name: `${tensor.name}_${sign}`,
  dataType: TYPES[sign],
  data: tensor.data.map((byte) => byte ^ 0x80),
});

/** The zero point for a product that omits it. */
const noOffset = ({ name, dataType }: OnnxTensor): OnnxTensor => ({
  name: `${name}_no_offset`,
  dims: [],
  dataType,
  data: new Uint8Array(1),
});

/** Convolutions are not converted: onnxruntime is not faster with signed kernels. */
export const withByteProducts = (model: OnnxModel, sign: ByteSign): OnnxModel => {
  const { graph } = model;
  const other = sign === 'signed' ? TYPES.unsigned : TYPES.signed;
  const tensors = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const nodes = graph.nodes.map((node) => {
    const inputs = [...node.inputs];
    for (const { weights, zeroPoint } of PRODUCTS[node.opType] ?? []) {
      const table = tensors.get(inputs[weights]!);
      if (table?.dataType !== other) continue;
      const zero = tensors.get(inputs[zeroPoint] ?? '') ?? noOffset(table);
      for (const [place, tensor] of [
        [weights, table],
        [zeroPoint, zero],
      ] as const) {
        const made = resigned(tensor, sign);
        tensors.set(made.name, made);
        // Omitted inputs before it need an empty name.
        while (inputs.length < place) inputs.push('');
        inputs[place] = made.name;
      }
    }
    return { ...node, inputs };
  });
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const initializers = [...tensors.values()].filter(({ name }) => used.has(name));
  return { ...model, graph: { ...graph, nodes, initializers } };
};
