// Splits a text into the marks around it and the part from its first to its last letter or digit.

export interface MarkedText {
  readonly lead: string;
  readonly core: string;
  readonly trail: string;
}

const FIRST = /[\p{L}\p{N}]/u;
/** Vowel signs of Indic scripts and tone marks are part of the word. */
const TO_LAST = /^.*[\p{L}\p{M}\p{N}]/su;

/**
 * A text of only marks is its own core. Takes time proportional to the length, unlike `/[^\p{L}]+$/`, which retries at
 * every position.
 */
export const splitSurroundingMarks = (text: string): MarkedText => {
  const start = text.search(FIRST);
  if (start === -1) return { lead: '', core: text, trail: '' };
  const core = TO_LAST.exec(text.slice(start))![0];
  return { lead: text.slice(0, start), core, trail: text.slice(start + core.length) };
};
