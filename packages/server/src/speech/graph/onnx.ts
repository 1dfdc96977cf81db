// Reads, edits and writes ONNX models as plain objects; unknown fields are preserved.
import { OnnxFault, readFields, type WireField, WireReader, WireWriter } from './protobuf.ts';

export { OnnxFault };

export const DATA_TYPE = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, half: 10 } as const;

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly dataType: number;
  /** Little-endian values. */
  readonly data: Uint8Array;
}

export interface OnnxAttribute {
  readonly name: string;
  readonly int?: number;
  readonly ints?: readonly number[];
  readonly float?: number;
  readonly tensor?: OnnxTensor;
  readonly graph?: OnnxGraph;
  /** The attribute as read; written back when set. */
  readonly wire?: Uint8Array;
}

export interface OnnxNode {
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly OnnxAttribute[];
}

/** An input or output of a graph; a string dimension is free. */
export interface OnnxValue {
  readonly name: string;
  readonly dataType: number;
  readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

export interface OnnxModel {
  readonly graph: OnnxGraph;
  /** All fields except the graph: versions, operator sets, metadata. */
  readonly rest: readonly WireField[];
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Adds the numbers of a field, packed or not, one by one: there may be too many for one call of `push`. */
const addVarints = (values: number[], field: WireField): void => {
  if (field.bytes.length === 0) values.push(field.value);
  const reader = new WireReader(field.bytes);
  while (!reader.atEnd) values.push(reader.varint());
};

/** Reads bytes of an external file: large models store their weights there. */
export type ReadExternal = (file: string, offset: number, length: number) => Uint8Array;

const refuseExternal: ReadExternal = (file) => {
  throw new OnnxFault(`The model has external weights in "${file}", which is not available.`);
};

const BYTES_PER_VALUE: Readonly<Record<number, number>> = {
  [DATA_TYPE.float]: 4,
  [DATA_TYPE.uint8]: 1,
  [DATA_TYPE.int8]: 1,
  [DATA_TYPE.int32]: 4,
  [DATA_TYPE.int64]: 8,
  [DATA_TYPE.bool]: 1,
  [DATA_TYPE.half]: 2,
};

/** A tensor that is read from its file on access: all tensors together may not fit into memory. */
const externalTensor = (
  { name, dims, dataType }: Omit<OnnxTensor, 'data'>,
  where: ReadonlyMap<string, string>,
  readExternal: ReadExternal,
): OnnxTensor => {
  const length = dims.reduce((product, dim) => product * dim, BYTES_PER_VALUE[dataType] ?? 0);
  const declared = Number(where.get('length') ?? length);
  if (declared !== length) throw new OnnxFault(`The tensor "${name}" has ${declared} external bytes, not ${length}.`);
  return {
    name,
    dims,
    dataType,
    get data() {
      return readExternal(where.get('location') ?? '', Number(where.get('offset') ?? 0), length);
    },
  };
};

const readTensor = (source: Uint8Array, readExternal: ReadExternal): OnnxTensor => {
  let name = '';
  let isExternal = false;
  const where = new Map<string, string>();
  let dataType = 0;
  let data: Uint8Array = new Uint8Array(0);
  const dims: number[] = [];
  const longs: number[] = [];
  const ints: number[] = [];
  const floats: Uint8Array[] = [];
  for (const field of readFields(source)) {
    if (field.number === 1) addVarints(dims, field);
    else if (field.number === 2) dataType = field.value;
    else if (field.number === 4) floats.push(field.bytes);
    else if (field.number === 5) addVarints(ints, field);
    else if (field.number === 7) addVarints(longs, field);
    else if (field.number === 8) name = text(field.bytes);
    else if (field.number === 9) data = field.bytes;
    else if (field.number === 13) {
      const [key, value] = [only(field.bytes, 1), only(field.bytes, 2)];
      if (key && value) where.set(text(key), text(value));
    } else if (field.number === 14) isExternal = field.value !== 0;
  }
  if (isExternal) return externalTensor({ name, dims, dataType }, where, readExternal);
  if (data.length === 0 && floats.length > 0) data = Buffer.concat(floats);
  if (data.length === 0 && longs.length > 0) data = new Uint8Array(BigInt64Array.from(longs, BigInt).buffer);
  if (data.length === 0 && ints.length > 0)
    data = dataType === DATA_TYPE.int32 ? new Uint8Array(Int32Array.from(ints).buffer) : Uint8Array.from(ints);
  return { name, dims, dataType, data };
};

const writeTensor = (tensor: OnnxTensor): WireWriter => {
  const writer = new WireWriter();
  for (const dim of tensor.dims) writer.varint(1, dim);
  return writer.varint(2, tensor.dataType).text(8, tensor.name).bytes(9, tensor.data);
};

/** Real models have one or two levels of subgraphs. */
const GRAPH_DEPTH_MAX = 20;

const readFloat = (bytes: Uint8Array): number => {
  if (bytes.length !== 4) throw new OnnxFault('Not an ONNX model: a number has the wrong size.');
  return Buffer.from(bytes).readFloatLE();
};

const readAttribute = (source: Uint8Array, depth: number, readExternal: ReadExternal): OnnxAttribute => {
  let name = '';
  let int: number | undefined;
  let float: number | undefined;
  let tensor: OnnxTensor | undefined;
  let graph: OnnxGraph | undefined;
  const ints: number[] = [];
  for (const field of readFields(source)) {
    if (field.number === 1) name = text(field.bytes);
    else if (field.number === 2) float = readFloat(field.bytes);
    else if (field.number === 3) int = field.value;
    else if (field.number === 5) tensor = readTensor(field.bytes, readExternal);
    else if (field.number === 6) graph = readGraph(field.bytes, readExternal, depth + 1);
    else if (field.number === 8) addVarints(ints, field);
  }
  return {
    name,
    ...(int !== undefined && { int }),
    ...(float !== undefined && { float }),
    ...(tensor && { tensor }),
    ...(ints.length > 0 && { ints }),
    // Subgraphs may be edited; everything else is written back as read.
    ...(graph ? { graph } : { wire: source }),
  };
};

const ATTRIBUTE_TYPE = { float: 1, int: 2, tensor: 4, graph: 5, ints: 7 } as const;

const writeAttribute = (attribute: OnnxAttribute): Uint8Array => {
  if (attribute.wire) return attribute.wire;
  const writer = new WireWriter().text(1, attribute.name);
  if (attribute.float !== undefined) writer.float(2, attribute.float).varint(20, ATTRIBUTE_TYPE.float);
  else if (attribute.int !== undefined) writer.varint(3, attribute.int).varint(20, ATTRIBUTE_TYPE.int);
  else if (attribute.tensor) writer.message(5, writeTensor(attribute.tensor)).varint(20, ATTRIBUTE_TYPE.tensor);
  else if (attribute.graph) writer.message(6, writeGraph(attribute.graph)).varint(20, ATTRIBUTE_TYPE.graph);
  else {
    for (const value of attribute.ints ?? []) writer.varint(8, value);
    writer.varint(20, ATTRIBUTE_TYPE.ints);
  }
  return writer.finish();
};

const readNode = (source: Uint8Array, depth: number, readExternal: ReadExternal): OnnxNode => {
  const node = {
    name: '',
    opType: '',
    domain: '',
    inputs: [] as string[],
    outputs: [] as string[],
    attributes: [] as OnnxAttribute[],
  };
  for (const field of readFields(source)) {
    if (field.number === 1) node.inputs.push(text(field.bytes));
    else if (field.number === 2) node.outputs.push(text(field.bytes));
    else if (field.number === 3) node.name = text(field.bytes);
    else if (field.number === 4) node.opType = text(field.bytes);
    else if (field.number === 5) node.attributes.push(readAttribute(field.bytes, depth, readExternal));
    else if (field.number === 7) node.domain = text(field.bytes);
  }
  return node;
};

const writeNode = (node: OnnxNode): Uint8Array => {
  const writer = new WireWriter();
  for (const input of node.inputs) writer.text(1, input);
  for (const output of node.outputs) writer.text(2, output);
  writer.text(3, node.name).text(4, node.opType);
  for (const attribute of node.attributes) writer.bytes(5, writeAttribute(attribute));
  if (node.domain !== '') writer.text(7, node.domain);
  return writer.finish();
};

const only = (source: Uint8Array, number: number): Uint8Array | undefined =>
  readFields(source).find((field) => field.number === number)?.bytes;

const readValue = (source: Uint8Array): OnnxValue => {
  const name = only(source, 1);
  const type = only(source, 2);
  const tensorType = type && only(type, 1);
  const dims: (number | string)[] = [];
  let dataType = 0;
  for (const field of tensorType ? readFields(tensorType) : []) {
    if (field.number === 1) dataType = field.value;
    else if (field.number === 2) {
      for (const dim of readFields(field.bytes)) {
        const content = readFields(dim.bytes)[0];
        dims.push(content === undefined ? '' : content.number === 1 ? content.value : text(content.bytes));
      }
    }
  }
  return { name: name ? text(name) : '', dataType, dims };
};

const writeValue = (value: OnnxValue): Uint8Array => {
  const shape = new WireWriter();
  for (const dim of value.dims) {
    const content = new WireWriter();
    if (typeof dim === 'number') content.varint(1, dim);
    else if (dim !== '') content.text(2, dim);
    shape.bytes(1, content.finish());
  }
  const tensorType = new WireWriter().varint(1, value.dataType).bytes(2, shape.finish()).finish();
  return new WireWriter().text(1, value.name).bytes(2, new WireWriter().bytes(1, tensorType).finish()).finish();
};

const readGraph = (source: Uint8Array, readExternal: ReadExternal, depth = 0): OnnxGraph => {
  if (depth > GRAPH_DEPTH_MAX) throw new OnnxFault('Not an ONNX model: its graphs are nested too deeply.');
  const graph = {
    name: '',
    nodes: [] as OnnxNode[],
    initializers: [] as OnnxTensor[],
    inputs: [] as OnnxValue[],
    outputs: [] as OnnxValue[],
  };
  // Omit inferred shapes (field 13): edits would make them wrong.
  for (const field of readFields(source)) {
    if (field.number === 1) graph.nodes.push(readNode(field.bytes, depth, readExternal));
    else if (field.number === 2) graph.name = text(field.bytes);
    else if (field.number === 5) graph.initializers.push(readTensor(field.bytes, readExternal));
    else if (field.number === 11) graph.inputs.push(readValue(field.bytes));
    else if (field.number === 12) graph.outputs.push(readValue(field.bytes));
  }
  return graph;
};

const writeGraph = (graph: OnnxGraph): WireWriter => {
  const writer = new WireWriter();
  for (const node of graph.nodes) writer.bytes(1, writeNode(node));
  writer.text(2, graph.name);
  for (const tensor of graph.initializers) writer.message(5, writeTensor(tensor));
  for (const input of graph.inputs) writer.bytes(11, writeValue(input));
  for (const output of graph.outputs) writer.bytes(12, writeValue(output));
  return writer;
};

const GRAPH_FIELD = 7;

export const readModel = (source: Uint8Array, readExternal: ReadExternal = refuseExternal): OnnxModel => {
  const fields = readFields(source);
  const [graph, another] = fields.filter((field) => field.number === GRAPH_FIELD);
  if (!graph) throw new OnnxFault('Not an ONNX model: it has no graph.');
  if (another) throw new OnnxFault('Not an ONNX model: it has more than one graph.');
  return { graph: readGraph(graph.bytes, readExternal), rest: fields.filter((field) => field !== graph) };
};

/** The bytes of a model in pieces, without copying its weights, which may be a gigabyte. */
export const modelPieces = (model: OnnxModel): readonly Uint8Array[] => {
  const writer = new WireWriter();
  for (const field of model.rest) writer.copy(field);
  return writer.message(GRAPH_FIELD, writeGraph(model.graph)).pieces;
};

export const writeModel = (model: OnnxModel): Uint8Array => Buffer.concat(modelPieces(model));
