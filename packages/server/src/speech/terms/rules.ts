// The numbers that decide where a term may stand. Fitted and cross-validated: see docs/internals/terms.md.

/** `npm run eval:terms` fits them, and tries others in processes of its own. */
export const TERM_RULES = {
  /** Less alike, a term was practically never said. */
  alikeMin: 0.7,
  /** Short sounds are like many others by chance. */
  shortAlikeMin: 0.74,
  /** How much less likely than what stood there a term may be that sounds the same … */
  sameSound: 11.6,
  /** … and how much of that each tenth of a difference in sound takes away. */
  perTenth: 1.4,
  /** Some of the likelihood is lost on the tokens after the first: with less to spare, no term was ever right. */
  headroomMin: 2,
  /** Places scored in a window, per word and at least: with long lists, more sound alike by chance. */
  scoredPerWord: 0.3,
  scoredMin: 8,
  /** A term stands unless the words elected for its place are less alike than this, or more confident by that much. */
  electedAlikeMin: 0.5,
  overruledBy: 0.3,
};

export type TermRules = typeof TERM_RULES;
