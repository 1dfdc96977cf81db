// Speaker embedding models that take Kaldi's filter banks (WeSpeaker, 3D-Speaker): one run per region of a stretch.
import '../../../lib/process/no-telemetry.ts';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../../acoustic/session-options.ts';
import { type Fbank, framesBetween, MEL_BINS, makeKaldiFbank } from '../../features/kaldi-fbank.ts';
import type { EmbeddingFacts } from '../../store/catalogue.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import { PUBLISHED_FILES } from '../families.ts';
import { FRAME_SAMPLES, frameStartSample } from '../frames.ts';
import { type FrameSpans, unitRows } from '../pooling.ts';

type FbankFacts = NonNullable<EmbeddingFacts['fbank']>;

/** Shorter regions are repeated up to this length, one second: the models were trained on longer ones. */
const FRAMES_MIN = 100;

export const loadFbankModel = async (
  modelFolder: string,
  { input, output, ...options }: FbankFacts,
): Promise<EmbeddingModel> => {
  const session = await InferenceSession.create(join(modelFolder, PUBLISHED_FILES.fbankEmbedding), sessionOptions(1));
  if (!session.inputNames.includes(input) || !session.outputNames.includes(output)) {
    await session.release();
    throw new Error(`The speaker embedding model does not have the input "${input}" and the output "${output}".`);
  }
  const fbankOf = makeKaldiFbank(options);
  return {
    async run(stretch, regions, checkpoint = () => {}) {
      const fbank = fbankOf(stretch);
      const embeddings: (Float32Array | null)[] = [];
      for (const spans of regions) {
        checkpoint();
        const values = centred(framesOf(fbank, spans));
        if (values.length === 0) {
          embeddings.push(null);
          continue;
        }
        const feeds = { [input]: new Tensor('float32', values, [1, values.length / MEL_BINS, MEL_BINS]) };
        const answer = (await session.run(feeds, [output]))[output]!;
        embeddings.push(unitRows(answer.data as Float32Array, answer.size)[0]!);
      }
      return embeddings;
    },
    close: () => session.release(),
  };
};

/** The frames of a region, concatenated and repeated up to FRAMES_MIN. */
const framesOf = ({ values, frames }: Fbank, spans: FrameSpans): Float32Array => {
  const pieces: Float32Array[] = [];
  let count = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const start = frameStartSample(spans[i]!);
    const { from, to } = framesBetween(start, start + (spans[i + 1]! - spans[i]!) * FRAME_SAMPLES);
    const piece = values.subarray(
      Math.min(frames, Math.max(0, from)) * MEL_BINS,
      Math.min(frames, Math.max(0, to)) * MEL_BINS,
    );
    if (piece.length === 0) continue;
    pieces.push(piece);
    count += piece.length;
  }
  if (count === 0) return new Float32Array(0);
  const all = new Float32Array(Math.max(count, FRAMES_MIN * MEL_BINS));
  for (let at = 0, next = 0; at < all.length; next++) {
    const piece = pieces[next % pieces.length]!;
    all.set(piece.subarray(0, all.length - at), at);
    at += piece.length;
  }
  return all;
};

/** Subtracts the mean of each mel bin in place, which removes the effect of the line and the room. */
const centred = (values: Float32Array): Float32Array => {
  const frames = values.length / MEL_BINS;
  for (let mel = 0; mel < MEL_BINS; mel++) {
    let mean = 0;
    for (let at = mel; at < values.length; at += MEL_BINS) mean += values[at]! / frames;
    for (let at = mel; at < values.length; at += MEL_BINS) values[at]! -= mean;
  }
  return values;
};
