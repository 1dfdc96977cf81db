// A FastConformer as an acoustic model: one or many languages, which it hears without being told.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { AcousticModel, Hypothesis } from '../acoustic/acoustic-model.ts';
import { HOP_SAMPLES } from '../features/log-mel.ts';
import { makeNemoFeatures } from './features.ts';
import { type FastConformer, type FastConformerHypothesis, transcribe } from './transcribe.ts';
import { encodeInWindows, type WindowShape } from './windows.ts';
import { fastConformerWords, fastConformerWordTimes } from './word-times.ts';

/** The encoder needs a few frames. */
const SAMPLES_MIN = 1600;

export interface FastConformerSettings {
  readonly languages: ReadonlySet<string>;
  /** Feature frames of one encoder frame. */
  readonly subsampling: number;
  readonly window?: WindowShape;
}

export const fastConformerModel = (
  model: FastConformer,
  { languages, subsampling, window }: FastConformerSettings,
): AcousticModel => {
  const { graphs, vocabulary } = model;
  const { melBins } = graphs;
  const extract = makeNemoFeatures(melBins);
  const frameMs = (subsampling * HOP_SAMPLES) / SAMPLES_PER_MS;
  return {
    id: model.id,
    languages,
    detectsLanguage: false,
    async encode(samples) {
      const features = extract(atLeast(samples, SAMPLES_MIN));
      const encoded = await encodeInWindows(features, { melBins, subsampling }, graphs.encode, window);
      const audioMs = samples.length / SAMPLES_PER_MS;
      return {
        transcribe: (options) => transcribe(model, encoded, samples.length, options),
        words: (hypothesis) => fastConformerWords(vocabulary, hypothesis),
        wordTimes: async (hypothesis) => fastConformerWordTimes(vocabulary, placed(hypothesis), { frameMs, audioMs }),
      };
    },
    async warmUp() {
      const speech = await this.encode(new Float32Array(SAMPLE_RATE_HZ));
      await speech.transcribe({ language: 'en', checkpoint: () => undefined });
    },
    close: () => graphs.close(),
  };
};

const placed = (hypothesis: Hypothesis): FastConformerHypothesis => {
  if (!('places' in hypothesis)) throw new Error('The hypothesis comes from another model.');
  return hypothesis as FastConformerHypothesis;
};

const atLeast = (samples: Float32Array, length: number): Float32Array => {
  if (samples.length >= length) return samples;
  const padded = new Float32Array(length);
  padded.set(samples);
  return padded;
};
