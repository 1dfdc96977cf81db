// Makes one transcript of several readings of the same English speech. Where they differ, what stands there as a whole is
// put to the vote, so that words of two readings never stand side by side for the same sounds.
import type { RecognisedWord } from '../recogniser.ts';
import { anchorsOf, bareWord, wordDistance } from './common-words.ts';

/** What one model recognised. */
export interface Reading {
  readonly words: readonly RecognisedWord[];
  /** Other texts that the model thought of, each with its share of the probability; the first is `words` itself. */
  readonly alternatives: readonly { readonly words: readonly RecognisedWord[]; readonly share: number }[];
  /** How much its voice counts. */
  readonly weight: number;
}

/** A candidate for a stretch: what some reading has there. */
interface Candidate {
  readonly words: readonly RecognisedWord[];
  readonly bare: readonly string[];
  votes: number;
}

/** How sure a model is of leaving words out, where it gives no other text to compare with: as of the words around, times this. */
const LEAVING_OUT = 0.8;

/** The spelling of the first reading is kept where all agree, so the best speller comes first. At most three readings. */
export const vote = (readings: readonly Reading[]): RecognisedWord[] => {
  const bare = readings.map(({ words }) => words.map(({ text }) => bareWord(text)));
  const ends = readings.map(({ words }) => words.length);
  const voted: RecognisedWord[] = [];
  let from = readings.map(() => 0);
  for (const anchor of [...anchorsOf(bare), ends]) {
    if (anchor.some((at, nth) => at > from[nth]!)) voted.push(...elect(readings, from, anchor));
    const agreed = readings[0]!.words[anchor[0]!];
    if (anchor !== ends && agreed) voted.push(agreed);
    from = anchor.map((at) => at + 1);
  }
  return inOrder(voted);
};

/** The candidate that is nearest to all votes: the fewest words would be wrong, whichever of them is right. */
const elect = (
  readings: readonly Reading[],
  from: readonly number[],
  to: readonly number[],
): readonly RecognisedWord[] => {
  const candidates = new Map<string, Candidate>();
  for (const [nth, reading] of readings.entries()) {
    for (const { words, votes } of votesOf(reading, from[nth]!, to[nth]!)) {
      const bare = words.map(({ text }) => bareWord(text)).filter((word) => word !== '');
      const key = bare.join(' ');
      const candidate = candidates.get(key) ?? { words, bare, votes: 0 };
      candidate.votes += votes;
      candidates.set(key, candidate);
    }
  }
  const all = [...candidates.values()];
  let best = all[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of all) {
    const risk = all.reduce((sum, other) => sum + other.votes * wordDistance(candidate.bare, other.bare), 0);
    if (risk < least) [best, least] = [candidate, risk];
  }
  return best.words;
};

interface Ballot {
  readonly words: readonly RecognisedWord[];
  readonly votes: number;
}

const votesOf = ({ words, alternatives, weight }: Reading, from: number, to: number): Ballot[] => {
  const own = words.slice(from, to);
  if (alternatives.length < 2) return [{ words: own, votes: weight * sureness(words, from, to) }];
  const sequence = words.map(({ text }) => bareWord(text));
  return alternatives.map(({ words: other, share }, nth) => ({
    words: nth === 0 ? own : spread(partOf(other, sequence, from, to), words, from, to),
    votes: weight * share,
  }));
};

/** Other texts have no times of their own: their words share the time of those they stand for. */
const spread = (
  part: readonly RecognisedWord[],
  words: readonly RecognisedWord[],
  from: number,
  to: number,
): readonly RecognisedWord[] => {
  const startMs = words[from]?.startMs ?? words[from - 1]?.endMs ?? 0;
  const endMs = Math.max(startMs, to > from ? words[to - 1]!.endMs : (words[to]?.startMs ?? startMs));
  const each = (endMs - startMs) / part.length;
  return part.map((word, nth) => ({
    ...word,
    startMs: Math.round(startMs + nth * each),
    endMs: Math.round(startMs + (nth + 1) * each),
  }));
};

/** Mean confidence of the words, or of those around where there are none. */
const sureness = (words: readonly RecognisedWord[], from: number, to: number): number => {
  const own = words.slice(from, to);
  const asked = own.length > 0 ? own : words.slice(Math.max(0, from - 1), to + 1);
  if (asked.length === 0) return LEAVING_OUT;
  const mean = asked.reduce((sum, { confidence }) => sum + confidence, 0) / asked.length;
  return own.length > 0 ? mean : LEAVING_OUT * mean;
};

/** What another text of the same model has where its first one has the words from one place to another. */
const partOf = (
  other: readonly RecognisedWord[],
  sequence: readonly string[],
  from: number,
  to: number,
): readonly RecognisedWord[] => {
  const common = anchorsOf([sequence, other.map(({ text }) => bareWord(text))]);
  const before = common.findLast(([at]) => at! < from);
  const after = common.find(([at]) => at! >= to);
  return other.slice(before ? before[1]! + 1 : 0, after ? after[1]! : other.length);
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
