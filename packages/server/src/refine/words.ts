// Word lists: sets of words written as plain text in the data files.

export type WordSet = ReadonlySet<string>;

/** A set of the words in a text. */
export const words = (text: string): WordSet => new Set(text.split(/\s+/u).filter(Boolean));

/** One set of the words of several languages, listed by language code. */
export const wordsOfAll = (byLanguage: Readonly<Record<string, string>>): WordSet =>
  words(Object.values(byLanguage).join(' '));

/** Phrases separated by commas, each as its words. */
export const phrases = (text: string): readonly (readonly string[])[] =>
  text.split(',').map((phrase) => phrase.trim().split(/\s+/u));
