// Adapts a FastConformer to the acoustic model interface: one or many languages, recognised without a language option.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { AcousticModel, Hypothesis } from '../acoustic/acoustic-model.ts';
import { padded } from '../features/condition.ts';
import { HOP_SAMPLES } from '../features/log-mel.ts';
import { makeNemoFeatures } from './features.ts';
import { type FastConformer, type FastConformerHypothesis, transcribe } from './transcribe.ts';
import { encodeInWindows } from './windows.ts';
import { fastConformerWords, fastConformerWordTimes } from './word-times.ts';

/** Shorter audio is padded, because the encoder needs a few frames. */
const SAMPLES_MIN = 1600;

interface FastConformerSettings {
  readonly languages: ReadonlySet<string>;
  /** Feature frames per encoder frame. */
  readonly subsampling: number;
}

export const fastConformerModel = (
  model: FastConformer,
  { languages, subsampling }: FastConformerSettings,
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
      const features = extract(padded(samples, SAMPLES_MIN));
      const encoded = await encodeInWindows(features, { melBins, subsampling }, graphs.encode);
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
