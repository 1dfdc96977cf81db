// Presents the weights of a ggml Whisper under the names of an ONNX export, so that the same graph builders work.
import { transpose } from '../../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxNode, type OnnxTensor } from '../../graph/onnx.ts';
import { WeightFinder } from '../../graph/weights.ts';
import { GgmlFault, type GgmlModel } from './ggml-file.ts';

/** Parts of a layer: their names in an export and in the original model. */
const ENCODER_LAYER: Readonly<Record<string, string>> = {
  'self_attn/q_proj': 'attn.query',
  'self_attn/k_proj': 'attn.key',
  'self_attn/v_proj': 'attn.value',
  'self_attn/out_proj': 'attn.out',
  fc1: 'mlp.0',
  fc2: 'mlp.2',
};
const DECODER_LAYER: Readonly<Record<string, string>> = {
  ...ENCODER_LAYER,
  'encoder_attn/q_proj': 'cross_attn.query',
  'encoder_attn/k_proj': 'cross_attn.key',
  'encoder_attn/v_proj': 'cross_attn.value',
  'encoder_attn/out_proj': 'cross_attn.out',
};
const ENCODER_NORMS: Readonly<Record<string, string>> = { self_attn_layer_norm: 'attn_ln', final_layer_norm: 'mlp_ln' };
const DECODER_NORMS: Readonly<Record<string, string>> = { ...ENCODER_NORMS, encoder_attn_layer_norm: 'cross_attn_ln' };

/** Collects the nodes of an export, with their weights. */
class Export {
  readonly #source: GgmlModel;
  readonly #nodes: OnnxNode[] = [];
  readonly #tensors: OnnxTensor[] = [];

  constructor(source: GgmlModel) {
    this.#source = source;
  }

  finder(): WeightFinder {
    const graph = { name: 'ggml', nodes: this.#nodes, initializers: this.#tensors, inputs: [], outputs: [] };
    return new WeightFinder({ graph, rest: [] } satisfies OnnxModel);
  }

  weights(name: string): OnnxTensor {
    const tensor = this.#source.tensors.get(name);
    if (!tensor) throw new GgmlFault(`it has no weights "${name}"`);
    return tensor;
  }

  node(name: string, opType: string, tensors: readonly OnnxTensor[]): void {
    this.#tensors.push(...tensors);
    const inputs = ['x', ...tensors.map((tensor) => tensor.name)];
    this.#nodes.push({ name, opType, domain: '', inputs, outputs: [], attributes: [] });
  }

  product(name: string, source: string): void {
    this.node(`${name}/MatMul`, 'MatMul', [turned(this.weights(`${source}.weight`))]);
    if (this.#source.tensors.has(`${source}.bias`)) this.node(`${name}/Add`, 'Add', [this.weights(`${source}.bias`)]);
  }

  norm(name: string, source: string): void {
    const tensors = [this.weights(`${source}.weight`), this.weights(`${source}.bias`)];
    this.node(`${name}/LayerNormalization`, 'LayerNormalization', tensors);
  }

  layers(
    count: number,
    prefix: string,
    source: string,
    products: Readonly<Record<string, string>>,
    norms: Readonly<Record<string, string>>,
  ): void {
    for (let layer = 0; layer < count; layer++) {
      const [to, from] = [`${prefix}.${layer}`, `${source}.${layer}`];
      for (const [name, trained] of Object.entries(products)) this.product(`${to}/${name}`, `${from}.${trained}`);
      for (const [name, trained] of Object.entries(norms)) this.norm(`${to}/${name}`, `${from}.${trained}`);
    }
  }
}

/**
 * Trained weights are [outputs, inputs], exported ones [inputs, outputs]. Half precision is kept, because a large model
 * has many weights.
 */
const turned = (tensor: OnnxTensor): OnnxTensor => {
  const [rows = 0, columns = 0] = tensor.dims;
  const bytes = tensor.data.buffer.slice(tensor.data.byteOffset, tensor.data.byteOffset + tensor.data.byteLength);
  const values = tensor.dataType === DATA_TYPE.half ? new Uint16Array(bytes) : new Float32Array(bytes);
  const result = transpose(values, rows, columns, values.slice());
  return { ...tensor, dims: [columns, rows], data: new Uint8Array(result.buffer) };
};

/** Some files store a bias as a column. */
const asRow = (tensor: OnnxTensor, name: string): OnnxTensor => ({
  ...tensor,
  name,
  dims: [tensor.dims.reduce((product, length) => product * length, 1)],
});

export const ggmlEncoder = (model: GgmlModel): WeightFinder => {
  const made = new Export(model);
  for (const layer of ['conv1', 'conv2']) {
    const bias = asRow(made.weights(`encoder.${layer}.bias`), `${layer}.bias`);
    made.node(`/${layer}/Conv`, 'Conv', [made.weights(`encoder.${layer}.weight`), bias]);
  }
  made.node('/Add_2', 'Add', [made.weights('encoder.positional_embedding')]);
  made.layers(model.shape.audioLayers, '/layers', 'encoder.blocks', ENCODER_LAYER, ENCODER_NORMS);
  made.norm('/layer_norm', 'encoder.ln_post');
  return made.finder();
};

export const ggmlDecoder = (model: GgmlModel): WeightFinder => {
  const made = new Export(model);
  const root = '/model/decoder';
  made.node(`${root}/embed_tokens/Gather`, 'Gather', [made.weights('decoder.token_embedding.weight')]);
  made.node(`${root}/embed_positions/Slice`, 'Slice', [made.weights('decoder.positional_embedding')]);
  made.layers(model.shape.textLayers, `${root}/layers`, 'decoder.blocks', DECODER_LAYER, DECODER_NORMS);
  made.norm(`${root}/layer_norm`, 'decoder.ln');
  return made.finder();
};
