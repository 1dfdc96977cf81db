// Makes one hypothesis of several hypotheses of the same English speech. Where they differ, what stands there as a whole is
// put to the vote, so that words of two hypotheses never stand side by side for the same sounds.
import type { RecognisedWord } from '../recogniser.ts';
import { anchorsOf, bareWord, wordDistance } from './common-words.ts';
import { fitWords } from './fit-words.ts';

/** What one model recognised. */
export interface WeightedHypothesis {
  readonly words: readonly RecognisedWord[];
  /** How much its voice counts. */
  readonly weight: number;
}

/** What some hypotheses have in a stretch, and the votes for it. */
interface Candidate {
  /** The first of these hypotheses. */
  readonly nth: number;
  readonly bare: readonly string[];
  votes: number;
}

/** A word of half the confidence has a quarter of the say: models are seldom unsure without a reason. */
const say = ({ confidence }: RecognisedWord): number => confidence ** 2;

/** Leaving words out is as sure as the words around, times this. */
const LEAVING_OUT = 0.8;

/** The spelling of the first hypothesis is kept where all agree, so the best speller comes first. At most three hypotheses. */
export const vote = (hypotheses: readonly WeightedHypothesis[]): RecognisedWord[] => {
  const bare = hypotheses.map(({ words }) => words.map(({ text }) => bareWord(text)));
  const ends = hypotheses.map(({ words }) => words.length);
  const voted: RecognisedWord[] = [];
  let from = hypotheses.map(() => 0);
  for (const anchor of [...anchorsOf(bare), ends]) {
    if (anchor.some((at, nth) => at > from[nth]!)) voted.push(...elect(hypotheses, from, anchor));
    const agreed = hypotheses[0]!.words[anchor[0]!];
    if (anchor !== ends && agreed) voted.push(agreed);
    from = anchor.map((at) => at + 1);
  }
  return inOrder(voted);
};

/** The candidate that is nearest to all votes: the fewest words would be wrong, whichever of them is right. */
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
    candidate.votes += weight * sureness(words, from[nth]!, to[nth]!);
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

/** A hypothesis's words in a stretch, written as the first one's would be. */
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

/** Of the words in a stretch, or of those around it where there are none. */
const sureness = (words: readonly RecognisedWord[], from: number, to: number): number => {
  const own = words.slice(from, to);
  const asked = own.length > 0 ? own : words.slice(Math.max(0, from - 1), to + 1);
  if (asked.length === 0) return LEAVING_OUT;
  const mean = asked.reduce((sum, word) => sum + say(word), 0) / asked.length;
  return own.length > 0 ? mean : LEAVING_OUT * mean;
};

/** Times of the models differ a little: a word never begins before the one before it. */
const inOrder = (words: readonly RecognisedWord[]): RecognisedWord[] => {
  let latest = 0;
  return words.map((word) => {
    const startMs = Math.max(latest, word.startMs);
    const endMs = Math.max(startMs, word.endMs);
    latest = endMs;
    return { ...word, startMs, endMs };
  });
};
