// Puts words of one hypothesis into another, with the capitals and punctuation of the new position.

const CLOSING = /[.,!?;:]+$/u;
const ENDS_SENTENCE = /[.!?]["')]*$/u;
/** Words that are always capitalised. */
const ALWAYS_LARGE = /^I(?:\b|$)/u;

const startsSentence = (words: readonly string[], at: number): boolean =>
  at === 0 || ENDS_SENTENCE.test(words[at - 1] ?? '');

const closingOf = (word: string | undefined): string => CLOSING.exec(word ?? '')?.[0] ?? '';

/** The words in a range of `theirs`, in the style of the range of `ours` that they replace. */
export const fitWords = (
  theirs: readonly string[],
  [from, to]: readonly [number, number],
  ours: readonly string[],
  [start, end]: readonly [number, number],
): string[] => {
  const words = theirs.slice(from, to);
  const first = words[0];
  if (first === undefined) return [];
  if (startsSentence(ours, start)) words[0] = first.charAt(0).toUpperCase() + first.slice(1);
  else if (startsSentence(theirs, from) && !ALWAYS_LARGE.test(first))
    words[0] = first.charAt(0).toLowerCase() + first.slice(1);
  // Keep the punctuation that ends the range, even when words are added at the end of the text.
  const closing = end > start || end === ours.length ? closingOf(ours[end - 1]) : '';
  words[words.length - 1] = words.at(-1)!.replace(CLOSING, '') + closing;
  return words;
};
