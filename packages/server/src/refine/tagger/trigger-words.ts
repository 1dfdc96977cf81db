// A cheap look at a window: without a cue, a sound of hesitation, a broken word or a word said again, nobody asks the model.
import { words } from '../languages/entry.ts';
import type { Token } from '../token.ts';

const CUES =
  words(`no nope nah sorry wait mean meant rather scratch strike oops whoops correction pardon excuse apologies
  rephrase instead specifically precisely mistake doh actually bad nevermind tell or`);
const HESITATIONS = words('um umm uh uhh uhm er err erm hmm hm mm ah eh em ugh ummm oh');
/** Two words that are a cue together. */
const PAIRS = new Set(
  `hold on,hang on,make that,make it,never mind,forget that,take that,start over,let me,should be,should say`.split(
    ',',
  ),
);
const QUESTIONS = words('what who when where which why how whose');
const BROKEN = /[-–—]$|\.\.\.|…/u;
/** How far a word said again is looked for. */
const NEAR = 4;
/** Words that come again in most clean sentences. */
const COMMON = words('the a an of to and in on for is that or');
const NEAR_COMMON = 2;
const FAR = 9;

export const isSuspect = (tokens: readonly Token[], start: number, end: number): boolean => {
  for (let i = start; i < end; i++) {
    const { key, trail, core } = tokens[i]!;
    if (CUES.has(key) || HESITATIONS.has(key)) return true;
    // "What uprising when was the dynasty": one question begun in another.
    if (i > start && i <= start + FAR && QUESTIONS.has(key) && QUESTIONS.has(tokens[start]!.key)) return true;
    const last = i === end - 1;
    if (!last && (BROKEN.test(trail) || BROKEN.test(core))) return true;
    const next = last ? '' : tokens[i + 1]!.key;
    if (!last && PAIRS.has(`${key} ${next}`)) return true;
    const near = COMMON.has(key) ? NEAR_COMMON : NEAR;
    for (let n = 1; n <= near && i + n < end; n++) if (tokens[i + n]!.key === key) return true;
    for (let n = NEAR + 1; n <= FAR && i + n + 1 < end; n++)
      if (tokens[i + n]!.key === key && tokens[i + n + 1]!.key === next) return true;
  }
  return false;
};
