// Runs the encoder graphs: samples to features, features to frames, frames to the decoder's cross-attention keys.
import '../../lib/process/no-telemetry.ts';
import { Tensor } from 'onnxruntime-node';
import { openSession } from '../acoustic/open-session.ts';
import type { Tensors } from '../acoustic/token-cache.ts';
import { graphPath, type StreamingConfig } from './config.ts';

/** State of the convolutions between one block of samples and the next. */
export type FrontendState = Tensors;

/** Arrays of `rows × frames × size` numbers; a row is one head of one layer. */
export interface CrossKeys {
  readonly keys: Float32Array;
  readonly values: Float32Array;
  readonly frames: number;
}

export interface StreamingEncoder {
  readonly start: FrontendState;
  readonly width: number;
  /** How many encoder frames before and after a frame change it. */
  readonly framesBefore: number;
  readonly framesAfter: number;
  /** Rows in a key: layers times heads. */
  readonly rows: number;
  /** One row of features per encoder frame. */
  features(samples: Float32Array, state: FrontendState): Promise<{ features: Float32Array; state: FrontendState }>;
  encode(features: Float32Array): Promise<Float32Array>;
  /** The keys and values of encoded frames; the first frame is at `position`. */
  crossKeys(encoded: Float32Array, position: number): Promise<CrossKeys>;
  close(): Promise<void>;
}

/** Encoder frames that one layer looks back. */
const FRAMES_BEFORE_PER_LAYER = 16;
const STATES = ['sample_buffer', 'sample_len', 'conv1_buffer', 'conv2_buffer', 'frame_count'] as const;
const COUNTS: ReadonlySet<string> = new Set(['sample_len', 'frame_count']);

const emptyState = (shapes: StreamingConfig['frontend_state_shapes']): FrontendState =>
  Object.fromEntries(
    STATES.map((name) => {
      const dims = shapes[name];
      const length = dims.reduce((product, each) => product * each, 1);
      return [
        name,
        COUNTS.has(name)
          ? new Tensor('int64', new BigInt64Array(length), dims)
          : new Tensor('float32', new Float32Array(length), dims),
      ];
    }),
  );

export const openStreamingEncoder = async (
  folder: string,
  config: StreamingConfig,
  threads: number,
): Promise<StreamingEncoder> => {
  const [frontend, encoder, adapter, crossKv] = [
    await openSession(graphPath(folder, 'frontend'), threads),
    await openSession(graphPath(folder, 'encoder'), threads),
    await openSession(graphPath(folder, 'adapter'), threads),
    await openSession(graphPath(folder, 'cross_kv'), threads),
  ];
  const width = config.encoder_dim;
  const framesOf = (values: Float32Array) => new Tensor('float32', values, [1, values.length / width, width]);
  return {
    start: emptyState(config.frontend_state_shapes),
    width,
    framesBefore: FRAMES_BEFORE_PER_LAYER * config.depth,
    framesAfter: config.total_lookahead,
    rows: config.depth * config.nheads,
    async features(samples, state) {
      const output = await frontend.run({
        audio_chunk: new Tensor('float32', samples, [1, samples.length]),
        ...state,
      });
      const after = Object.fromEntries(STATES.map((name) => [name, output[`${name}_out`] as Tensor]));
      return { features: output.features!.data as Float32Array, state: after };
    },
    async encode(features) {
      const { encoded } = await encoder.run({ features: framesOf(features) });
      return encoded!.data as Float32Array;
    },
    async crossKeys(encoded, position) {
      const { memory } = await adapter.run({
        encoded: framesOf(encoded),
        pos_offset: new Tensor('int64', BigInt64Array.of(BigInt(position)), [1]),
      });
      const output = await crossKv.run({ memory: memory! });
      return {
        keys: output.k_cross!.data as Float32Array,
        values: output.v_cross!.data as Float32Array,
        frames: encoded.length / width,
      };
    },
    async close() {
      for (const session of [frontend, encoder, adapter, crossKv]) await session.release();
    },
  };
};
