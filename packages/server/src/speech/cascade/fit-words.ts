// Words of one hypothesis in the place of another's: with the capitals and the punctuation that the place asks for.

const CLOSING = /[.,!?;:]+$/u;
const ENDS_SENTENCE = /[.!?]["')]*$/u;
/** Words that are written large wherever they stand. */
const ALWAYS_LARGE = /^I(?:\b|$)/u;

const startsSentence = (words: readonly string[], at: number): boolean =>
  at === 0 || ENDS_SENTENCE.test(words[at - 1] ?? '');

const closingOf = (word: string | undefined): string => CLOSING.exec(word ?? '')?.[0] ?? '';

/** The words from one place to another of `theirs`, as they would stand from one place to another of `ours`. */
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
  // What closes the place stays, also behind what is added at the end of the text.
  const closing = end > start || end === ours.length ? closingOf(ours[end - 1]) : '';
  words[words.length - 1] = words.at(-1)!.replace(CLOSING, '') + closing;
  return words;
};
