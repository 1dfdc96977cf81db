// How likely is each language, given the caller's hint and the session so far?
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import type { LanguageGuess } from '../recogniser.ts';
import { isoOf } from './codes.ts';

/** How much likelier a language becomes by being hinted at, by having been spoken before, or in all recent recordings. */
const HINT_WEIGHT = 5;
const BELIEF_WEIGHT = 3;
const RECENT_WEIGHT = 4;
/** Sound this unclear, and a hinted language is at least as likely as this times how unclear it is. */
const UNCLEAR_MIN = 0.2;
const HINTED_MIN = 0.05;
const GUESSES_MAX = 5;
/** Languages that Whisper names for unclear speech far more often than they are spoken. */
const SELDOM: Readonly<Record<string, number>> = {
  la: 0.05,
  sa: 0.1,
  haw: 0.1,
  nn: 0.2,
  mi: 0.2,
  oc: 0.2,
  bo: 0.3,
  br: 0.3,
  fo: 0.3,
  gl: 0.3,
  jw: 0.3,
  su: 0.3,
  yi: 0.3,
  bs: 0.4,
  ms: 0.4,
  cy: 0.5,
};

/** What is known of the language before the window is looked at. The codes are the multilingual model's. */
export interface LanguagePrior {
  /** What the session believes so far. */
  readonly belief: string | null;
  /** What the caller said. */
  readonly hint: string | null;
  /** The share of each language in the account's latest recordings. */
  readonly recent?: ReadonlyMap<string, number>;
}

/** `english` is how many times likelier English is for reasons outside the model's own guess. */
export const weighLanguages = (
  detected: LanguageProbabilities,
  { hint, belief, recent }: LanguagePrior,
  english = 1,
): LanguageProbabilities => {
  // What was said beforehand counts for more where the sound tells less.
  const unclear = 1 - Math.max(...detected.values());
  const hintedMin = unclear > UNCLEAR_MIN ? HINTED_MIN * unclear : 0;
  const weighed = [...detected].map(([code, found]) => {
    const probability = code === hint ? Math.max(found, hintedMin) : found;
    const told = (code === hint ? HINT_WEIGHT : 1) * RECENT_WEIGHT ** (recent?.get(code) ?? 0);
    const expected = told ** (1 + unclear) * (code === belief ? BELIEF_WEIGHT : 1);
    const weight = expected === 1 ? (SELDOM[code] ?? 1) : expected;
    return [code, probability * weight * (code === 'en' ? english : 1)] as const;
  });
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weighed.map(([code, weight]) => [code, weight / total]));
};

/** The code of the likeliest language, and how likely it is. */
export const likeliest = (languages: LanguageProbabilities): readonly [code: string, probability: number] =>
  [...languages].reduce((best, guess) => (guess[1] > best[1] ? guess : best));

/** What callers see: ISO 639-1 only, best first. */
export const rankGuesses = (languages: LanguageProbabilities): LanguageGuess[] =>
  [...languages]
    .flatMap(([code, probability]) => {
      const language = isoOf(code);
      return language ? [{ language, probability }] : [];
    })
    .sort((a, b) => b.probability - a.probability)
    .slice(0, GUESSES_MAX);
