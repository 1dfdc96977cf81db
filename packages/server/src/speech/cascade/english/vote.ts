// Combines several hypotheses of the same English speech. Each differing passage is voted on as a whole, so that words
// of two hypotheses are never combined for the same sounds.
import type { RecognisedWord } from '../../recogniser.ts';
import { inTimeOrder } from '../../words/words.ts';
import { combineAroundTerms } from './around-terms.ts';
import { bareWord, passages, wordDistance } from './common-words.ts';
import { fitWords } from './fit-words.ts';

/** The words of one model's hypothesis, and its weight in the vote. */
export interface WeightedHypothesis {
  readonly words: readonly RecognisedWord[];
  readonly weight: number;
}

/** A variant of a passage, and its votes. */
interface Candidate {
  /** The first hypothesis that has it. */
  readonly nth: number;
  readonly bare: readonly string[];
  votes: number;
}

/** Squared, so that half the confidence counts a quarter: models are rarely unsure without a reason. */
const votesOf = ({ confidence }: RecognisedWord): number => confidence ** 2;

/** Confidence of omitting words, relative to the surrounding words. */
const LEAVING_OUT = 0.8;

/**
 * Combines at most three hypotheses. Where all agree, the spelling of the first is kept, so it should be the best
 * speller.
 */
export const vote = (hypotheses: readonly WeightedHypothesis[]): RecognisedWord[] => {
  const electAll = (heard: readonly (readonly RecognisedWord[])[]) =>
    electEach(hypotheses.map(({ weight }, nth) => ({ words: heard[nth]!, weight })));
  return inTimeOrder(
    combineAroundTerms(
      hypotheses.map(({ words }) => words),
      electAll,
    ),
  );
};

const electEach = (hypotheses: readonly WeightedHypothesis[]): RecognisedWord[] => {
  const voted: RecognisedWord[] = [];
  for (const { from, to } of passages(hypotheses.map(({ words }) => words))) {
    if (to.some((at, nth) => at > from[nth]!)) voted.push(...elect(hypotheses, from, to));
    voted.push(...hypotheses[0]!.words.slice(to[0], to[0]! + 1));
  }
  return voted;
};

/** The candidate with the lowest expected word errors, weighting the others by their votes. */
const elect = (
  hypotheses: readonly WeightedHypothesis[],
  from: readonly number[],
  to: readonly number[],
): readonly RecognisedWord[] => {
  const candidates = new Map<string, Candidate>();
  for (const [nth, { words, weight }] of hypotheses.entries()) {
    const own = words.slice(from[nth], to[nth]).map(({ text }) => bareWord(text));
    const bare = own.filter((word) => word !== '');
    const key = bare.join(' ');
    const candidate = candidates.get(key) ?? { nth, bare, votes: 0 };
    candidate.votes += weight * confidenceOf(words, from[nth]!, to[nth]!);
    candidates.set(key, candidate);
  }
  const all = [...candidates.values()];
  let best = all[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of all) {
    const risk = all.reduce((sum, other) => sum + other.votes * wordDistance(candidate.bare, other.bare), 0);
    if (risk < least) [best, least] = [candidate, risk];
  }
  return fitted(hypotheses, best.nth, from, to);
};

/** A hypothesis's words in a passage, written in the style of the first one. */
const fitted = (
  hypotheses: readonly WeightedHypothesis[],
  nth: number,
  from: readonly number[],
  to: readonly number[],
): readonly RecognisedWord[] => {
  const own = hypotheses[nth]!.words.slice(from[nth], to[nth]);
  if (nth === 0) return own;
  const textsOf = (which: number) => hypotheses[which]!.words.map(({ text }) => text);
  const texts = fitWords(textsOf(nth), [from[nth]!, to[nth]!], textsOf(0), [from[0]!, to[0]!]);
  return own.map((word, at) => ({ ...word, text: texts[at] ?? word.text }));
};

/** Confidence of the words in a passage, or of the surrounding words if it is empty. */
const confidenceOf = (words: readonly RecognisedWord[], from: number, to: number): number => {
  const own = words.slice(from, to);
  const asked = own.length > 0 ? own : words.slice(Math.max(0, from - 1), to + 1);
  if (asked.length === 0) return LEAVING_OUT;
  const mean = asked.reduce((sum, word) => sum + votesOf(word), 0) / asked.length;
  return own.length > 0 ? mean : LEAVING_OUT * mean;
};
