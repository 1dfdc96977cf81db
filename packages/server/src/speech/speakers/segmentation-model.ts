// The segmentation model: which of up to three local speakers talk in each frame of a 10 s window.
import '../../lib/process/no-telemetry.ts';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { sessionOptions } from '../acoustic/session-options.ts';
import { COMPILED_SPEAKER_FILES } from './families.ts';
import { WINDOW_FRAMES, WINDOW_SAMPLES } from './frames.ts';

/** The local speakers of each class, as bits: none, one of three, or two of three. */
const CLASS_BITS = Uint8Array.of(0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110);

/** Windows in a batch share the LSTM weights: four together cost a quarter less than one by one. */
const BATCH = 4;

interface SegmentationModel {
  /** Windows of `WINDOW_SAMPLES` from each start, padded with silence. One byte per frame: a bit per local speaker. */
  run(samples: Float32Array, starts: readonly number[], checkpoint: () => void): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

export const loadSegmentationModel = async (modelFolder: string): Promise<SegmentationModel> => {
  const path = join(compiledFolder(modelFolder), COMPILED_SPEAKER_FILES.segmentation);
  const session = await InferenceSession.create(path, sessionOptions(1));
  const runBatch = async (samples: Float32Array, starts: readonly number[]): Promise<Uint8Array[]> => {
    const input = new Float32Array(starts.length * WINDOW_SAMPLES);
    starts.forEach((start, window) => {
      input.set(samples.subarray(start, start + WINDOW_SAMPLES), window * WINDOW_SAMPLES);
    });
    const { y } = await session.run({ x: new Tensor('float32', input, [starts.length, 1, WINDOW_SAMPLES]) });
    const scores = y?.data as Float32Array;
    return starts.map((_, window) => likeliestBits(scores, window * WINDOW_FRAMES * CLASS_BITS.length));
  };
  return {
    async run(samples, starts, checkpoint) {
      const windows: Uint8Array[] = [];
      for (let first = 0; first < starts.length; first += BATCH) {
        checkpoint();
        windows.push(...(await runBatch(samples, starts.slice(first, first + BATCH))));
      }
      return windows;
    },
    close: () => session.release(),
  };
};

const likeliestBits = (scores: Float32Array, offset: number): Uint8Array => {
  const classes = CLASS_BITS.length;
  return Uint8Array.from({ length: WINDOW_FRAMES }, (_, frame) => {
    const row = offset + frame * classes;
    let best = 0;
    for (let index = 1; index < classes; index++) if (scores[row + index]! > scores[row + best]!) best = index;
    return CLASS_BITS[best]!;
  });
};
