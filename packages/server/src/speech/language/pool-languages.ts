// Pools the language detection of several models: they are rarely wrong in the same way.
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';

/** Floor for every probability, so that a single model cannot rule out a language. */
const PROBABILITY_MIN = 2e-4;

/** The normalised geometric mean. */
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
