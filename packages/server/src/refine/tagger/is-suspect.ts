// A cheap pre-check: the model runs only on windows with a cue, a hesitation, a broken word or a repeat.
import type { Token } from '../token.ts';
import { BROKEN_OFF, CUE_PAIRS, CUES, FREQUENT, HESITATIONS, QUESTION_STARTS } from './words.ts';

/** The number of words ahead within which a repeat counts: of a word, of a frequent word, of two words. */
const NEAR = 4;
const NEAR_FREQUENT = 2;
const FAR = 9;

export const isSuspect = (tokens: readonly Token[], start: number, end: number): boolean => {
  for (let i = start; i < end; i++) {
    const { key, trail, core } = tokens[i]!;
    if (CUES.has(key) || HESITATIONS.has(key)) return true;
    // "What uprising when was the dynasty": a question inside a question.
    if (i > start && i <= start + FAR && QUESTION_STARTS.has(key) && QUESTION_STARTS.has(tokens[start]!.key))
      return true;
    const isLast = i === end - 1;
    if (!isLast && (BROKEN_OFF.test(trail) || BROKEN_OFF.test(core))) return true;
    const next = isLast ? '' : tokens[i + 1]!.key;
    if (!isLast && CUE_PAIRS.has(`${key} ${next}`)) return true;
    const near = FREQUENT.has(key) ? NEAR_FREQUENT : NEAR;
    for (let n = 1; n <= near && i + n < end; n++) if (tokens[i + n]!.key === key) return true;
    for (let n = NEAR + 1; n <= FAR && i + n + 1 < end; n++)
      if (tokens[i + n]!.key === key && tokens[i + n + 1]!.key === next) return true;
  }
  return false;
};
