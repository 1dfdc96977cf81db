// The same graph with the weights of its products as signed bytes, for processors that multiply those faster.
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from './onnx.ts';

const PRODUCT = 'DynamicQuantizeMatMul';
/** Places of a product's inputs. */
const WEIGHTS = 1;
const ZERO_POINT = 3;

/** 128 less, in the bytes and in what counts as zero: every product stays what it was, to the bit. */
const signed = (tensor: OnnxTensor): OnnxTensor => ({
  ...tensor,
  name: `${tensor.name}_signed`,
  dataType: DATA_TYPE.int8,
  data: tensor.data.map((byte) => byte ^ 0x80),
});

/** Convolutions stay as they are: onnxruntime has no faster way for signed kernels. */
export const withSignedProducts = (model: OnnxModel): OnnxModel => {
  const { graph } = model;
  const tensors = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const nodes = graph.nodes.map((node) => {
    if (node.opType !== PRODUCT || tensors.get(node.inputs[WEIGHTS]!)?.dataType !== DATA_TYPE.uint8) return node;
    const inputs = [...node.inputs];
    for (const place of [WEIGHTS, ZERO_POINT]) {
      const made = signed(tensors.get(inputs[place]!)!);
      tensors.set(made.name, made);
      inputs[place] = made.name;
    }
    return { ...node, inputs };
  });
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const initializers = [...tensors.values()].filter(({ name }) => used.has(name));
  return { ...model, graph: { ...graph, nodes, initializers } };
};
