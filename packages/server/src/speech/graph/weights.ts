// Finds the weights of an exported transformer by the names of the nodes that use them, and validates them.
import type { QuantizedMatrix } from './build.ts';
import { inSinglePrecision, quantizedBy } from './matrices.ts';
import { DATA_TYPE, type OnnxGraph, type OnnxModel, type OnnxNode, type OnnxTensor } from './onnx.ts';
import { UnknownGraph } from './unknown-graph.ts';

/** All nodes by name; for a merged decoder, those of one branch. */
export class WeightFinder {
  private readonly nodes: ReadonlyMap<string, OnnxNode>;
  private readonly tensors: ReadonlyMap<string, OnnxTensor>;

  constructor(model: OnnxModel, branch?: 'then_branch' | 'else_branch') {
    const graph = branch ? branchOf(model.graph, branch) : model.graph;
    this.nodes = new Map(graph.nodes.map((node) => [node.name, node]));
    this.tensors = new Map([...model.graph.initializers, ...graph.initializers].map((tensor) => [tensor.name, tensor]));
  }

  has(nodeName: string): boolean {
    return this.nodes.has(nodeName);
  }

  node(name: string): OnnxNode {
    const node = this.nodes.get(name);
    if (!node) throw new UnknownGraph(`it has no node "${name}"`);
    return node;
  }

  tensor(name: string): OnnxTensor {
    const tensor = this.tensors.get(name);
    if (!tensor) throw new UnknownGraph(`it has no weights "${name}"`);
    return tensor;
  }

  /** The input of a node that is a weight; floats in single precision. */
  weightOf(nodeName: string): OnnxTensor {
    const node = this.node(nodeName);
    const found = node.inputs.find((input) => this.tensors.has(input));
    if (found === undefined) throw new UnknownGraph(`the node "${nodeName}" uses no weights`);
    return inSinglePrecision(this.tensor(found));
  }

  /** A matrix quantised by the exporter (`…/MatMul_quant`), or a float matrix, which is quantised here. */
  matrix(layer: string): QuantizedMatrix {
    if (this.has(`${layer}/MatMul`)) return quantizedBy('column', this.weightOf(`${layer}/MatMul`));
    const node = this.node(`${layer}/MatMul_quant`);
    if (node.opType !== 'MatMulInteger') throw new UnknownGraph(`"${node.name}" is not an int8 product`);
    const [, weights = '', , zeroPoint = ''] = node.inputs;
    return this.quantized(weights, zeroPoint);
  }

  /** The bias of a product, if any. */
  bias(layer: string): OnnxTensor | null {
    return this.has(`${layer}/Add`) ? this.weightOf(`${layer}/Add`) : null;
  }

  /** The table of a `Gather`: bytes unchanged, floats quantised per row. */
  table(nodeName: string): QuantizedMatrix {
    const tensor = this.weightOf(nodeName);
    return tensor.dataType === DATA_TYPE.float ? quantizedBy('row', tensor) : this.quantized(tensor.name);
  }

  quantized(weightsName: string, zeroPointName = weightsName.replace(/_quantized$/, '_zero_point')): QuantizedMatrix {
    const weights = this.tensor(weightsName);
    if (weights.dataType !== DATA_TYPE.uint8 && weights.dataType !== DATA_TYPE.int8)
      throw new UnknownGraph(`"${weightsName}" is not quantised to bytes`);
    return {
      weights,
      scale: this.tensor(weightsName.replace(/_quantized$/, '_scale')),
      zeroPoint: this.tensor(zeroPointName),
    };
  }

  /** Weight and optional bias of a layer norm, exported as one node or several. */
  norm(layer: string): { weight: OnnxTensor; bias: OnnxTensor | null } {
    const whole = `${layer}/LayerNormalization`;
    if (this.has(whole)) {
      const [, weight = '', bias] = this.node(whole).inputs;
      return {
        weight: inSinglePrecision(this.tensor(weight)),
        bias: bias ? inSinglePrecision(this.tensor(bias)) : null,
      };
    }
    const bias = this.has(`${layer}/Add_1`) ? this.weightOf(`${layer}/Add_1`) : null;
    return { weight: this.weightOf(`${layer}/Mul`), bias };
  }

  /** Number of layers with this matrix under `prefix.0`, `prefix.1`, … */
  layers(prefix: string, matrix: string): number {
    let count = 0;
    while (this.#hasMatrix(`${prefix}.${count}/${matrix}`)) count++;
    if (count === 0) throw new UnknownGraph(`it has no layers under "${prefix}"`);
    return count;
  }

  #hasMatrix(layer: string): boolean {
    return this.has(`${layer}/MatMul_quant`) || this.has(`${layer}/MatMul`);
  }
}

const branchOf = (graph: OnnxGraph, branch: string): OnnxGraph => {
  const choice = graph.nodes.find((node) => node.opType === 'If');
  const found = choice?.attributes.find((attribute) => attribute.name === branch)?.graph;
  if (!found) throw new UnknownGraph('it is not a merged decoder');
  return found;
};
