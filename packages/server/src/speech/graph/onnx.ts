// ONNX models as plain objects: read, edited and written back; fields not named here are kept as they were.
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
  /** The attribute as it was read; written back when set. */
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
  /** Everything of the model but its graph: versions, operator sets, metadata. */
  readonly rest: readonly WireField[];
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Adds the numbers of a field, which may stand alone or packed. There may be more of them than a call takes arguments. */
const addVarints = (values: number[], field: WireField): void => {
  if (field.bytes.length === 0) values.push(field.value);
  const reader = new WireReader(field.bytes);
  while (!reader.atEnd) values.push(reader.varint());
};

const readTensor = (source: Uint8Array): OnnxTensor => {
  let name = '';
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
    else if (field.number === 14 && field.value !== 0)
      throw new OnnxFault(`The tensor "${name}" lies outside the model file, which preparation does not read.`);
  }
  if (data.length === 0 && floats.length > 0) data = Buffer.concat(floats);
  if (data.length === 0 && longs.length > 0) data = new Uint8Array(BigInt64Array.from(longs, BigInt).buffer);
  if (data.length === 0 && ints.length > 0)
    data = dataType === DATA_TYPE.int32 ? new Uint8Array(Int32Array.from(ints).buffer) : Uint8Array.from(ints);
  return { name, dims, dataType, data };
};

const writeTensor = (tensor: OnnxTensor): Uint8Array => {
  const writer = new WireWriter();
  for (const dim of tensor.dims) writer.varint(1, dim);
  return writer.varint(2, tensor.dataType).text(8, tensor.name).bytes(9, tensor.data).finish();
};

/** Subgraphs within subgraphs: real models have one or two. */
const GRAPH_DEPTH_MAX = 20;

const readFloat = (bytes: Uint8Array): number => {
  if (bytes.length !== 4) throw new OnnxFault('Not an ONNX model: a number has the wrong size.');
  return Buffer.from(bytes).readFloatLE();
};

const readAttribute = (source: Uint8Array, depth: number): OnnxAttribute => {
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
    else if (field.number === 5) tensor = readTensor(field.bytes);
    else if (field.number === 6) graph = readGraph(field.bytes, depth + 1);
    else if (field.number === 8) addVarints(ints, field);
  }
  return {
    name,
    ...(int !== undefined && { int }),
    ...(float !== undefined && { float }),
    ...(tensor && { tensor }),
    ...(ints.length > 0 && { ints }),
    // A subgraph may be edited, all else is written back as it was.
    ...(graph ? { graph } : { wire: source }),
  };
};

const ATTRIBUTE_TYPE = { float: 1, int: 2, tensor: 4, graph: 5, ints: 7 } as const;

const writeAttribute = (attribute: OnnxAttribute): Uint8Array => {
  if (attribute.wire) return attribute.wire;
  const writer = new WireWriter().text(1, attribute.name);
  if (attribute.float !== undefined) writer.float(2, attribute.float).varint(20, ATTRIBUTE_TYPE.float);
  else if (attribute.int !== undefined) writer.varint(3, attribute.int).varint(20, ATTRIBUTE_TYPE.int);
  else if (attribute.tensor) writer.bytes(5, writeTensor(attribute.tensor)).varint(20, ATTRIBUTE_TYPE.tensor);
  else if (attribute.graph) writer.bytes(6, writeGraph(attribute.graph)).varint(20, ATTRIBUTE_TYPE.graph);
  else {
    for (const value of attribute.ints ?? []) writer.varint(8, value);
    writer.varint(20, ATTRIBUTE_TYPE.ints);
  }
  return writer.finish();
};

const readNode = (source: Uint8Array, depth: number): OnnxNode => {
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
    else if (field.number === 5) node.attributes.push(readAttribute(field.bytes, depth));
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

const readGraph = (source: Uint8Array, depth = 0): OnnxGraph => {
  if (depth > GRAPH_DEPTH_MAX) throw new OnnxFault('Not an ONNX model: its graphs are nested too deeply.');
  const graph = {
    name: '',
    nodes: [] as OnnxNode[],
    initializers: [] as OnnxTensor[],
    inputs: [] as OnnxValue[],
    outputs: [] as OnnxValue[],
  };
  // Inferred shapes (field 13) are left out: they are hints, and edits would make them lies.
  for (const field of readFields(source)) {
    if (field.number === 1) graph.nodes.push(readNode(field.bytes, depth));
    else if (field.number === 2) graph.name = text(field.bytes);
    else if (field.number === 5) graph.initializers.push(readTensor(field.bytes));
    else if (field.number === 11) graph.inputs.push(readValue(field.bytes));
    else if (field.number === 12) graph.outputs.push(readValue(field.bytes));
  }
  return graph;
};

const writeGraph = (graph: OnnxGraph): Uint8Array => {
  const writer = new WireWriter();
  for (const node of graph.nodes) writer.bytes(1, writeNode(node));
  writer.text(2, graph.name);
  for (const tensor of graph.initializers) writer.bytes(5, writeTensor(tensor));
  for (const input of graph.inputs) writer.bytes(11, writeValue(input));
  for (const output of graph.outputs) writer.bytes(12, writeValue(output));
  return writer.finish();
};

const GRAPH_FIELD = 7;

export const readModel = (source: Uint8Array): OnnxModel => {
  const fields = readFields(source);
  const [graph, another] = fields.filter((field) => field.number === GRAPH_FIELD);
  if (!graph) throw new OnnxFault('Not an ONNX model: it holds no graph.');
  if (another) throw new OnnxFault('Not an ONNX model: it holds more than one graph.');
  return { graph: readGraph(graph.bytes), rest: fields.filter((field) => field !== graph) };
};

export const writeModel = (model: OnnxModel): Uint8Array => {
  const writer = new WireWriter();
  for (const field of model.rest) writer.copy(field);
  return writer.bytes(GRAPH_FIELD, writeGraph(model.graph)).finish();
};
