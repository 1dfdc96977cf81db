// The Silero model: frames and state in, speech probabilities and the next state out.
import '../../lib/process/no-telemetry.ts';
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../acoustic/session-options.ts';
import { STATE_SIZE, STFT_FRAMES_PER_VOICE_FRAME, sequenceGraph, VAD_STATE_SIZE } from './silero-graph.ts';
import { foldStftFrames } from './stft-frames.ts';

export interface VadRequest {
  /** Context, then whole frames. */
  readonly samples: Float32Array;
  /** Hidden and cell state of the stream. */
  readonly state: Float32Array;
}

export interface VadResult {
  readonly probabilities: Float32Array;
  readonly state: Float32Array;
}

type SileroModel = (request: VadRequest) => Promise<VadResult>;

const floatsOf = (tensor: Tensor | undefined): Float32Array =>
  (tensor?.data as Float32Array | undefined) ?? new Float32Array();

export const loadSileroModel = async (modelPath: string): Promise<SileroModel> => {
  // One thread: the matrix products are small, and the recognisers need the cores.
  const session = await InferenceSession.create(sequenceGraph(await readFile(modelPath)), sessionOptions(1));
  return async ({ samples, state }) => {
    const { even, odd } = foldStftFrames(samples);
    const rows = (values: Float32Array) => new Tensor('float32', values, [values.length / STATE_SIZE, STATE_SIZE]);
    const memory = (values: Float32Array) => new Tensor('float32', values, [1, 1, STATE_SIZE]);
    if (even.length < STFT_FRAMES_PER_VOICE_FRAME) return { probabilities: new Float32Array(), state };
    const answer = await session.run({
      even: rows(even),
      odd: rows(odd),
      h: memory(state.slice(0, STATE_SIZE)),
      c: memory(state.slice(STATE_SIZE)),
    });
    const next = new Float32Array(VAD_STATE_SIZE);
    next.set(floatsOf(answer.hn));
    next.set(floatsOf(answer.cn), STATE_SIZE);
    return { probabilities: floatsOf(answer.probability), state: next };
  };
};
