// Thresholds that decide where a term is written. Fitted and cross-validated: see docs/internals/terms.md.

/** Fitted by `npm run eval:terms`, which tries other values in separate processes. */
export const TERM_RULES = {
  /** Below this alikeness, a term was practically never said. */
  alikeMin: 0.7,
  /** The minimum for short sounds, which resemble many others by chance. */
  shortAlikeMin: 0.74,
  /** Margin of a term that sounds the same as the words it replaces, in log-probability … */
  sameSound: 11.6,
  /** … and how much each tenth of a difference in sound reduces it. */
  perTenth: 1.4,
  /** Least headroom for scoring a term: later tokens use up some of it, and with less, no term was ever right. */
  headroomMin: 2,
  /** Places scored in a window: this many per word, but at least `scoredMin`. Long lists have more chance matches. */
  scoredPerWord: 0.3,
  scoredMin: 8,
  /** A term stays unless the words elected in its place are less alike than this or more confident by `overruledBy`. */
  electedAlikeMin: 0.5,
  overruledBy: 0.3,
};

export type TermRules = typeof TERM_RULES;
