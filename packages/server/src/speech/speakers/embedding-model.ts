// The speaker-embedding model: one run of the frame layers over a stretch of audio, then one embedding per region.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import '../../lib/process/no-telemetry.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { sessionOptions } from '../acoustic/session-options.ts';
import { writeModel } from '../graph/onnx.ts';
import { affineGraph, EMBEDDING_OUTPUT, FRAMES_OUTPUT } from './embedding-graph.ts';
import { COMPILED_SPEAKER_FILES } from './families.ts';
import { type FrameSpans, pooledStatistics, unitRows } from './pooling.ts';

/** The time-delay layers look seven frames to each side, so the model's first frame is frame 7 of the grid. */
const CONTEXT_FRAMES = 7;

/** Shorter stretches are repeated up to this length. */
const STRETCH_SAMPLES_MIN = SAMPLE_RATE_HZ;

export interface EmbeddingModel {
  /**
   * One unit-length embedding per region. Regions are spans of frames counted from the start of the stretch. A region
   * without frames gives null. `checkpoint` runs between model calls and may throw to stop the work.
   */
  run(stretch: Float32Array, regions: readonly FrameSpans[], checkpoint?: () => void): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

export const loadEmbeddingModel = async (modelFolder: string): Promise<EmbeddingModel> => {
  const folder = compiledFolder(modelFolder);
  const session = await InferenceSession.create(join(folder, COMPILED_SPEAKER_FILES.frames), sessionOptions(1));
  let affine: InferenceSession | undefined;
  return {
    async run(stretch, regions, checkpoint = () => {}) {
      const samples = stretch.length < STRETCH_SAMPLES_MIN ? repeated(stretch) : stretch;
      const answer = await session.run({ waveform: new Tensor('float32', samples, [1, samples.length]) });
      checkpoint();
      const output = answer[FRAMES_OUTPUT]!;
      const [, channels = 0, count = 0] = output.dims;
      const frames = { channels, count, values: output.data as Float32Array };
      const statistics = regions.map((spans) => {
        const shifted = spans.map((frame) => frame - CONTEXT_FRAMES);
        return pooledStatistics(frames, shifted);
      });
      const present = statistics.filter((values) => values !== null);
      if (present.length === 0) return statistics.map(() => null);
      affine ??= await openAffine(join(folder, COMPILED_SPEAKER_FILES.affine), 2 * channels);
      const rows = new Float32Array(present.length * 2 * channels);
      present.forEach((values, row) => {
        rows.set(values, row * 2 * channels);
      });
      const feeds = { statistics: new Tensor('float32', rows, [present.length, 2 * channels]) };
      const embedded = (await affine.run(feeds))[EMBEDDING_OUTPUT]!;
      const units = unitRows(embedded.data as Float32Array, embedded.dims[1]!);
      let next = 0;
      return statistics.map((values) => (values === null ? null : units[next++]!));
    },
    async close() {
      await session.release();
      await affine?.release();
    },
  };
};

const repeated = (stretch: Float32Array): Float32Array =>
  Float32Array.from({ length: STRETCH_SAMPLES_MIN }, (_, i) => stretch[i % Math.max(1, stretch.length)] ?? 0);

const openAffine = async (path: string, inputs: number): Promise<InferenceSession> => {
  const values = new Float32Array(Uint8Array.from(await readFile(path)).buffer);
  const outputs = values.length / (inputs + 1);
  if (!Number.isInteger(outputs)) throw new Error('The affine layer of the speaker model has an unexpected size.');
  const weights = values.subarray(0, outputs * inputs);
  const graph = affineGraph({ outputs, inputs, weights, bias: values.subarray(outputs * inputs) });
  return InferenceSession.create(writeModel(graph), sessionOptions(1));
};
