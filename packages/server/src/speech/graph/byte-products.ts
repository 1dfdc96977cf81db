// Converts the weights of a graph's products to signed or unsigned bytes, whichever the processor multiplies best.
import type { ByteSign } from '../../lib/process/processor.ts';
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from './onnx.ts';

const PRODUCT = 'DynamicQuantizeMatMul';
/** Indices of a product's inputs. */
const WEIGHTS = 1;
const ZERO_POINT = 3;

const TYPES = { signed: DATA_TYPE.int8, unsigned: DATA_TYPE.uint8 } as const;

/** Shifts bytes and zero point by 128: every product stays bit-identical. */
const resigned = (tensor: OnnxTensor, sign: ByteSign): OnnxTensor => ({
  ...tensor,
  name: `${tensor.name}_${sign}`,
  dataType: TYPES[sign],
  data: tensor.data.map((byte) => byte ^ 0x80),
});

/** Convolutions are not converted: onnxruntime is not faster with signed kernels. */
export const withByteProducts = (model: OnnxModel, sign: ByteSign): OnnxModel => {
  const { graph } = model;
  const other = sign === 'signed' ? TYPES.unsigned : TYPES.signed;
  const tensors = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const nodes = graph.nodes.map((node) => {
    if (node.opType !== PRODUCT || tensors.get(node.inputs[WEIGHTS]!)?.dataType !== other) return node;
    const inputs = [...node.inputs];
    for (const place of [WEIGHTS, ZERO_POINT]) {
      const made = resigned(tensors.get(inputs[place]!)!, sign);
      tensors.set(made.name, made);
      inputs[place] = made.name;
    }
    return { ...node, inputs };
  });
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const initializers = [...tensors.values()].filter(({ name }) => used.has(name));
  return { ...model, graph: { ...graph, nodes, initializers } };
};
