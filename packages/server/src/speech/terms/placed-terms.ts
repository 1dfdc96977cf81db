// Locates vocabulary terms in a text, with the words that they replaced.
import type { PlacedTerm, RecognisedWord, Recognition } from '../recogniser.ts';

/** Punctuation after a word, which is not part of a term. */
export const CLOSING = /[.,!?;:"”’)\]]+$/u;

/** `words`: the words of the text, in order; the first word of a term carries the term. */
export const placedTerms = (
  text: string,
  words: readonly Pick<RecognisedWord, 'text' | 'term'>[],
): Pick<Recognition, 'terms'> => {
  if (!words.some(({ term }) => term)) return {};
  const terms: PlacedTerm[] = [];
  let from = 0;
  for (const [at, word] of words.entries()) {
    const start = text.indexOf(word.text, from);
    if (start === -1) continue;
    from = start + word.text.length;
    if (!word.term) continue;
    const last = words[at + word.term.text.split(/\s+/u).length - 1]?.text ?? word.text;
    const end = Math.max(start, text.indexOf(last, start)) + last.replace(CLOSING, '').length;
    terms.push({ ...word.term, start, end });
  }
  return terms.length > 0 ? { terms } : {};
};
