// Runs the graphs of a NeMo export: features to encoder frames, and for transducers a frame and a token to logits.
import '../../lib/process/no-telemetry.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { COMPILED_FILES } from '../acoustic/compiled-files.ts';
import { openSession } from '../acoustic/open-session.ts';
import { DECODER_THREADS } from '../acoustic/session-options.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import type { Joint } from './transducer.ts';
import type { EncodedFrames } from './windows.ts';

/** Hidden and cell state of the prediction network. */
export type PredictorState = readonly [Tensor, Tensor];

export interface FastConformerGraphs {
  readonly melBins: number;
  /** Null for CTC, whose encoder frames are log-probabilities of the tokens. */
  readonly joint: Joint<PredictorState> | null;
  /** `features` has one column more than `frames`. */
  encode(features: Float32Array, frames: number): Promise<EncodedFrames>;
  close(): Promise<void>;
}

/** Exports with more than 2 GB of weights keep them in a separate file; their encoder is used as published. */
export const PUBLISHED_ENCODER = 'encoder-model.onnx';

export const loadFastConformerGraphs = async (
  folder: string,
  compiledFolder: string,
  threads: number,
): Promise<FastConformerGraphs> => {
  const compiled = join(compiledFolder, COMPILED_FILES.encoder);
  const encoder = await openSession(existsSync(compiled) ? compiled : join(folder, PUBLISHED_ENCODER), threads);
  const decoderPath = join(compiledFolder, COMPILED_FILES.decoder);
  const decoder = existsSync(decoderPath) ? await openSession(decoderPath, DECODER_THREADS) : null;
  const melBins = dimensionOf(encoder, 'audio_signal', 1);
  return {
    melBins,
    joint: decoder && jointOf(decoder),
    async encode(features, frames) {
      const feeds = {
        audio_signal: new Tensor('float32', features, [1, melBins, frames + 1]),
        length: new Tensor('int64', BigInt64Array.of(BigInt(frames)), [1]),
      };
      if (!decoder) {
        const { logprobs } = await encoder.run(feeds, ['logprobs']);
        return byFrame(logprobs!);
      }
      const { outputs, encoded_lengths: lengths } = await encoder.run(feeds, ['outputs', 'encoded_lengths']);
      return turned(outputs!, Number((lengths!.data as BigInt64Array)[0]));
    },
    async close() {
      await encoder.release();
      await decoder?.release();
    },
  };
};

const dimensionOf = (session: InferenceSession, input: string, axis: number): number => {
  const found = session.inputMetadata.find(({ name }) => name === input);
  const size = found?.isTensor ? found.shape[axis] : undefined;
  if (typeof size !== 'number' || size <= 0) throw new UnknownGraph(`the size of its input "${input}" is unknown`);
  return size;
};

/** [1, frames, width] */
const byFrame = ({ data, dims }: Tensor): EncodedFrames => {
  const [, frames = 0, width = 0] = dims;
  return { rows: data as Float32Array, width, frames };
};

/** [1, width, frames], of which the first `length` are valid. */
const turned = ({ data, dims }: Tensor, length: number): EncodedFrames => {
  const [, width = 0, columns = 0] = dims;
  const frames = Math.min(length, columns);
  const values = data as Float32Array;
  const rows = new Float32Array(frames * width);
  for (let at = 0; at < width; at++)
    for (let frame = 0; frame < frames; frame++) rows[frame * width + at] = values[at * columns + frame]!;
  return { rows, width, frames };
};

const jointOf = (decoder: InferenceSession): Joint<PredictorState> => {
  const emptyState = (input: string): Tensor => {
    const [layers, hidden] = [dimensionOf(decoder, input, 0), dimensionOf(decoder, input, 2)];
    return new Tensor('float32', new Float32Array(layers * hidden), [layers, 1, hidden]);
  };
  const targetLength = new Tensor('int32', Int32Array.of(1), [1]);
  return {
    start: [emptyState('input_states_1'), emptyState('input_states_2')],
    async step(frame, lastToken, [hidden, cell]) {
      const output = await decoder.run(
        {
          encoder_outputs: new Tensor('float32', frame, [1, frame.length, 1]),
          targets: new Tensor('int32', Int32Array.of(lastToken), [1, 1]),
          target_length: targetLength,
          input_states_1: hidden,
          input_states_2: cell,
        },
        ['outputs', 'output_states_1', 'output_states_2'],
      );
      return {
        logits: output.outputs!.data as Float32Array,
        state: [output.output_states_1 as Tensor, output.output_states_2 as Tensor],
      };
    },
  };
};
