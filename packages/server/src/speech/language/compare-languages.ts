// Compares likely languages: decodes the first words in each and picks the best text.
import type { Beginning, LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isoOf } from './codes.ts';
import { isInScriptOf } from './script.ts';
import { textLanguages } from './text-language.ts';

const CANDIDATES_MAX = 6;
const CANDIDATE_PROBABILITY_MIN = 0.01;

/** Weights of the acoustic, decoding and text log-probabilities in the comparison. */
interface Weights {
  readonly acoustic: number;
  readonly decoding: number;
  readonly text: number;
  /** Languages less probable than this share of the likeliest one are not candidates. */
  readonly shareMin: number;
}

/** For any language: see docs/decisions/tiers.md. */
export const BY_TEXT: Weights = { acoustic: 0.7, decoding: 1.5, text: 1.5, shareMin: 0 };
/** For a short list: the sound decides, unless the text is unreadable. See docs/decisions/language-lists.md. */
export const BY_SOUND: Weights = { acoustic: 1, decoding: 0, text: 0, shareMin: 0.25 };

/** A text counts as neutral when its probability plus TEXT_MIN is TEXT_NEUTRAL; TEXT_MIN limits the penalty. */
const TEXT_NEUTRAL = 0.3;
const TEXT_MIN = 0.05;
/** Log-weight of a text that is a loop, or not in its language's script. */
const UNREADABLE_WEIGHT = -5;
/** Scripts shared by many languages. Other scripts identify their language, so the text adds no evidence. */
const SHARED_SCRIPTS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\P{L}]*$/u;

/** Decodes the first words in a language; may stop when their average log-probability cannot reach `averageMin`. */
type DecodeFirstWords = (language: string, averageMin: number) => Promise<Beginning> | Beginning;

interface ComparedLanguages {
  /** The model's code. */
  readonly language: string;
  readonly languages: LanguageProbabilities;
  /** The first words in that language. */
  readonly beginning: string;
}

export const compareLanguages = async (
  languages: LanguageProbabilities,
  decodeFirstWords: DecodeFirstWords,
  weights: Weights = BY_TEXT,
  candidatesMax = CANDIDATES_MAX,
): Promise<ComparedLanguages> => {
  const sorted = [...languages].sort(([, a], [, b]) => b - a);
  const probabilityMin = Math.max(CANDIDATE_PROBABILITY_MIN, weights.shareMin * (sorted[0]?.[1] ?? 0));
  const candidates = sorted
    .filter(([, probability], nth) => nth === 0 || probability >= probabilityMin)
    .slice(0, candidatesMax);
  const scores = new Map<string, number>();
  let best = { language: candidates[0]?.[0] ?? '', text: '', score: 0, average: 0 };
  const scoreOf = (probability: number, average: number, textScore: number) =>
    probability ** weights.acoustic * Math.exp(weights.decoding * average + textScore);
  const textWeight = (chance: number): number => weights.text * Math.log((chance + TEXT_MIN) / TEXT_NEUTRAL);
  for (const [language, probability] of candidates) {
    const highest = scoreOf(probability, 0, textWeight(1));
    if (best.score > highest) {
      // It cannot win, so do not decode it: assume the best average and a text in another language.
      scores.set(language, scoreOf(probability, best.average, textWeight(0)));
      continue;
    }
    // The average that a text needs to win even if it certainly matches its language.
    const averageMin =
      weights.decoding === 0 ? Number.NEGATIVE_INFINITY : Math.log(best.score / highest) / weights.decoding;
    const { text, averageLogProbability, decodedShare, isLoop } = await decodeFirstWords(language, averageMin);
    // Assume that the undecoded rest is as probable as the best text: decoding stopped because the start was not.
    const average = decodedShare * averageLogProbability + (1 - decodedShare) * best.average;
    const chance = weights.text === 0 ? null : await textChance(text, language);
    const isReadable = !isLoop && isInScriptOf(text, language);
    const textScore = (chance === null ? 0 : textWeight(chance)) + (isReadable ? 0 : UNREADABLE_WEIGHT);
    const score = scoreOf(probability, average, textScore);
    scores.set(language, score);
    if (score > best.score) best = { language, text, score, average };
  }
  const total = [...scores.values()].reduce((sum, value) => sum + value, 0);
  const shares = new Map([...scores].map(([language, value]) => [language, value / total]));
  return { language: best.language, languages: shares, beginning: best.text };
};

/** Probability that a text is in its language; null when the text is not evidence. */
const textChance = async (text: string, language: string): Promise<number | null> => {
  const iso = isoOf(language);
  if (iso === null || !SHARED_SCRIPTS.test(text)) return null;
  return (await textLanguages(text))?.chanceOf(iso) ?? null;
};
