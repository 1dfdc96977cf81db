// What the passes need to know of a language.

export type Layout = 'paragraph' | 'line' | 'bullet';
/** A spoken mark: what it writes, and whether the bare word is seldom anything else. */
export interface SpokenMark {
  readonly say: string;
  readonly write: string | Layout;
  /** A word with another everyday meaning counts only where the text is plainly dictated. */
  readonly doubtful?: boolean;
}

export interface Language {
  readonly code: string;
  /** Sounds that are never words. */
  readonly fillers: ReadonlySet<string>;
  /** Function words that nobody says twice on purpose. */
  readonly collapsible: ReadonlySet<string>;
  /** Words that introduce a correction, longest first. */
  readonly corrections: readonly (readonly string[])[];
  readonly weekdays: ReadonlySet<string>;
  readonly months: ReadonlySet<string>;
  readonly namesAreCapitalised: boolean;
  readonly marks: readonly SpokenMark[];
  /** Words after which a spoken mark is talked about, not commanded. */
  readonly determiners: ReadonlySet<string>;
  /** Very common words, enough to guess the language of a text that came without one. */
  readonly common: ReadonlySet<string>;
  readonly abbreviations: ReadonlySet<string>;
}

export const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u).filter(Boolean));
