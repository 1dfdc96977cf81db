// Pairs recognised with reference words: as many equal words in order as possible, preferring the nearest in time.

export interface TimedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type WordPair = readonly [reference: TimedWord, recognised: TimedWord];

/** Equal words that are further apart in time are different occurrences. */
const APART_MS_MAX = 3_000;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/** A pair is worth 1 minus up to 0.1 for its distance in time, so that the nearest of repeated words is chosen. */
const worthOf = (reference: TimedWord, recognised: TimedWord): number => {
  const apartMs = Math.abs(reference.startMs - recognised.startMs);
  if (apartMs > APART_MS_MAX || plain(reference.text) !== plain(recognised.text)) return 0;
  return 1 - (0.1 * apartMs) / APART_MS_MAX;
};

export const matchWords = (reference: readonly TimedWord[], recognised: readonly TimedWord[]): WordPair[] => {
  const width = recognised.length + 1;
  const worth = new Float64Array((reference.length + 1) * width);
  for (let i = reference.length - 1; i >= 0; i--) {
    for (let j = recognised.length - 1; j >= 0; j--) {
      const pair = worthOf(reference[i]!, recognised[j]!);
      worth[i * width + j] = Math.max(
        worth[(i + 1) * width + j]!,
        worth[i * width + j + 1]!,
        pair > 0 ? pair + worth[(i + 1) * width + j + 1]! : 0,
      );
    }
  }
  const pairs: WordPair[] = [];
  for (let i = 0, j = 0; i < reference.length && j < recognised.length; ) {
    const here = worth[i * width + j]!;
    if (here === worth[(i + 1) * width + j]) i += 1;
    else if (here === worth[i * width + j + 1]) j += 1;
    else pairs.push([reference[i++]!, recognised[j++]!]);
  }
  return pairs;
};
