// Languages that the sound leaves open, told apart by their reading: the first words are read in each of the likeliest,
// and what reads best decides.

import type { LanguageProbabilities } from '../whisper/detect-language.ts';
import type { Beginning } from '../whisper/transcribe.ts';
import { isoOf } from './codes.ts';
import { textLanguages } from './text-language.ts';

/** Languages that are compared by reading. */
const CANDIDATES_MAX = 4;
const CANDIDATE_PROBABILITY_MIN = 0.03;
/** Growth of a language's odds, in natural logarithms: with the log-probability of its text, by how the text looks. */
const READING_WEIGHT = 3;
const AGREEMENT_WEIGHT = 0.7;
const DISAGREEMENT_WEIGHT = -0.9;
const LOOP_WEIGHT = -5;
/** Letters that many languages share: others give their language away, whoever was made to write them. */
const SHARED_LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\P{L}]*$/u;

/** Reads the first words in a language; it may stop where their average log-probability can no longer reach the least. */
export type ReadFirstWords = (language: string, averageMin: number) => Promise<Beginning>;

export interface Compared {
  /** Whisper's code. */
  readonly language: string;
  readonly languages: LanguageProbabilities;
  /** The first words in that language. */
  readonly text: string;
}

export const compareByReading = async (
  languages: LanguageProbabilities,
  readFirstWords: ReadFirstWords,
): Promise<Compared> => {
  const candidates = [...languages]
    .sort(([, a], [, b]) => b - a)
    .filter(([, probability], nth) => nth === 0 || probability >= CANDIDATE_PROBABILITY_MIN)
    .slice(0, CANDIDATES_MAX);
  const odds = new Map<string, number>();
  let best = { language: candidates[0]?.[0] ?? '', text: '', odds: 0, average: 0 };
  const oddsOf = (probability: number, average: number, look: number) =>
    probability * Math.exp(READING_WEIGHT * average + look);
  for (const [language, probability] of candidates) {
    // Even words that look like their language must be this probable to win.
    const averageMin = (Math.log(best.odds / probability) - AGREEMENT_WEIGHT) / READING_WEIGHT;
    if (averageMin > 0) {
      // Not read, since it cannot win: taken for as good a reading as the best, of a text that looks like another language.
      odds.set(language, oddsOf(probability, best.average, DISAGREEMENT_WEIGHT));
      continue;
    }
    const { text, averageLogProbability, readShare, isLoop } = await readFirstWords(language, averageMin);
    // What was given up is taken to go on like the best: its worst words are those that were read.
    const average = readShare * averageLogProbability + (1 - readShare) * best.average;
    const odd = oddsOf(probability, average, looksLike(text, language) + (isLoop ? LOOP_WEIGHT : 0));
    odds.set(language, odd);
    if (odd > best.odds) best = { language, text, odds: odd, average };
  }
  const total = [...odds.values()].reduce((sum, value) => sum + value, 0);
  const shares = new Map([...odds].map(([language, value]) => [language, value / total]));
  return { language: best.language, languages: shares, text: best.text };
};

/** What the look of a text says for or against its language. */
const looksLike = (text: string, language: string): number => {
  const [likely] = textLanguages(text);
  if (!likely || !SHARED_LETTERS.test(text)) return 0;
  return likely.language === isoOf(language) ? AGREEMENT_WEIGHT : DISAGREEMENT_WEIGHT;
};
