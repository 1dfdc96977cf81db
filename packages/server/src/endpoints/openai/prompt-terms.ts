// Terms in a prompt: names and spellings that the caller expects. A prompt is never obeyed, only searched for these.
import { cleanTerm } from '../../calls/request-vocabulary.ts';

const TERMS_MAX = 60;
/** A list such as "Kubernetes, etcd, Istio": every entry is this short. */
const LISTED_WORDS_MAX = 4;
const SEPARATOR = /[,;:\n•|]+|[.!?]+(?:\s|$)/u;

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
const bare = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, '');

/** A spelling that nobody writes by chance: a capital within, or letters with digits. */
const isSpelling = (word: string): boolean =>
  /\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{N}*$|\p{L}.*\p{N}|\p{N}.*\p{L}|\p{L}[+#]/u.test(word);
const isCapitalised = (word: string): boolean => /^\p{Lu}/u.test(word);

/** Names within running text: capitals that do not begin a sentence, and special spellings anywhere. */
const namesIn = (sentence: string): string[] => {
  const found: string[][] = [];
  let isOpen = false;
  wordsOf(sentence).forEach((written, index) => {
    const word = bare(written);
    const isName = isSpelling(word) || (index > 0 && isCapitalised(word) && word.length > 1);
    if (isName && isOpen) found.at(-1)!.push(word);
    else if (isName) found.push([word]);
    // A comma ends a name.
    isOpen = isName && /[\p{L}\p{N}]$/u.test(written);
  });
  return found.map((words) => words.join(' '));
};

/** A language that writes all its nouns with capitals tells no names by them. */
const hasFewCapitals = (text: string): boolean => {
  const words = wordsOf(text);
  return words.filter((word) => isCapitalised(bare(word))).length <= 0.35 * words.length + 1;
};

export const termsOfPrompt = (prompt: string): string[] => {
  const entries = prompt.split(SEPARATOR).map((entry) => entry.trim());
  const isList = entries.filter((entry) => entry !== '').every((entry) => wordsOf(entry).length <= LISTED_WORDS_MAX);
  const sentences = prompt.split(/(?<=[.!?])\s+|\n+/u);
  const found = isList
    ? entries.map(bare)
    : sentences.flatMap((sentence) =>
        hasFewCapitals(sentence) ? namesIn(sentence) : wordsOf(sentence).map(bare).filter(isSpelling),
      );
  const terms = found.map(cleanTerm).filter((term): term is string => term !== null && term.length > 1);
  return [...new Set(terms)].slice(0, TERMS_MAX);
};
