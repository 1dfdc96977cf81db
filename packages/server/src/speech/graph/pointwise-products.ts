// Replaces byte convolutions with kernel size 1 by matrix products: the same sums, many times faster.
import { transpose } from './matrices.ts';
import { DATA_TYPE, type OnnxAttribute, type OnnxModel, type OnnxNode, type OnnxTensor } from './onnx.ts';

const BYTES: ReadonlySet<number> = new Set([DATA_TYPE.int8, DATA_TYPE.uint8]);
/** The neutral value of each attribute. */
const PLAIN: Readonly<Record<string, number>> = { group: 1, strides: 1, dilations: 1, pads: 0, kernel_shape: 1 };

const isPlain = ({ name, int, ints }: OnnxAttribute): boolean => {
  const plain = PLAIN[name];
  return plain !== undefined && (ints ?? [int]).every((value) => value === plain);
};

/** The matrix [inputs, outputs] of a kernel [outputs, inputs, 1]. */
const turned = ({ name, dims, dataType, data }: OnnxTensor): OnnxTensor => {
  const [outputs = 0, inputs = 0] = dims;
  const bytes = transpose(data, outputs, inputs, new Uint8Array(data.length));
  return { name: `${name}_turned`, dims: [inputs, outputs], dataType, data: bytes };
};

const transposeNode = (from: string, to: string): OnnxNode => ({
  name: `${to}_transpose`,
  opType: 'Transpose',
  domain: '',
  inputs: [from],
  outputs: [to],
  attributes: [{ name: 'perm', ints: [0, 2, 1] }],
});

export const withPointwiseProducts = (model: OnnxModel): OnnxModel => {
  const { graph } = model;
  const tensors = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const nodes = graph.nodes.flatMap((node) => {
    const [given = '', kernel = '', ...zeroPoints] = node.inputs;
    const table = tensors.get(kernel);
    const isPointwise = node.opType === 'ConvInteger' && table?.dims.length === 3 && table.dims[2] === 1;
    if (!table || !isPointwise || !BYTES.has(table.dataType) || !node.attributes.every(isPlain)) return [node];
    const matrix = turned(table);
    tensors.set(matrix.name, matrix);
    const [sums = ''] = node.outputs;
    const [columns, products] = [`${sums}_columns`, `${sums}_products`];
    const inputs = [columns, matrix.name, ...zeroPoints];
    return [
      transposeNode(given, columns),
      { ...node, opType: 'MatMulInteger', inputs, outputs: [products], attributes: [] },
      transposeNode(products, sums),
    ];
  });
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const initializers = [...tensors.values()].filter(({ name }) => used.has(name));
  return { ...model, graph: { ...graph, nodes, initializers } };
};
