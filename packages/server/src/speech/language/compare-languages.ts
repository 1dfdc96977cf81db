// Compares likely languages: decodes the first words in each and picks the best text.
import type { Beginning, LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isoOf } from './codes.ts';
import { textLanguages } from './text-language.ts';

const CANDIDATES_MAX = 6;
const CANDIDATE_PROBABILITY_MIN = 0.01;
/** Weights of the acoustic, decoding and text log-probabilities: see docs/decisions/tiers.md. */
const ACOUSTIC_WEIGHT = 0.7;
const DECODING_WEIGHT = 1.5;
const TEXT_WEIGHT = 1.5;
/** Probability of the text's language that counts as neutral, and a floor for it. */
const TEXT_NEUTRAL = 0.3;
const TEXT_MIN = 0.05;
const LOOP_WEIGHT = -5;
/** Scripts shared by many languages. Other scripts identify their language, so the text adds no evidence. */
const SHARED_SCRIPTS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\P{L}]*$/u;

/** Decodes the first words in a language; may stop when their average log-probability cannot reach `averageMin`. */
type DecodeFirstWords = (language: string, averageMin: number) => Promise<Beginning>;

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
): Promise<ComparedLanguages> => {
  const candidates = [...languages]
    .sort(([, a], [, b]) => b - a)
    .filter(([, probability], nth) => nth === 0 || probability >= CANDIDATE_PROBABILITY_MIN)
    .slice(0, CANDIDATES_MAX);
  const scores = new Map<string, number>();
  let best = { language: candidates[0]?.[0] ?? '', text: '', score: 0, average: 0 };
  const scoreOf = (probability: number, average: number, textScore: number) =>
    probability ** ACOUSTIC_WEIGHT * Math.exp(DECODING_WEIGHT * average + textScore);
  for (const [language, probability] of candidates) {
    // The average that even a text that matches its language needs to win.
    const averageMin = Math.log(best.score / scoreOf(probability, 0, textWeight(1))) / DECODING_WEIGHT;
    if (averageMin > 0) {
      // It cannot win, so do not decode it: assume the best average and a text in another language.
      scores.set(language, scoreOf(probability, best.average, textWeight(0)));
      continue;
    }
    const { text, averageLogProbability, decodedShare, isLoop } = await decodeFirstWords(language, averageMin);
    // Assume that the rest of a stopped text is as good as the best: its first words were the worst.
    const average = decodedShare * averageLogProbability + (1 - decodedShare) * best.average;
    const score = scoreOf(probability, average, (await textEvidence(text, language)) + (isLoop ? LOOP_WEIGHT : 0));
    scores.set(language, score);
    if (score > best.score) best = { language, text, score, average };
  }
  const total = [...scores.values()].reduce((sum, value) => sum + value, 0);
  const shares = new Map([...scores].map(([language, value]) => [language, value / total]));
  return { language: best.language, languages: shares, beginning: best.text };
};

/** Log-weight of the probability that a text is in its language. */
const textWeight = (chance: number): number => TEXT_WEIGHT * Math.log((chance + TEXT_MIN) / TEXT_NEUTRAL);

/** Log-weight of a text as evidence for its language. */
const textEvidence = async (text: string, language: string): Promise<number> => {
  const iso = isoOf(language);
  if (iso === null || !SHARED_SCRIPTS.test(text)) return 0;
  const chance = (await textLanguages(text))?.chanceOf(iso) ?? null;
  return chance === null ? 0 : textWeight(chance);
};
