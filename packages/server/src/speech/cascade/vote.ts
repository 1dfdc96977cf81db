// Makes one transcript of several readings of the same English speech. Where they differ, each model says how well every
// reading's words fit there, and those that fit best for all of them stand. Words of two readings never stand side by side
// for the same sounds.
import type { WeighedText } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { anchorsOf, bareWord } from './common-words.ts';
import { fitWords } from './fit-words.ts';

/** What one model recognised. */
export interface Reading {
  readonly words: readonly RecognisedWord[];
  /** Asked for once the readings are seen to differ. */
  readonly weigh: () => Promise<WeighedText>;
  /** How much its voice counts. */
  readonly weight: number;
}

/** However badly words fit, a model is not surer than this that they were not said (natural logarithm). */
const DISMAY_MAX = 5;

type Place = readonly [from: number, to: number];

/** The spelling of the first reading is kept where all agree, so the best speller comes first. At most three readings. */
export const vote = async (readings: readonly Reading[]): Promise<RecognisedWord[]> => {
  const texts = readings.map(({ words }) => words.map(({ text }) => text));
  const ends = texts.map((words) => words.length);
  const voted: RecognisedWord[] = [];
  const weighed: (Promise<WeighedText> | undefined)[] = [];
  const weighedBy = (nth: number) => (weighed[nth] ??= readings[nth]!.weigh());
  let from = readings.map(() => 0);
  for (const anchor of [...anchorsOf(texts.map((words) => words.map(bareWord))), ends]) {
    const places = anchor.map((to, nth): Place => [from[nth]!, to]);
    if (places.some(([start, end]) => end > start)) {
      const winner = await elect(readings, texts, places, weighedBy);
      const fitted = fitWords(texts[winner]!, places[winner]!, texts[0]!, places[0]!);
      const words = readings[winner]!.words.slice(...places[winner]!);
      voted.push(...words.map((word, nth) => ({ ...word, text: fitted[nth] ?? word.text })));
    }
    const agreed = readings[0]!.words[anchor[0]!];
    if (anchor !== ends && agreed) voted.push(agreed);
    from = anchor.map((at) => at + 1);
  }
  return inOrder(voted);
};

/** The reading whose words in these places fit best for all models. */
const elect = async (
  readings: readonly Reading[],
  texts: readonly (readonly string[])[],
  places: readonly Place[],
  weighedBy: (nth: number) => Promise<WeighedText>,
): Promise<number> => {
  const bare = places.map((place, nth) =>
    texts[nth]!.slice(...place)
      .map(bareWord)
      .filter((word) => word !== '')
      .join(' '),
  );
  const candidates = bare.flatMap((words, nth) => (bare.indexOf(words) === nth ? [nth] : []));
  if (candidates.length === 1) return 0;
  let best = 0;
  let top = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    let votes = 0;
    for (const [nth, { weight }] of readings.entries()) {
      // A model is content with its own words.
      if (bare[nth] === bare[candidate]) continue;
      const words = fitWords(texts[candidate]!, places[candidate]!, texts[nth]!, places[nth]!);
      const change = await (await weighedBy(nth)).withReplaced(...places[nth]!, words);
      votes += weight * Math.max(-DISMAY_MAX, change);
    }
    if (votes > top) [best, top] = [candidate, votes];
  }
  return best;
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
