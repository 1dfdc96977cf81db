// Builds ONNX graphs node by node; each operation returns the names of its outputs.
import {
  DATA_TYPE,
  type OnnxAttribute,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from './onnx.ts';
import { readFields, WireWriter } from './protobuf.ts';

/** Standard ONNX operators, and those of onnxruntime (fused attention, int8 products, norms). */
const OPSETS = [
  ['', 17],
  ['com.microsoft', 1],
] as const;
const IR_VERSION = 8;

type AttributeValue = number | readonly number[] | string;

export interface QuantizedMatrix {
  /** [inputs, outputs], one byte each. */
  readonly weights: OnnxTensor;
  /** One for the matrix, or one per output. */
  readonly scale: OnnxTensor;
  readonly zeroPoint: OnnxTensor;
}

export class GraphBuilder {
  private readonly nodes: OnnxNode[] = [];
  private readonly initializers = new Map<string, OnnxTensor>();
  private readonly inputs: OnnxValue[] = [];
  private readonly outputs: OnnxValue[] = [];
  private count = 0;

  input(name: string, dataType: number, dims: readonly (number | string)[]): string {
    this.inputs.push({ name, dataType, dims });
    return name;
  }

  output(name: string, dataType: number, dims: readonly (number | string)[]): void {
    this.outputs.push({ name, dataType, dims });
  }

  tensor(tensor: OnnxTensor): string {
    this.initializers.set(tensor.name, tensor);
    return tensor.name;
  }

  integers(values: readonly number[], dims: readonly number[] = [values.length]): string {
    const name = `integers_${dims.join('x')}_${values.join('_')}`;
    const data = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.tensor({ name, dims, dataType: DATA_TYPE.int64, data });
  }

  /** Adds a node with one output; `name` sets the name of the output. */
  op(
    opType: string,
    inputs: readonly string[],
    options: { attributes?: Readonly<Record<string, AttributeValue>>; domain?: string; name?: string } = {},
  ): string {
    return this.ops(opType, inputs, [options.name ?? ''], options)[0]!;
  }

  /** Adds a node with several outputs; an empty name is generated, a null output omitted. */
  ops(
    opType: string,
    inputs: readonly string[],
    outputs: readonly (string | null)[],
    options: { attributes?: Readonly<Record<string, AttributeValue>>; domain?: string } = {},
  ): string[] {
    const id = `${opType}_${this.count++}`;
    const names = outputs.map((name, i) => (name === null ? '' : name === '' ? `${id}_${i}` : name));
    const attributes = Object.entries(options.attributes ?? {}).map(([name, value]) => attributeOf(name, value));
    this.nodes.push({ name: id, opType, domain: options.domain ?? '', inputs, outputs: names, attributes });
    return names;
  }

  /** Adds an operator of onnxruntime. */
  fused(opType: string, inputs: readonly string[], attributes: Readonly<Record<string, AttributeValue>> = {}): string {
    return this.op(opType, inputs, { domain: 'com.microsoft', attributes });
  }

  /** Quantises the input dynamically, multiplies in int8 and returns float32. */
  linear(x: string, matrix: QuantizedMatrix, bias?: OnnxTensor): string {
    const inputs = [x, this.tensor(matrix.weights), this.tensor(matrix.scale), this.tensor(matrix.zeroPoint)];
    return this.fused('DynamicQuantizeMatMul', bias ? [...inputs, this.tensor(bias)] : inputs);
  }

  build(name: string): OnnxModel {
    const rest = new WireWriter().varint(1, IR_VERSION);
    for (const [domain, version] of OPSETS) {
      rest.bytes(8, new WireWriter().text(1, domain).varint(2, version).finish());
    }
    return {
      graph: {
        name,
        nodes: this.nodes,
        initializers: [...this.initializers.values()],
        inputs: this.inputs,
        outputs: this.outputs,
      },
      rest: readFields(rest.finish()),
    };
  }
}

const STRING_ATTRIBUTE = 3;

const attributeOf = (name: string, value: AttributeValue): OnnxAttribute => {
  if (typeof value === 'string')
    return { name, wire: new WireWriter().text(1, name).text(4, value).varint(20, STRING_ATTRIBUTE).finish() };
  if (typeof value !== 'number') return { name, ints: value };
  // These attributes are floats even when their value is an integer.
  return FLOAT_ATTRIBUTES.has(name) ? { name, float: value } : { name, int: value };
};

const FLOAT_ATTRIBUTES = new Set(['alpha', 'epsilon', 'scale']);
