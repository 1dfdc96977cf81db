// Mends near-misses of the account's own terms, without touching everyday words.
import { words } from '../languages/entry.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { merge } from '../token.ts';
import type { IsOrdinary } from '../vocabulary/ordinary.ts';
import { lettersOf } from '../vocabulary/phonetic.ts';
import { TermIndex } from '../vocabulary/term-index.ts';

/** A term may be heard as this many more words than it has. */
const EXTRA_WORDS = 2;
/** How alike the letters must be, by what the sounds already say. */
const LIKENESS = { sameSound: 0.5, shortSound: 0.6, ordinaryWords: 0.7, nearSound: 0.72, nearShortSound: 0.8 } as const;
const SHORT_SOUND = 3;
const LONG_SOUND = 5;
const ORDINARY_SOUND_MIN = 4;

const DETERMINER = /^(?:a|an|this|that|every|each|my|your)$/u;

const POSSESSIVE = /'s$/u;

const mend = (at: Cursor, length: number, text: string): Change | null => {
  const span = at.span(0, length);
  const last = span.at(-1)!;
  const owned = POSSESSIVE.test(last.key) && !POSSESSIVE.test(text.toLowerCase());
  const core = owned ? `${text}'s` : text;
  if (length === 1 && last.core === core) return null;
  return { take: length, put: [merge(span, core)], reason: `a term of the account` };
};

/** Small words at the edge of a window belong to the sentence, not to the term. */
const SMALL = words('the a an to of in on it is at and or for with by from my our your we i you he she they as be');

interface Found {
  readonly change: Change;
  readonly likeness: number;
}

const match = (at: Cursor, length: number, index: TermIndex, isOrdinary: IsOrdinary): Found | null => {
  if (!at.unbroken(length)) return null;
  const keys = at.span(0, length).map((token) => token.key.replace(POSSESSIVE, ''));
  const letters = lettersOf(keys.join(''));
  if (letters.length < 2 || letters.length > index.lettersMax || /\d/u.test(letters)) return null;
  const found = (text: string, likeness: number): Found | null => {
    const change = mend(at, length, text);
    return change && { change, likeness };
  };
  const ordinary = keys.every((key) => isOrdinary(key));
  const same = index.byLetters(letters);
  if (same) {
    // "go" is a word before it is a language, and "a fair copy of" a phrase before it is a name.
    const phrase = DETERMINER.test(at.key(-1)) || at.key(length) === 'of';
    return ordinary && same.words === 1 && (length === 1 || phrase) ? null : found(same.text, 1);
  }
  if ((length === 1 && ordinary) || SMALL.has(keys[0]!) || SMALL.has(keys.at(-1)!)) return null;
  const near = index.bySound(letters);
  if (!near || length > near.term.words + EXTRA_WORDS) return null;
  const { term, exact, likeness } = near;
  const wanted = !exact
    ? ordinary
      ? 1
      : term.sound.length >= LONG_SOUND
        ? LIKENESS.nearSound
        : LIKENESS.nearShortSound
    : ordinary
      ? term.sound.length < ORDINARY_SOUND_MIN || length === term.words
        ? 1
        : LIKENESS.ordinaryWords
      : term.sound.length <= SHORT_SOUND
        ? LIKENESS.shortSound
        : LIKENESS.sameSound;
  return likeness >= wanted ? found(term.text, likeness) : null;
};

export const vocabulary: Pass = {
  name: 'vocabulary',
  run: (tokens, { vocabulary: terms, isOrdinary }) => {
    if (terms.length === 0) return { tokens, marks: [] };
    const index = new TermIndex(terms);
    const longest = index.wordsMax + EXTRA_WORDS;
    return rewrite(tokens, 'vocabulary', (at) => {
      let best: Found | null = null;
      for (let length = longest; length >= 1; length--) {
        if (!at.ahead(length - 1)) continue;
        const found = match(at, length, index, isOrdinary);
        if (found && (!best || found.likeness > best.likeness)) best = found;
      }
      return best?.change ?? null;
    });
  },
};
