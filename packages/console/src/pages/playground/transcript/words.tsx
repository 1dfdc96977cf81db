// The text word by word: a click plays it, the word under the play head is marked, uncertain words are shaded.
import type { WrittenWord } from '@faircopy/transcript';

/** Below this, a word may well be another. */
export const UNSURE_BELOW = 0.6;

/** A word, or the part of one that stands inside a change. */
export interface WordPart {
  readonly text: string;
  /** Which word of the text; null for the white space between. */
  readonly word: number | null;
}

/** A stretch of the text, from one offset to another, cut at the words' edges. */
export const partsOf = (words: readonly WrittenWord[], text: string, from: number, to: number): WordPart[] => {
  const parts: WordPart[] = [];
  let at = 0;
  const add = (start: number, end: number, word: number | null) => {
    const piece = text.slice(Math.max(start, from), Math.min(end, to));
    if (piece !== '') parts.push({ text: piece, word });
  };
  words.forEach((word, index) => {
    if (at >= to) return;
    const start = at + word.gap.length;
    const end = start + word.text.length;
    if (start > from) add(at, start, null);
    if (end > from) add(start, end, index);
    at = end;
  });
  if (at < to) add(at, to, null);
  return parts;
};

interface PartProps {
  readonly part: WordPart;
  readonly word: WrittenWord | undefined;
  readonly isNow: boolean;
  readonly onPlay: ((atMs: number) => void) | null;
}

export const Part = ({ part, word, isNow, onPlay }: PartProps) => {
  if (!word) return <>{part.text}</>;
  const isUnsure = word.confidence < UNSURE_BELOW;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the player below reaches every moment by keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: a word is no control; hearing it is an extra for the pointer
    <span
      class={['word', isUnsure ? 'unsure' : '', isNow ? 'now' : ''].filter(Boolean).join(' ')}
      {...(isUnsure ? { title: `Heard with ${Math.round(word.confidence * 100)} % certainty` } : {})}
      onClick={onPlay ? () => onPlay(word.startMs) : undefined}
    >
      {part.text}
    </span>
  );
};
