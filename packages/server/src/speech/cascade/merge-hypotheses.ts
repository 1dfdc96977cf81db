// Merges two hypotheses of the same English speech, word by word, by how sure each model was.
import type { RecognisedWord } from '../recogniser.ts';
import { bareWord } from './common-words.ts';

/** How much surer the English model must be of its words than the multilingual one of others in their place. */
const REPLACE_LEAD = 0.2;
/** Mean confidence of words that only one of the two has, for them to be kept. */
const ONLY_ENGLISH_MIN = 0.7;
const ONLY_MULTILINGUAL_MIN = 0.5;

/** A stretch where the hypotheses agree word for word, or where they differ as a whole. */
interface Stretch {
  readonly agrees: boolean;
  readonly english: readonly RecognisedWord[];
  readonly multilingual: readonly RecognisedWord[];
}

export const mergeHypotheses = (
  english: readonly RecognisedWord[],
  multilingual: readonly RecognisedWord[],
): RecognisedWord[] => inOrder(stretchesOf(english, multilingual).flatMap((stretch) => choose(stretch)));

const choose = ({ agrees, english, multilingual }: Stretch): readonly RecognisedWord[] => {
  if (agrees) return multilingual;
  if (multilingual.length === 0) return meanConfidence(english) > ONLY_ENGLISH_MIN ? english : [];
  if (english.length === 0) return meanConfidence(multilingual) > ONLY_MULTILINGUAL_MIN ? multilingual : [];
  return meanConfidence(english) > meanConfidence(multilingual) + REPLACE_LEAD ? english : multilingual;
};

const meanConfidence = (words: readonly RecognisedWord[]): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;

const bare = ({ text }: RecognisedWord): string => bareWord(text);

/** Aligns by the longest common run of words in order. */
const stretchesOf = (english: readonly RecognisedWord[], multilingual: readonly RecognisedWord[]): Stretch[] => {
  const a = english.map(bare);
  const b = multilingual.map(bare);
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const stretches: { agrees: boolean; english: RecognisedWord[]; multilingual: RecognisedWord[] }[] = [];
  const open = (agrees: boolean) => {
    if (stretches.at(-1)?.agrees !== agrees) stretches.push({ agrees, english: [], multilingual: [] });
    return stretches.at(-1)!;
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    const takesEnglish =
      isSame || j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!);
    const stretch = open(isSame);
    if (takesEnglish) stretch.english.push(english[i++]!);
    if (isSame || !takesEnglish) stretch.multilingual.push(multilingual[j++]!);
  }
  return stretches;
};

/** Times of the two models differ a little: a word never begins before the one before it. */
const inOrder = (words: readonly RecognisedWord[]): RecognisedWord[] => {
  let latest = 0;
  return words.map((word) => {
    const startMs = Math.max(latest, word.startMs);
    const endMs = Math.max(startMs, word.endMs);
    latest = endMs;
    return { ...word, startMs, endMs };
  });
};
