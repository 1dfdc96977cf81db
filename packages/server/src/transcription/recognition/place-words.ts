// Moves words to where voice activity heard a voice: attention stretches them into the pauses before and after.
import type { RecognisedWord } from '../../speech/recogniser.ts';
import type { VoicedStretch } from '../planning/window.ts';

type Times = Pick<RecognisedWord, 'startMs' | 'endMs'>;
type TimedWord = Times & Pick<RecognisedWord, 'text'>;

/** Length of a word that was found in a silence, after moving it to the edge of the nearest voice. */
const EDGE_MS = 80;

/** A stretch holds enough of a word if it holds this much, and this share of the word's usual length. */
const HEARD_MS_MIN = 40;
const HEARD_SHARE_MIN = 0.2;

/** A word is too long if it exceeds this, and this many times its usual length … */
const LONG_MS_MIN = 500;
const LONG_SHARE = 2.2;
/** … and is then shortened to this many times its usual length. All values are fitted on hand-aligned words. */
const KEPT_SHARE = 1.2;

const overlapMs = (word: Times, { startMs, endMs }: VoicedStretch): number =>
  Math.min(word.endMs, endMs) - Math.max(word.startMs, startMs);

/** Usual length of a word; each digit, and each letter of an abbreviation, is spoken as a word of its own. */
const usualMs = (text: string): number => {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  const isAbbreviation = /^\p{Lu}{2,}$/u.test(letters);
  const named = isAbbreviation ? letters.length : letters.replace(/\P{N}/gu, '').length;
  return 60 + 65 * Math.max(1, letters.length - named) + 220 * named;
};

/**
 * The last stretch that holds enough of the word, else the one that holds most of it, else the nearest. The last,
 * because a word's time may include unrecognised speech before it, such as a hesitation. `from`: the stretch of the
 * previous word, since words are never placed in earlier stretches.
 */
const stretchOf = (word: TimedWord, voiced: readonly VoicedStretch[], from: number): number => {
  const enoughMs = Math.max(HEARD_MS_MIN, HEARD_SHARE_MIN * usualMs(word.text));
  let best = from;
  for (let index = from; index < voiced.length && voiced[index]!.startMs < word.endMs; index++) {
    const heardMs = overlapMs(word, voiced[index]!);
    // A negative overlap is the distance.
    if (heardMs >= enoughMs || heardMs > overlapMs(word, voiced[best]!)) best = index;
  }
  const next = voiced[best + 1];
  return next && overlapMs(word, voiced[best]!) < Math.min(0, overlapMs(word, next)) ? best + 1 : best;
};

const within = (word: Times, { startMs, endMs }: VoicedStretch): Times => {
  if (word.startMs >= endMs) return { startMs: Math.max(startMs, endMs - EDGE_MS), endMs };
  if (word.endMs <= startMs) return { startMs, endMs: Math.min(endMs, startMs + EDGE_MS) };
  return { startMs: Math.max(startMs, word.startMs), endMs: Math.min(endMs, word.endMs) };
};

/** A word that takes far too long keeps the end of its time: the speech before it was not recognised. */
const tightened = ({ startMs, endMs }: Times, text: string): Times => {
  const usual = usualMs(text);
  const isLong = endMs - startMs > Math.max(LONG_MS_MIN, LONG_SHARE * usual);
  return { startMs: isLong ? endMs - KEPT_SHARE * usual : startMs, endMs };
};

/** Moves the words into the voiced stretches, which must be in order. Start times never decrease. */
export const placeWords = <Word extends TimedWord>(
  words: readonly Word[],
  voiced: readonly VoicedStretch[],
): Word[] => {
  if (voiced.length === 0) return [...words];
  let stretch = 0;
  let lastMs = 0;
  return words.map((word) => {
    stretch = stretchOf(word, voiced, stretch);
    const placed = tightened(within(word, voiced[stretch]!), word.text);
    const startMs = Math.max(lastMs, placed.startMs);
    lastMs = startMs;
    return { ...word, startMs, endMs: Math.max(startMs, placed.endMs) };
  });
};
