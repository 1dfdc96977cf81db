// The language of a window, asked of the whole and of its halves: a sound that misleads one of them seldom misleads all.
import { SAMPLE_RATE_HZ } from '../../platform/sample-rate.ts';
import type { LanguageProbabilities, MultilingualSpeech } from '../acoustic/acoustic-model.ts';

/** A shorter half says nothing. */
const HALF_SAMPLES_MIN = SAMPLE_RATE_HZ;
/** No part alone may rule a language out. */
const PROBABILITY_MIN = 2e-4;

/** The geometric mean of the guesses, so that they sum to one. */
export const pooled = (guesses: readonly LanguageProbabilities[]): LanguageProbabilities => {
  const codes = new Set(guesses.flatMap((guess) => [...guess.keys()]));
  const logarithmOf = (guess: LanguageProbabilities, code: string) =>
    Math.log(Math.max(guess.get(code) ?? 0, PROBABILITY_MIN));
  const means = [...codes].map((code) => {
    const sum = guesses.reduce((total, guess) => total + logarithmOf(guess, code), 0);
    return [code, Math.exp(sum / guesses.length)] as const;
  });
  const total = means.reduce((sum, [, mean]) => sum + mean, 0);
  return new Map(means.map(([code, mean]) => [code, mean / total]));
};

/** What the whole window says, as much as what both halves say together. Costs two steps of the decoder. */
export const poolHalves = async (
  whole: LanguageProbabilities,
  speech: MultilingualSpeech,
  samples: number,
): Promise<LanguageProbabilities> => {
  const middle = Math.floor(samples / 2);
  if (middle < HALF_SAMPLES_MIN) return whole;
  const first = await speech.detectLanguage({ fromSample: 0, toSample: middle });
  const second = await speech.detectLanguage({ fromSample: middle, toSample: samples });
  return pooled([whole, whole, first, second]);
};
