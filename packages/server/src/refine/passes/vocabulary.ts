// Corrects near misses of vocabulary terms without changing everyday words.
import { lettersOf } from '../../lib/letters.ts';
import type { Cursor } from '../cursor.ts';
import { type Change, type Pass, rewrite, unchanged } from '../rewrite.ts';
import { merge } from '../token.ts';
import type { IsOrdinary } from '../vocabulary/ordinary.ts';
import { type SoundMatch, TermIndex } from '../vocabulary/term-index.ts';
import { DETERMINERS, FUNCTION_WORDS } from './words/vocabulary.ts';

/** A term may be recognised as up to this many more words than it has. */
const EXTRA_WORDS = 2;
/** The required similarity of letters, by how well the sounds match. */
const SIMILARITY_MIN = {
  sameSound: 0.5,
  sameShortSound: 0.6,
  sameSoundOrdinaryWords: 0.7,
  nearSound: 0.72,
  nearShortSound: 0.8,
} as const;
const SHORT_SOUND = 3;
const LONG_SOUND = 5;
const ORDINARY_SOUND_MIN = 4;

const POSSESSIVE = /'s$/u;

const replaceWithTerm = (at: Cursor, length: number, text: string): Change | null => {
  const span = at.span(0, length);
  const last = span.at(-1)!;
  const isPossessive = POSSESSIVE.test(last.key) && !POSSESSIVE.test(text.toLowerCase());
  // A lower-case term may start a sentence, or be a name that was entered without its capital.
  const isLarge = text === text.toLowerCase() && /^\p{Lu}/u.test(span[0]!.core);
  const written = isLarge ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  const core = isPossessive ? `${written}'s` : written;
  if (length === 1 && last.core === core) return null;
  return { take: length, put: [merge(span, core)], reason: 'a vocabulary term' };
};

interface Match {
  readonly change: Change;
  readonly similarity: number;
}

/** The required similarity of a term that was found by its sound. */
const similarityMin = ({ term, isSameSound }: SoundMatch, areOrdinary: boolean, length: number): number => {
  const sound = term.sound.length;
  if (!isSameSound) {
    if (areOrdinary) return 1;
    return sound >= LONG_SOUND ? SIMILARITY_MIN.nearSound : SIMILARITY_MIN.nearShortSound;
  }
  if (areOrdinary)
    return sound < ORDINARY_SOUND_MIN || length === term.words ? 1 : SIMILARITY_MIN.sameSoundOrdinaryWords;
  return sound <= SHORT_SOUND ? SIMILARITY_MIN.sameShortSound : SIMILARITY_MIN.sameSound;
};

const match = (at: Cursor, length: number, index: TermIndex, isOrdinary: IsOrdinary): Match | null => {
  if (!at.unbroken(length)) return null;
  const keys = at.span(0, length).map((token) => token.key.replace(POSSESSIVE, ''));
  const letters = lettersOf(keys.join(''));
  if (letters.length < 2 || letters.length > index.lettersMax || /\d/u.test(letters)) return null;
  const found = (text: string, similarity: number): Match | null => {
    const change = replaceWithTerm(at, length, text);
    return change && { change, similarity };
  };
  const areOrdinary = keys.every((key) => isOrdinary(key));
  const same = index.byLetters(letters);
  if (same) {
    // Not terms: "go" may be the verb, and "a fair copy of" a common phrase.
    const isPhrase = DETERMINERS.has(at.key(-1)) || at.key(length) === 'of';
    return areOrdinary && same.words === 1 && (length === 1 || isPhrase) ? null : found(same.text, 1);
  }
  // Do not merge a correctly recognised term with its neighbours.
  if (length > 1 && keys.some((key) => index.byLetters(lettersOf(key)))) return null;
  if ((length === 1 && areOrdinary) || FUNCTION_WORDS.has(keys[0]!) || FUNCTION_WORDS.has(keys.at(-1)!)) return null;
  const near = index.bySound(letters);
  if (!near || length > near.term.words + EXTRA_WORDS) return null;
  return near.similarity >= similarityMin(near, areOrdinary, length) ? found(near.term.text, near.similarity) : null;
};

export const vocabulary: Pass = {
  name: 'vocabulary',
  run: (tokens, { vocabulary: terms, isSteered = false, isOrdinary }) => {
    if (terms.length === 0) return unchanged(tokens);
    const index = new TermIndex(terms, { bySound: !isSteered });
    const longest = index.wordsMax + EXTRA_WORDS;
    return rewrite(tokens, 'vocabulary', (at) => {
      let best: Match | null = null;
      for (let length = longest; length >= 1; length--) {
        if (!at.ahead(length - 1)) continue;
        const found = match(at, length, index, isOrdinary);
        if (found && (!best || found.similarity > best.similarity)) best = found;
      }
      return best?.change ?? null;
    });
  },
};
