// The words of a transcript: a click plays a word, the playing word is marked, uncertain words are shaded.
import type { WrittenWord } from '@faircopy/transcript';
import type { AppliedTerm } from './applied-terms.ts';

/** Words with a lower confidence are shaded. */
const UNCERTAIN_BELOW = 0.6;

/** A word, or the part of a word that is within a range. */
export interface WordPart {
  readonly text: string;
  /** The index of the word; null for white space. */
  readonly word: number | null;
}

/** A range of the text, split at word boundaries. */
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
  readonly isPlaying: boolean;
  /** The vocabulary term that the word belongs to. */
  readonly term: AppliedTerm | undefined;
  readonly onPlay: ((atMs: number) => void) | null;
}

export const Part = ({ part, word, isPlaying, term, onPlay }: PartProps) => {
  if (!word) return <>{part.text}</>;
  const isUncertain = word.confidence < UNCERTAIN_BELOW;
  const title = [
    isUncertain ? `Confidence: ${Math.round(word.confidence * 100)} %` : '',
    term ? `Vocabulary term, instead of “${term.instead}”` : '',
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the player can be used with the keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: the player can be used with the keyboard
    <span
      class={['word', isUncertain ? 'uncertain' : '', term ? 'term' : '', isPlaying ? 'playing' : '']
        .filter(Boolean)
        .join(' ')}
      title={title.filter(Boolean).join('. ') || undefined}
      onClick={onPlay ? () => onPlay(word.startMs) : undefined}
    >
      {part.text}
    </span>
  );
};
