// Rewrites Silero's graph to process any number of frames in one run, with the same weights.
//
// The published graph takes one frame per call and repacks its LSTM weights each time. Here, convolutions over four
// time steps become matrix products over all frames, and one LSTM node runs over the sequence.
import { floatsOf, floatTensor } from '../graph/matrices.ts';
import {
  DATA_TYPE,
  type OnnxAttribute,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  readModel,
  writeModel,
} from '../graph/onnx.ts';

/** STFT frames per 32 ms frame of the detector, and samples per STFT frame. */
export const STFT_FRAMES_PER_VOICE_FRAME = 4;
export const STFT_FRAME_SAMPLES = 256;
const BINS = STFT_FRAME_SAMPLES / 2 + 1;
/** An STFT frame folded at its centre: cosines are even, sines are odd. */
export const FOLDED_SAMPLES = STFT_FRAME_SAMPLES / 2;
export const STATE_SIZE = 128;
/** Hidden and cell state of one stream. */
export const VAD_STATE_SIZE = 2 * STATE_SIZE;
const GATES = 4;

class Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.values = new Float32Array(rows * columns);
  }
  set(row: number, column: number, value: number): void {
    this.values[row * this.columns + column] = value;
  }
}

const tensorOf = (name: string, { rows, columns, values }: Matrix): OnnxTensor =>
  floatTensor(name, values, [rows, columns]);

const shape = (name: string, dims: readonly number[]): OnnxTensor => ({
  name,
  dims: [dims.length],
  dataType: DATA_TYPE.int64,
  data: new Uint8Array(BigInt64Array.from(dims, BigInt).buffer),
});
const node = (
  opType: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly OnnxAttribute[] = [],
): OnnxNode => ({ name: outputs[0] ?? opType, opType, domain: '', inputs, outputs, attributes });

/** The weights of the 16 kHz branch by name, checked for their expected shape. */
const weightsOf = (graph: OnnxGraph): ((name: string, dims: readonly number[]) => Float32Array) => {
  const branch = graph.nodes
    .find(({ opType }) => opType === 'If')
    ?.attributes.find(({ name }) => name === 'then_branch')?.graph;
  const tensors = new Map(
    branch?.nodes.flatMap(({ opType, attributes }) => {
      const found = opType === 'Constant' ? attributes[0]?.tensor : undefined;
      return found ? [[found.name, found] as const] : [];
    }),
  );
  return (name, dims) => {
    const found = tensors.get(name);
    if (found?.dims.join() === dims.join()) return floatsOf(found);
    throw new Error(`The voice model has an unexpected layout: ${name} is ${found ? `[${found.dims}]` : 'missing'}.`);
  };
};

/** One half of the folded Fourier basis: cosines start at row 0, sines at row BINS. */
const foldedBasis = (basis: Float32Array, part: 'cosines' | 'sines'): Matrix => {
  const folded = new Matrix(FOLDED_SAMPLES, BINS);
  const firstRow = part === 'cosines' ? 0 : BINS;
  for (let bin = 0; bin < BINS; bin++) {
    const at = (sample: number) => basis[(firstRow + bin) * STFT_FRAME_SAMPLES + sample] ?? 0;
    const sign = part === 'cosines' ? 1 : -1;
    for (let sample = 1; sample < FOLDED_SAMPLES; sample++) {
      if (at(sample) !== sign * at(STFT_FRAME_SAMPLES - sample))
        throw new Error('The voice model has an unexpected Fourier basis.');
      folded.set(sample - 1, bin, at(sample));
    }
    if (at(0) !== 0 || (part === 'sines' && at(FOLDED_SAMPLES) !== 0)) {
      throw new Error('The voice model has an unexpected Fourier basis.');
    }
    folded.set(FOLDED_SAMPLES - 1, bin, at(FOLDED_SAMPLES));
  }
  return folded;
};

interface Convolution {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  readonly channelsIn: number;
  readonly channelsOut: number;
  readonly stepsIn: number;
  readonly stride: number;
}

/** A convolution of width 3 with padding over a fixed number of steps, as a matrix and a bias. */
const asMatrix = ({ weights, bias, channelsIn, channelsOut, stepsIn, stride }: Convolution): [Matrix, Float32Array] => {
  const stepsOut = Math.floor((stepsIn - 1) / stride) + 1;
  const matrix = new Matrix(stepsIn * channelsIn, stepsOut * channelsOut);
  const biases = new Float32Array(stepsOut * channelsOut);
  for (let step = 0; step < stepsOut; step++) {
    biases.set(bias, step * channelsOut);
    for (let tap = 0; tap < 3; tap++) {
      const source = step * stride + tap - 1;
      if (source < 0 || source >= stepsIn) continue;
      for (let out = 0; out < channelsOut; out++) {
        for (let channel = 0; channel < channelsIn; channel++) {
          const weight = weights[(out * channelsIn + channel) * 3 + tap] ?? 0;
          matrix.set(source * channelsIn + channel, step * channelsOut + out, weight);
        }
      }
    }
  }
  return [matrix, biases];
};

/** Silero's gate order is input, forget, cell, output; ONNX needs input, output, forget, cell. */
const reorderGates = (rows: Float32Array): Float32Array => {
  const gate = rows.length / GATES;
  const [input, forget, cell, output] = [0, 1, 2, 3].map((index) => rows.subarray(index * gate, (index + 1) * gate));
  const reordered = new Float32Array(rows.length);
  [input, output, forget, cell].forEach((part, index) => {
    if (part) reordered.set(part, index * gate);
  });
  return reordered;
};

/**
 * Inputs: `even` and `odd` [4 × frames, 128], the folded STFT frames; `h` and `c` [1, 1, 128], the state. Outputs:
 * `probability` [frames, 1], and the next state `hn` and `cn`.
 */
export const sequenceGraph = (original: Uint8Array): Uint8Array => {
  const model = readModel(original);
  const weights = weightsOf(model.graph);
  const basis = weights('stft.forward_basis_buffer', [2 * BINS, 1, STFT_FRAME_SAMPLES]);
  const layers = (
    [
      { channelsIn: BINS, channelsOut: 128, stepsIn: 4, stride: 1 },
      { channelsIn: 128, channelsOut: 64, stepsIn: 4, stride: 2 },
      { channelsIn: 64, channelsOut: 64, stepsIn: 2, stride: 2 },
      { channelsIn: 64, channelsOut: 128, stepsIn: 1, stride: 1 },
    ] as const
  ).map((layer, index) => {
    const name = `encoder.${index}.reparam_conv`;
    return asMatrix({
      ...layer,
      weights: weights(`${name}.weight`, [layer.channelsOut, layer.channelsIn, 3]),
      bias: weights(`${name}.bias`, [layer.channelsOut]),
    });
  });
  const gateRows = GATES * STATE_SIZE;
  const recurrent = (name: string) => reorderGates(weights(`decoder.rnn.${name}`, [gateRows, STATE_SIZE]));
  const recurrentBias = new Float32Array(2 * gateRows);
  recurrentBias.set(reorderGates(weights('decoder.rnn.bias_ih', [gateRows])));
  recurrentBias.set(reorderGates(weights('decoder.rnn.bias_hh', [gateRows])), gateRows);

  const initializers: OnnxTensor[] = [
    tensorOf('cosines', foldedBasis(basis, 'cosines')),
    tensorOf('sines', foldedBasis(basis, 'sines')),
    shape('frame_rows', [-1, STFT_FRAMES_PER_VOICE_FRAME * BINS]),
    shape('sequence', [-1, 1, STATE_SIZE]),
    shape('rows', [-1, STATE_SIZE]),
    floatTensor('W', recurrent('weight_ih'), [1, gateRows, STATE_SIZE]),
    floatTensor('R', recurrent('weight_hh'), [1, gateRows, STATE_SIZE]),
    floatTensor('B', recurrentBias, [1, 2 * gateRows]),
    floatTensor('last.weight', weights('decoder.decoder.2.weight', [1, STATE_SIZE, 1]), [STATE_SIZE, 1]),
    floatTensor('last.bias', weights('decoder.decoder.2.bias', [1])),
  ];
  const nodes: OnnxNode[] = [
    node('MatMul', ['even', 'cosines'], ['real']),
    node('MatMul', ['odd', 'sines'], ['imaginary']),
    node('Mul', ['real', 'real'], ['real2']),
    node('Mul', ['imaginary', 'imaginary'], ['imaginary2']),
    node('Add', ['real2', 'imaginary2'], ['power']),
    node('Sqrt', ['power'], ['magnitude']),
    node('Reshape', ['magnitude', 'frame_rows'], ['layer0']),
  ];
  layers.forEach(([matrix, bias], index) => {
    initializers.push(tensorOf(`weight${index}`, matrix));
    initializers.push(floatTensor(`bias${index}`, bias));
    nodes.push(node('Gemm', [`layer${index}`, `weight${index}`, `bias${index}`], [`sum${index}`]));
    nodes.push(node('Relu', [`sum${index}`], [`layer${index + 1}`]));
  });
  nodes.push(
    node('Reshape', [`layer${layers.length}`, 'sequence'], ['features']),
    node(
      'LSTM',
      ['features', 'W', 'R', 'B', '', 'h', 'c'],
      ['Y', 'hn', 'cn'],
      [{ name: 'hidden_size', int: STATE_SIZE }],
    ),
    node('Reshape', ['Y', 'rows'], ['hidden']),
    node('Relu', ['hidden'], ['voiced']),
    node('Gemm', ['voiced', 'last.weight', 'last.bias'], ['score']),
    node('Sigmoid', ['score'], ['probability']),
  );
  const value = (name: string, dims: readonly (number | string)[]) => ({ name, dataType: DATA_TYPE.float, dims });
  const state = [1, 1, STATE_SIZE];
  return writeModel({
    ...model,
    graph: {
      name: 'voice',
      nodes,
      initializers,
      inputs: [
        value('even', ['windows', FOLDED_SAMPLES]),
        value('odd', ['windows', FOLDED_SAMPLES]),
        value('h', state),
        value('c', state),
      ],
      outputs: [value('probability', ['frames', 1]), value('hn', state), value('cn', state)],
    },
  });
};
