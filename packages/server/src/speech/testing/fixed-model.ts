// Acoustic models for tests, which hear the same text in every window, and the models of a tier.
import type { AcousticModel, Hypothesis, MultilingualModel } from '../acoustic/acoustic-model.ts';
import type { TierModels } from '../cascade/load-models.ts';
import type { Tier } from '../cascade/tiers.ts';

/** A model with a fixed hypothesis, and a record of its calls. */
export const fixedModel = (text: string, averageLogProbability = -0.1, { language = 'en', confidence = 0.9 } = {}) => {
  const asked: { draft?: string }[] = [];
  const counts = { encoded: 0, transcribed: 0, partsDetected: 0 };
  const hypothesis: Hypothesis = {
    text,
    averageLogProbability,
    noSpeechProbability: 0,
    degenerate: false,
    stoppedEarly: false,
    tokens: [1],
    logProbabilities: [averageLogProbability],
  };
  const words = () =>
    text.split(' ').map((word, i) => ({ text: word, startMs: i * 100, endMs: i * 100 + 90, confidence }));
  const speech = {
    transcribe: async (options: { draft?: string }) => {
      counts.transcribed += 1;
      asked.push(options);
      return hypothesis;
    },
    words,
    wordTimes: async () => words(),
    detectLanguage: async (part?: object) => {
      if (part) counts.partsDetected += 1;
      return new Map([[language, 0.99]]);
    },
  };
  const encode = async () => {
    counts.encoded += 1;
    return speech;
  };
  const made = { id: text, languages: new Set(['de', 'en', 'fr']), detectsLanguage: true, encode };
  return { asked, counts, made: made as unknown as AcousticModel & MultilingualModel };
};

export const tierModels = (
  tier: Tier,
  english: AcousticModel,
  multilingual: MultilingualModel,
  others: Partial<TierModels> = {},
): TierModels => ({
  tier,
  english,
  secondEnglish: null,
  fallbackEnglish: null,
  multilingual,
  detector: multilingual,
  secondDetector: multilingual,
  ...others,
});
