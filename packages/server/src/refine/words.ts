// Parses word lists that the data files write as plain text.

export type WordSet = ReadonlySet<string>;

export const words = (text: string): WordSet => new Set(text.split(/\s+/u).filter(Boolean));

/** One set with the words of several languages, keyed by language code. */
export const wordsOfAll = (byLanguage: Readonly<Record<string, string>>): WordSet =>
  words(Object.values(byLanguage).join(' '));

/** For each first word, the remaining words of its phrases. An empty rest means the word alone. */
export type PhraseList = ReadonlyMap<string, readonly (readonly string[])[]>;

export const phraseList = (...texts: readonly string[]): PhraseList => {
  const list = new Map<string, (readonly string[])[]>();
  for (const [first = '', ...rest] of texts.flatMap(phrases)) list.set(first, [...(list.get(first) ?? []), rest]);
  return list;
};

/** The number of words in the longest phrase that starts at `from` and ends by `to`; 0 if there is none. */
export const longestPhrase = (
  list: PhraseList,
  words: readonly { readonly key: string }[],
  from: number,
  to: number,
): number =>
  Math.max(
    0,
    ...(list.get(words[from]!.key) ?? [])
      .filter((rest) => from + rest.length < to && rest.every((word, n) => words[from + 1 + n]!.key === word))
      .map(({ length }) => length + 1),
  );

/** Comma-separated phrases, each split into its words. */
export const phrases = (text: string): readonly (readonly string[])[] =>
  text.split(',').map((phrase) => phrase.trim().split(/\s+/u));

export const phraseSet = (text: string): WordSet => new Set(phrases(text).map((phrase) => phrase.join(' ')));
