// Languages that the sound leaves open, told apart by their reading: the first words are read in each of the likeliest,
// and what reads best decides.
import { isoOf } from '../language/codes.ts';
import { textLanguages } from '../language/text-language.ts';
import type { LanguageProbabilities } from '../whisper/language.ts';
import type { Beginning } from '../whisper/transcribe.ts';

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
    .filter(([, probability]) => probability >= CANDIDATE_PROBABILITY_MIN)
    .sort(([, a], [, b]) => b - a)
    .slice(0, CANDIDATES_MAX);
  const odds = new Map<string, number>();
  let best = { language: '', text: '', odds: 0, reading: 1 };
  for (const [language, probability] of candidates) {
    // Even words that look like their language must be this probable to win.
    const averageMin = (Math.log(best.odds / probability) - AGREEMENT_WEIGHT) / READING_WEIGHT;
    if (averageMin > 0) {
      // Not read, since it cannot win: taken for as good a reading as the best, of a text that looks like another language.
      odds.set(language, probability * best.reading * Math.exp(DISAGREEMENT_WEIGHT));
      continue;
    }
    const { text, averageLogProbability, isLoop } = await readFirstWords(language, averageMin);
    const reading = Math.exp(READING_WEIGHT * averageLogProbability);
    const odd = probability * reading * Math.exp(looksLike(text, language) + (isLoop ? LOOP_WEIGHT : 0));
    odds.set(language, odd);
    if (odd > best.odds) best = { language, text, odds: odd, reading };
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
