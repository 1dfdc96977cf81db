// Weights detected languages by the caller's hint and list, the session so far and recent recordings.
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import type { LanguageGuess } from '../recogniser.ts';
import { isoOf } from './codes.ts';
import { trainingWeight } from './training-hours.ts';

/** Factors for a hinted language, for the believed one, and for one spoken in all recent recordings. */
const HINT_WEIGHT = 5;
const BELIEF_WEIGHT = 3;
const RECENT_WEIGHT = 4;
/** In audio more unclear than this, a hinted language gets at least this probability times the uncertainty. */
const UNCLEAR_MIN = 0.2;
const HINTED_MIN = 0.05;
const GUESSES_MAX = 5;
const SHORT_LIST_MAX = 10;
/** Floor, so that no allowed language is impossible. */
const SHARE_MIN = 1e-9;
/** Languages that Whisper detects in unclear speech far more often than they are spoken. */
const OVERDETECTED: Readonly<Record<string, number>> = {
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

/** Codes of the languages that a window may be in; null: any. */
export type AllowedLanguages = ReadonlySet<string> | null;

/** What is known about the language before the window is decoded. Codes are the multilingual model's. */
export interface LanguagePrior {
  /** The session's language so far. */
  readonly belief: string | null;
  readonly hint: string | null;
  /** Default: any. */
  readonly allowed?: AllowedLanguages;
  /** Shares of the account's recent languages. */
  readonly recent?: ReadonlyMap<string, number>;
}

/** `english`: factor for English from evidence other than the model's detection. */
export const weighLanguages = (
  heard: LanguageProbabilities,
  { hint, belief, recent, allowed = null }: LanguagePrior,
  english = 1,
): LanguageProbabilities => {
  const detected = among(heard, allowed);
  // Prior knowledge counts more when the audio is less clear.
  const unclear = 1 - Math.max(...detected.values());
  const hintedMin = unclear > UNCLEAR_MIN ? HINTED_MIN * unclear : 0;
  const weighed = [...detected].map(([code, found]) => {
    const probability = code === hint ? Math.max(found, hintedMin) : found;
    const known = (code === hint ? HINT_WEIGHT : 1) * RECENT_WEIGHT ** (recent?.get(code) ?? 0);
    const expected = known ** (1 + unclear) * (code === belief ? BELIEF_WEIGHT : 1);
    const weight = expected === 1 ? (OVERDETECTED[code] ?? 1) : expected;
    return [code, probability * weight * (code === 'en' ? english : 1)] as const;
  });
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weighed.map(([code, weight]) => [code, weight / total]));
};

/** Whether every listed language is likely; a longer list only excludes some. */
export const isShortList = (allowed: AllowedLanguages | undefined): boolean =>
  allowed !== null && allowed !== undefined && allowed.size <= SHORT_LIST_MAX;

/** Probabilities of the allowed languages, which sum to one; a short list is corrected for unequal training data. */
const among = (heard: LanguageProbabilities, allowed: AllowedLanguages): LanguageProbabilities => {
  if (allowed === null) return heard;
  const weightOf = isShortList(allowed) ? trainingWeight : () => 1;
  const shares = [...allowed].map(
    (code) => [code, Math.max(heard.get(code) ?? 0, SHARE_MIN) * weightOf(code)] as const,
  );
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  return new Map(shares.map(([code, share]) => [code, share / total]));
};

/** The most probable language and its probability. */
export const likeliest = (languages: LanguageProbabilities): readonly [code: string, probability: number] =>
  [...languages].reduce((best, guess) => (guess[1] > best[1] ? guess : best));

/** Guesses for callers: ISO 639-1 only, best first. */
export const rankGuesses = (languages: LanguageProbabilities): LanguageGuess[] =>
  [...languages]
    .flatMap(([code, probability]) => {
      const language = isoOf(code);
      return language ? [{ language, probability }] : [];
    })
    .sort((a, b) => b.probability - a.probability)
    .slice(0, GUESSES_MAX);
