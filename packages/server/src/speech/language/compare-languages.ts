// Which of several likely languages is spoken? The first words are decoded in each, and the best text decides.
import type { Beginning, LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isoOf } from './codes.ts';
import { textLanguages } from './text-language.ts';

/** Languages that are compared. */
const CANDIDATES_MAX = 6;
const CANDIDATE_PROBABILITY_MIN = 0.01;
/** How much the sound, the probability of the text and the look of it count, in logarithms: see docs/decisions/tiers.md. */
const SOUND_WEIGHT = 0.7;
const DECODING_WEIGHT = 1.5;
const LOOK_WEIGHT = 1.5;
/** A text that is this likely to be in its language speaks neither for nor against it; none is surely in another. */
const LOOK_EVEN = 0.3;
const LOOK_MIN = 0.05;
const LOOP_WEIGHT = -5;
/** Letters that many languages share. Other letters tell their language, so that their look proves nothing more. */
const SHARED_LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\P{L}]*$/u;

/** Decodes the first words in a language; it may stop once their average log-probability cannot reach the least. */
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
  const odds = new Map<string, number>();
  let best = { language: candidates[0]?.[0] ?? '', text: '', odds: 0, average: 0 };
  const oddsOf = (probability: number, average: number, look: number) =>
    probability ** SOUND_WEIGHT * Math.exp(DECODING_WEIGHT * average + look);
  for (const [language, probability] of candidates) {
    // Even words that look like their language must be this probable to win.
    const averageMin = Math.log(best.odds / oddsOf(probability, 0, lookOf(1))) / DECODING_WEIGHT;
    if (averageMin > 0) {
      // Not decoded, since it cannot win: taken to be as probable as the best, with a text that looks like another language.
      odds.set(language, oddsOf(probability, best.average, lookOf(0)));
      continue;
    }
    const { text, averageLogProbability, decodedShare, isLoop } = await decodeFirstWords(language, averageMin);
    // What was given up is taken to go on like the best: its worst words are those that were decoded.
    const average = decodedShare * averageLogProbability + (1 - decodedShare) * best.average;
    const odd = oddsOf(probability, average, (await looksLike(text, language)) + (isLoop ? LOOP_WEIGHT : 0));
    odds.set(language, odd);
    if (odd > best.odds) best = { language, text, odds: odd, average };
  }
  const total = [...odds.values()].reduce((sum, value) => sum + value, 0);
  const shares = new Map([...odds].map(([language, value]) => [language, value / total]));
  return { language: best.language, languages: shares, beginning: best.text };
};

/** What it counts that a text looks so likely to be in its language. */
const lookOf = (chance: number): number => LOOK_WEIGHT * Math.log((chance + LOOK_MIN) / LOOK_EVEN);

/** How much the look of a text speaks for or against its language. */
const looksLike = async (text: string, language: string): Promise<number> => {
  const iso = isoOf(language);
  if (iso === null || !SHARED_LETTERS.test(text)) return 0;
  const chance = (await textLanguages(text))?.chanceOf(iso) ?? null;
  return chance === null ? 0 : lookOf(chance);
};
