// Two readings of the same English speech made into one, word by word, by how sure each reader was.
import type { RecognisedWord } from '../recogniser.ts';

/** How much surer the English model must be of its words than Whisper of others in their place. */
const REPLACE_LEAD = 0.2;
/** Sureness of words that only one of the two heard, to be kept. */
const ONLY_ENGLISH_MIN = 0.7;
const ONLY_WHISPER_MIN = 0.5;

/** A stretch where the readings agree word for word, or where they differ as a whole. */
interface Stretch {
  readonly agrees: boolean;
  readonly english: readonly RecognisedWord[];
  readonly whisper: readonly RecognisedWord[];
}

export const mergeReadings = (
  english: readonly RecognisedWord[],
  whisper: readonly RecognisedWord[],
): RecognisedWord[] => inOrder(stretchesOf(english, whisper).flatMap((stretch) => settle(stretch)));

const settle = ({ agrees, english, whisper }: Stretch): readonly RecognisedWord[] => {
  if (agrees) return whisper;
  if (whisper.length === 0) return sureness(english) > ONLY_ENGLISH_MIN ? english : [];
  if (english.length === 0) return sureness(whisper) > ONLY_WHISPER_MIN ? whisper : [];
  return sureness(english) > sureness(whisper) + REPLACE_LEAD ? english : whisper;
};

const sureness = (words: readonly RecognisedWord[]): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;

const bare = ({ text }: RecognisedWord): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/** Aligns by the longest common run of words in order. */
const stretchesOf = (english: readonly RecognisedWord[], whisper: readonly RecognisedWord[]): Stretch[] => {
  const a = english.map(bare);
  const b = whisper.map(bare);
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
  const stretches: { agrees: boolean; english: RecognisedWord[]; whisper: RecognisedWord[] }[] = [];
  const open = (agrees: boolean) => {
    if (stretches.at(-1)?.agrees !== agrees) stretches.push({ agrees, english: [], whisper: [] });
    return stretches.at(-1)!;
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    const takesEnglish =
      isSame || j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!);
    const stretch = open(isSame);
    if (takesEnglish) stretch.english.push(english[i++]!);
    if (isSame || !takesEnglish) stretch.whisper.push(whisper[j++]!);
  }
  return stretches;
};

/** Times of the two readers differ a little: a word never begins before the one before it. */
const inOrder = (words: readonly RecognisedWord[]): RecognisedWord[] => {
  let latest = 0;
  return words.map((word) => {
    const startMs = Math.max(latest, word.startMs);
    const endMs = Math.max(startMs, word.endMs);
    latest = endMs;
    return { ...word, startMs, endMs };
  });
};
