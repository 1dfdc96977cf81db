// Extracts names and unusual spellings from a prompt as vocabulary terms. Instructions in a prompt are ignored.
import { readTerm, type Term } from '@faircopy/contract';
import { splitSurroundingMarks } from '../../../lib/surrounding-marks.ts';

const TERMS_MAX = 60;
/** A prompt is a list, such as "Kubernetes, etcd, Istio", when every entry is this short. */
const LISTED_WORDS_MAX = 4;
const SEPARATOR = /[,;:\n•|]|[.!?](?=\s|$)/u;

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
/** Without the marks around it, except the signs of "C++" and "C#". */
const bare = (word: string): string => {
  const { core, trail } = splitSurroundingMarks(word);
  return core + /^[+#]*/u.exec(trail)![0];
};

/** An unusual spelling: a capital inside the word, or letters with digits. */
const isSpelling = (word: string): boolean =>
  /\p{Ll}\p{Lu}|^\p{Lu}{2,}$|\p{L}[+#]/u.test(word) || (/\p{L}/u.test(word) && /\p{N}/u.test(word));
const isCapitalised = (word: string): boolean => /^\p{Lu}/u.test(word);

/** Names in running text: capitalised words except the first, and unusual spellings anywhere. */
const namesIn = (sentence: string): string[] => {
  const found: string[][] = [];
  let isOpen = false;
  wordsOf(sentence).forEach((written, index) => {
    const word = bare(written);
    const isName = isSpelling(word) || (index > 0 && isCapitalised(word) && word.length > 1);
    if (isName && isOpen) found.at(-1)!.push(word);
    else if (isName) found.push([word]);
    // A comma ends a name.
    isOpen = isName && splitSurroundingMarks(written).trail === '';
  });
  return found.map((words) => words.join(' '));
};

/** Capitals do not mark names in languages that capitalise all nouns. */
const hasFewCapitals = (text: string): boolean => {
  const words = wordsOf(text);
  return words.filter((word) => isCapitalised(bare(word))).length <= 0.35 * words.length + 1;
};

export const termsOfPrompt = (prompt: string): Term[] => {
  const entries = prompt.split(SEPARATOR).map((entry) => entry.trim());
  const isList = entries.filter((entry) => entry !== '').every((entry) => wordsOf(entry).length <= LISTED_WORDS_MAX);
  const sentences = prompt.split(/(?<=[.!?])\s+|\n+/u);
  const found = isList
    ? entries.map(bare).filter((entry) => /[\p{L}\p{N}]/u.test(entry))
    : sentences.flatMap((sentence) =>
        hasFewCapitals(sentence) ? namesIn(sentence) : wordsOf(sentence).map(bare).filter(isSpelling),
      );
  const terms = [...new Set(found)].map(readTerm).filter((term): term is Term => term !== null && term.text.length > 1);
  return terms.slice(0, TERMS_MAX);
};
