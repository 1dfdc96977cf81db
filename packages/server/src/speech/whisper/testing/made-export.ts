// Writes a Whisper export of any shape and precision with generated weights, to test everything around a large model.
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_TYPE, type OnnxNode } from '../../graph/onnx.ts';
import { WireWriter } from '../../graph/protobuf.ts';
import { halfBits } from './half-bits.ts';
import { madeGeneration, madeTokenizer, vocabularyOf } from './made-tokenizer.ts';

export interface MadeShape {
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly width: number;
  readonly heads: number;
  readonly melBins: 80 | 128;
}

export type Precision = 'int8' | 'fp16' | 'fp32';

const AUDIO_POSITIONS = 1500;
const TEXT_POSITIONS = 448;
const FILE_ENDING = { int8: '_quantized', fp16: '_fp16', fp32: '' } as const;

/** Rows as sums of two others: random enough not to vanish, and fast to generate. */
const lowRank = (seed: number, columns: number, size: number) => {
  const wave = (nth: number, at: number) => Math.sin((at + 1) * (12.9898 + nth) + seed);
  const first = Float32Array.from({ length: columns }, (_, at) => size * wave(0, at));
  const second = Float32Array.from({ length: columns }, (_, at) => size * wave(1, at));
  return (row: number, into: Float32Array): void => {
    const [a, b] = [Math.cos(row * 1.7 + seed), Math.sin(row * 0.9 + seed)];
    for (let at = 0; at < columns; at++) into[at] = a * first[at]! + b * second[at]!;
  };
};

type Row = (row: number, into: Float32Array) => void;

const constant =
  (value: number): Row =>
  (_, into) => {
    into.fill(value);
  };

/** Writes one file of an export; with `external`, the weights go to a separate file. */
class ExportWriter {
  readonly #graph: WireWriter[] = [];
  readonly #nodes: OnnxNode[] = [];
  readonly #precision: Precision;
  readonly #external: { readonly name: string; readonly file: number } | null;
  #offset = 0;
  #seed = 0;

  constructor(precision: Precision, external: { readonly name: string; readonly path: string } | null) {
    this.#precision = precision;
    this.#external = external && { name: external.name, file: openSync(external.path, 'w') };
  }

  node(name: string, opType: string, inputs: readonly string[]): void {
    this.#nodes.push({ name, opType, domain: '', inputs, outputs: [`${name}_out`], attributes: [] });
  }

  floats(name: string, dims: readonly number[], row: Row): string {
    const isHalf = this.#precision === 'fp16';
    this.#tensor(name, dims, isHalf ? DATA_TYPE.half : DATA_TYPE.float, row, (values) =>
      isHalf ? new Uint8Array(Uint16Array.from(values, halfBits).buffer) : new Uint8Array(values.slice().buffer),
    );
    return name;
  }

  product(layer: string, inputs: number, outputs: number, hasBias = true): void {
    const row = lowRank(++this.#seed, outputs, 1.5 / Math.sqrt(inputs));
    if (this.#precision === 'int8') {
      const name = `${layer}.weight_quantized`;
      this.#bytes(name, [inputs, outputs], row, 1.5 / Math.sqrt(inputs) / 60);
      this.node(`${layer}/MatMul_quant`, 'MatMulInteger', ['x', name, 'x_zero', `${layer}.weight_zero_point`]);
    } else {
      this.node(`${layer}/MatMul`, 'MatMul', ['x', this.floats(`${layer}.weight`, [inputs, outputs], row)]);
    }
    if (hasBias) this.node(`${layer}/Add`, 'Add', ['x', this.floats(`${layer}.bias`, [outputs], constant(0))]);
  }

  convolution(layer: string, inputs: number, outputs: number): void {
    const row = lowRank(++this.#seed, 3 * inputs, 1 / Math.sqrt(3 * inputs));
    this.floats(`${layer}.bias`, [outputs], constant(0));
    if (this.#precision === 'int8') {
      this.#bytes(`${layer}.weight_quantized`, [outputs, inputs, 3], row, 1 / Math.sqrt(3 * inputs) / 60);
      const zero = `${layer}.weight_zero_point`;
      this.node(`/${layer}/Conv_quant`, 'ConvInteger', ['x', `${layer}.weight_quantized`, 'x_zero', zero]);
      return;
    }
    const kernel = this.floats(`${layer}.weight`, [outputs, inputs, 3], row);
    this.node(`/${layer}/Conv`, 'Conv', ['x', kernel, `${layer}.bias`]);
  }

  norm(layer: string, width: number): void {
    const weight = this.floats(`${layer}.weight`, [width], constant(1));
    const bias = this.floats(`${layer}.bias`, [width], constant(0));
    this.node(`${layer}/LayerNormalization`, 'LayerNormalization', ['x', weight, bias]);
  }

  embedding(node: string, rows: number, width: number): void {
    const row = lowRank(++this.#seed, width, 0.2);
    if (this.#precision === 'int8') this.#bytes('embed_tokens_quantized', [rows, width], row, 0.2 / 60);
    else this.floats('embed_tokens', [rows, width], row);
    this.node(node, 'Gather', [this.#precision === 'int8' ? 'embed_tokens_quantized' : 'embed_tokens', 'tokens']);
  }

  layer(prefix: string, width: number, hasAudio: boolean): void {
    for (const attention of hasAudio ? ['self_attn', 'encoder_attn'] : ['self_attn']) {
      for (const part of ['q_proj', 'k_proj', 'v_proj', 'out_proj'])
        this.product(`${prefix}/${attention}/${part}`, width, width, part !== 'k_proj');
      this.norm(`${prefix}/${attention}_layer_norm`, width);
    }
    this.product(`${prefix}/fc1`, width, 4 * width);
    this.product(`${prefix}/fc2`, 4 * width, width);
    this.norm(`${prefix}/final_layer_norm`, width);
  }

  /** The nodes of a merged decoder are in the branches of an If node. */
  finish(isMerged: boolean): Uint8Array {
    const nodes = this.#nodes.map((node) => {
      const made = new WireWriter();
      for (const input of node.inputs) made.text(1, input);
      for (const output of node.outputs) made.text(2, output);
      return made.text(3, node.name).text(4, node.opType);
    });
    const graph = new WireWriter();
    if (isMerged) {
      const branch = new WireWriter();
      for (const node of nodes) branch.message(1, node);
      const choice = new WireWriter().text(1, 'else_branch').message(6, branch.text(2, 'first_step')).varint(20, 5);
      graph.message(1, new WireWriter().text(3, 'optimum::if').text(4, 'If').message(5, choice));
    } else for (const node of nodes) graph.message(1, node);
    graph.text(2, 'made');
    for (const tensor of this.#graph) graph.message(5, tensor);
    if (this.#external) closeSync(this.#external.file);
    return new WireWriter().varint(1, 8).message(7, graph).finish();
  }

  #bytes(name: string, dims: readonly number[], row: Row, scale: number): void {
    const base = name.replace(/_quantized$/, '');
    this.#tensor(name, dims, DATA_TYPE.uint8, row, (values) => Uint8Array.from(values, (value) => 128 + value / scale));
    this.#tensor(
      `${base}_scale`,
      [],
      DATA_TYPE.float,
      constant(scale),
      (values) => new Uint8Array(values.slice().buffer),
    );
    this.#tensor(`${base}_zero_point`, [], DATA_TYPE.uint8, constant(128), (values) => Uint8Array.from(values));
  }

  #tensor(
    name: string,
    dims: readonly number[],
    dataType: number,
    row: Row,
    encode: (values: Float32Array) => Uint8Array,
  ) {
    const [rows, columns] = dims.length < 2 ? [1, dims[0] ?? 1] : [dims[0]!, dims.slice(1).reduce((a, b) => a * b, 1)];
    const values = new Float32Array(columns);
    const pieces: Uint8Array[] = [];
    const start = this.#offset;
    const isExternal = this.#external !== null && rows > 1;
    for (let at = 0; at < rows; at++) {
      row(at, values);
      const bytes = encode(values);
      if (isExternal) this.#offset += writeSync(this.#external!.file, bytes);
      else pieces.push(bytes);
    }
    const tensor = new WireWriter();
    for (const dim of dims) tensor.varint(1, dim);
    tensor.varint(2, dataType).text(8, name);
    if (isExternal) {
      const where = { location: this.#external!.name, offset: `${start}`, length: `${this.#offset - start}` };
      for (const [key, value] of Object.entries(where))
        tensor.message(13, new WireWriter().text(1, key).text(2, value));
      tensor.varint(14, 1);
    } else tensor.bytes(9, Buffer.concat(pieces));
    this.#graph.push(tensor);
  }
}

const writeOne = async (
  folder: string,
  name: string,
  precision: Precision,
  hasExternalWeights: boolean,
  fill: (writer: ExportWriter) => void,
): Promise<void> => {
  const file = `${name}${FILE_ENDING[precision]}.onnx`;
  const external = hasExternalWeights ? { name: `${file}_data`, path: join(folder, `${file}_data`) } : null;
  const writer = new ExportWriter(precision, external);
  fill(writer);
  await writeFile(join(folder, file), writer.finish(name.startsWith('decoder')));
};

/** Writes all files of a model; with `hasExternalWeights`, weights go to `….onnx_data` files. */
export const writeMadeExport = async (
  folder: string,
  shape: MadeShape,
  precision: Precision,
  hasExternalWeights: boolean,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const { width, heads, melBins, encoderLayers, decoderLayers } = shape;
  const vocabulary = vocabularyOf(melBins);
  await writeOne(folder, 'encoder_model', precision, hasExternalWeights, (writer) => {
    writer.convolution('conv1', melBins, width);
    writer.convolution('conv2', width, width);
    const positions = writer.floats('embed_positions.weight', [AUDIO_POSITIONS, width], lowRank(900, width, 0.2));
    writer.node('/Add_2', 'Add', ['x', positions]);
    for (let layer = 0; layer < encoderLayers; layer++) writer.layer(`/layers.${layer}`, width, false);
    writer.norm('/layer_norm', width);
  });
  await writeOne(folder, 'decoder_model_merged', precision, hasExternalWeights, (writer) => {
    const root = '/model/decoder';
    writer.embedding(`${root}/embed_tokens/Gather`, vocabulary, width);
    const positions = writer.floats(
      'model.decoder.embed_positions.weight',
      [TEXT_POSITIONS, width],
      lowRank(901, width, 0.2),
    );
    writer.node(`${root}/embed_positions/Slice`, 'Slice', [positions]);
    for (let layer = 0; layer < decoderLayers; layer++) writer.layer(`${root}/layers.${layer}`, width, true);
    writer.norm(`${root}/layer_norm`, width);
  });
  const config = { encoder_attention_heads: heads, decoder_attention_heads: heads, d_model: width };
  const sizes = { num_mel_bins: melBins, vocab_size: vocabulary, max_target_positions: TEXT_POSITIONS };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, ...sizes }));
  await writeFile(join(folder, 'generation_config.json'), JSON.stringify(madeGeneration(melBins, decoderLayers)));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(madeTokenizer(melBins)));
};
