// Finds the hidden units of Whisper's encoder whose values are far larger than all others ("massive activations").
// They are nearly the same for every sound, so noise shows them.
import '../../../lib/process/no-telemetry.ts';
import { Tensor } from 'onnxruntime-node';
import { SAMPLE_RATE_HZ } from '../../../lib/sample-rate.ts';
import { seededRandom } from '../../../lib/seeded-random.ts';
import { openSession } from '../../acoustic/open-session.ts';
import { makeLogMel } from '../../features/log-mel.ts';
import { type OnnxModel, writeModel } from '../../graph/onnx.ts';
import type { WeightFinder } from '../../graph/weights.ts';
import { noSilence } from '../encoder.ts';
import { buildWhisperEncoder, hiddenOutput, melBinsOf } from './encoder-graph.ts';

/** Noise, followed by silence as in a window. */
const NOISE_SECONDS = 7;
const FRAMES = 1000;
const SEED = 0x5eed;
/** How many units of a layer are treated separately. */
const UNITS = 64;
/** Only where that at least halves the range of the others. */
const RANGE_SHARE_MAX = 0.5;

/** The encoder's graph, with its outliers in single precision. */
export const compiledEncoder = async (
  encoder: WeightFinder,
  decoder: WeightFinder,
  heads: number,
): Promise<OnnxModel> =>
  buildWhisperEncoder(encoder, decoder, heads, { outliers: await findOutliers(encoder, decoder, heads) });

/** The outliers of each layer, which may have none. */
const findOutliers = async (
  encoder: WeightFinder,
  decoder: WeightFinder,
  heads: number,
): Promise<readonly (readonly number[])[]> => {
  const model = buildWhisperEncoder(encoder, decoder, heads, { showsHidden: true });
  const session = await openSession(writeModel(model), 1);
  try {
    const melBins = melBinsOf(encoder);
    const random = seededRandom(SEED);
    const noise = Float32Array.from({ length: NOISE_SECONDS * SAMPLE_RATE_HZ }, () => random() - 0.5);
    const features = new Tensor('float32', makeLogMel(melBins)(noise, FRAMES), [1, melBins, FRAMES]);
    const layers = encoder.layers('/layers', 'fc1');
    const names = Array.from({ length: layers }, (_, layer) => hiddenOutput(layer));
    const outputs = await session.run({ features, ...noSilence(session) }, names);
    return names.map((name) => outliersIn(outputs[name]!));
  } finally {
    await session.release();
  }
};

const outliersIn = ({ data, dims }: Tensor): readonly number[] => {
  const largest = new Float32Array(dims[2]!);
  for (const [i, value] of (data as Float32Array).entries()) {
    const unit = i % largest.length;
    largest[unit] = Math.max(largest[unit]!, Math.abs(value));
  }
  const units = [...largest.keys()].sort((a, b) => largest[b]! - largest[a]!);
  const [first = 0, next] = [units[0], units[UNITS]];
  if (next === undefined || largest[next]! > RANGE_SHARE_MAX * largest[first]!) return [];
  return units.slice(0, UNITS).sort((a, b) => a - b);
};
