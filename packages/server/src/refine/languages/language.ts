// The word lists and spoken marks that the passes use for a language.
import type { WordSet } from '../words.ts';

type Layout = 'paragraph' | 'line' | 'bullet';

/** A spoken punctuation mark or layout command. */
export interface SpokenMark {
  readonly say: string;
  readonly write: string | Layout;
  /** The words have another common meaning, so they count only in clearly dictated text. */
  readonly doubtful?: boolean;
}

export interface Language {
  readonly code: string;
  /** Hesitation sounds. */
  readonly fillers: WordSet;
  /** Function words that are never repeated on purpose. */
  readonly collapsible: WordSet;
  /** Phrases that introduce a correction, longest first. */
  readonly corrections: readonly (readonly string[])[];
  readonly weekdays: WordSet;
  readonly months: WordSet;
  /** Whether names of days and months take a capital. */
  readonly namesAreCapitalised: boolean;
  readonly marks: readonly SpokenMark[];
  /** After one of these words, a spoken mark is mentioned, not dictated. */
  readonly determiners: WordSet;
  /** Frequent words, used to guess the language. */
  readonly common: WordSet;
  readonly abbreviations: WordSet;
}
