// Cuts the speaker-embedding model (pyannote's x-vector) in two: its frame layers, and its last affine layer.
//
// Pooling between the two (mean and deviation over frames) happens outside the graph, so that one run over a stretch of
// audio serves any number of regions in it.
import { GraphBuilder } from '../graph/build.ts';
import { floatsOf, floatTensor } from '../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxNode } from '../graph/onnx.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';

export const FRAMES_OUTPUT = 'frames';
export const EMBEDDING_OUTPUT = 'embeddings';

interface CutEmbeddingModel {
  /** Input `waveform` [1, samples]; output `frames` [1, channels, frames]. */
  readonly frameLayers: OnnxModel;
  readonly affine: Affine;
}

/** `weights` is [outputs, 2 × channels], row by row: the means first, then the deviations. */
interface Affine {
  readonly outputs: number;
  readonly inputs: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** The affine layer for any number of regions at once. Input `statistics` [regions, inputs]; output `embeddings`. */
export const affineGraph = ({ outputs, inputs, weights, bias }: Affine): OnnxModel => {
  const graph = new GraphBuilder();
  graph.input('statistics', DATA_TYPE.float, ['regions', inputs]);
  const tensors = [floatTensor('weights', weights, [outputs, inputs]), floatTensor('bias', bias)];
  graph.op('Gemm', ['statistics', ...tensors.map((tensor) => graph.tensor(tensor))], {
    attributes: { transB: 1 },
    name: EMBEDDING_OUTPUT,
  });
  graph.output(EMBEDDING_OUTPUT, DATA_TYPE.float, ['regions', outputs]);
  return graph.build('affine');
};

export const cutEmbeddingModel = (model: OnnxModel): CutEmbeddingModel => {
  const { nodes, initializers } = model.graph;
  const tensors = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  const last = nodes.find(({ outputs }) => outputs.includes(EMBEDDING_OUTPUT));
  if (last?.opType !== 'Gemm') throw new UnknownGraph('it does not end in an affine layer');
  const weights = tensors.get(last.inputs[1] ?? '');
  const bias = tensors.get(last.inputs[2] ?? '');
  const [outputs, inputs] = weights?.dims ?? [];
  if (!weights || !bias || !outputs || !inputs) throw new UnknownGraph('its affine layer has no weights');
  if (last.attributes.find(({ name }) => name === 'transB')?.int !== 1)
    throw new UnknownGraph('its affine layer is not transposed');

  const lastNorm = nodes.findLast(({ opType }) => opType === 'BatchNormalization');
  const cut = lastNorm?.outputs[0];
  if (!lastNorm || cut === undefined) throw new UnknownGraph('it has no frame layers');
  const kept = neededFor(cut, nodes);
  const used = new Set(kept.flatMap((node) => node.inputs));
  const channels = inputs / 2;
  return {
    frameLayers: {
      rest: model.rest,
      graph: {
        name: 'speaker-frames',
        nodes: kept.map((node) => (node === lastNorm ? { ...node, outputs: [FRAMES_OUTPUT] } : node)),
        initializers: initializers.filter(({ name }) => used.has(name)),
        inputs: model.graph.inputs,
        outputs: [{ name: FRAMES_OUTPUT, dataType: DATA_TYPE.float, dims: ['batch', channels, 'frames'] }],
      },
    },
    affine: { outputs, inputs, weights: floatsOf(weights), bias: floatsOf(bias) },
  };
};

/** The nodes that a value depends on, in their order. */
const neededFor = (value: string, nodes: readonly OnnxNode[]): OnnxNode[] => {
  const wanted = new Set([value]);
  const kept: OnnxNode[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((output) => wanted.has(output))) continue;
    kept.push(node);
    for (const input of node.inputs) wanted.add(input);
  }
  return kept.reverse();
};
