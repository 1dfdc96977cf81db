// Looks for signs, besides the network's probability, that a cut without a retraction is a restart.
import { isNumberWord } from '../numbers/number-words.ts';
import { endsSentence, type Token } from '../token.ts';
import { type Cut, isFragment } from './decode.ts';
import * as words from './words.ts';

const REPEATED_WITHIN = 4;
export const RESTART_WORDS_MAX = 5;
/** Without a hesitation, fewer words may be cut: "it's a it's hard". */
const FLUENT_RESTART_WORDS_MAX = 3;
/** The minimum probability of a cut that has no other sign of a correction. */
const ALMOST_CERTAIN = 0.9995;

export const isNumber = ({ key }: Token): boolean =>
  /\d/u.test(key) || (!words.AMBIGUOUS_DIGITS.has(key) && isNumberWord(key, 'en'));

export const startsSentence = (tokens: readonly Token[], { start }: Cut): boolean =>
  start === 0 || endsSentence(tokens[start - 1]!);

const stemOf = (key: string): string => key.split("'")[0]!;

/** Whether the first word is repeated within the next `within` words. */
const isRepeatedSoon = (first: Token, following: readonly Token[], within: number): boolean =>
  following.slice(0, within).some(({ key }) => stemOf(key) === stemOf(first.key));

/** "in 2011, er, 2009", "the defense, or uh, goal": a filler is a cue when one content word replaces another. */
const replacesLike = (tokens: readonly Token[], cut: Cut, next: Token): boolean => {
  if (startsSentence(tokens, cut))
    return words.QUESTION_WORDS.has(next.key) && words.QUESTION_OPENERS.has(tokens[cut.start]!.key);
  return (
    words.WEAK_CUES.has(tokens[cut.end - 1]!.key) &&
    !words.FUNCTION_WORDS.has(next.key) &&
    !words.CONTRACTION.test(next.key)
  );
};

/** Whether there is a filler, a broken word or a dash in the cut or right before it. */
const hesitates = (tokens: readonly Token[], { start, end }: Cut): boolean =>
  tokens
    .slice(Math.max(0, start - 1), end)
    .some(
      ({ key, core, trail }, n, span) =>
        words.WEAK_CUES.has(key) ||
        words.FILLERS.has(key) ||
        words.BROKEN_OFF.test(core + trail) ||
        (key === 'you' && span[n + 1]?.key === 'know'),
    );

/** "which is what is", "what uprising when was"; "who was the king who signed it" has a relative clause instead. */
const restartsQuestion = (spoken: readonly Token[], following: readonly Token[], { probability }: Cut): boolean => {
  const [next, after] = following;
  if (!next || !after || !words.QUESTION_WORDS.has(next.key)) return false;
  if (spoken.length === 1) return true;
  if (spoken.length === 2 && spoken[1]!.key === after.key) return true;
  if (spoken.at(-1)!.key === 'or') return spoken.length > 2;
  if (probability < ALMOST_CERTAIN) return false;
  if (words.AUXILIARIES.has(after.key)) return !words.RELATIVES.has(next.key);
  return spoken[0]!.key === next.key && spoken[1]!.key === after.key;
};

/** Whether the start of a sentence, or a few words, are repeated without a hesitation. */
const restartsFluently = (
  tokens: readonly Token[],
  cut: Cut,
  spoken: readonly Token[],
  following: readonly Token[],
): boolean => {
  const first = spoken[0]!;
  const isStart = startsSentence(tokens, cut);
  const startsClause = isStart || (tokens[cut.start - 1]!.trail === ',' && !words.RELATIVES.has(first.key));
  if (startsClause && words.QUESTION_WORDS.has(first.key)) return restartsQuestion(spoken, following, cut);
  const stem = stemOf(first.key);
  // Two consecutive nouns may be grammatical: "the agents the system detects".
  if (words.ARTICLES.has(stem) || !(words.FUNCTION_WORDS.has(stem) || words.QUESTION_WORDS.has(stem))) return false;
  const again = new Set(following.slice(0, spoken.length).map(({ key }) => key));
  const isShort = spoken.length <= FLUENT_RESTART_WORDS_MAX || spoken.every(({ key }) => again.has(key));
  return (isStart || isShort) && isRepeatedSoon(first, following, REPEATED_WITHIN);
};

export const hasRestartSign = (
  tokens: readonly Token[],
  cut: Cut,
  spoken: readonly Token[],
  following: readonly Token[],
): boolean => {
  const isStart = startsSentence(tokens, cut);
  if (!isStart && spoken.length > RESTART_WORDS_MAX) return false;
  if (!hesitates(tokens, cut)) return !spoken.some(isNumber) && restartsFluently(tokens, cut, spoken, following);
  if (replacesLike(tokens, cut, following[0]!)) return true;
  // "Ten times ten"
  if (spoken.some(isNumber)) return false;
  // "we wan- we want", "th- the": the first word is repeated soon, or there are only fragments.
  const first = spoken.find((token) => !isFragment(token));
  if (!first || isRepeatedSoon(first, following, isStart ? 2 * REPEATED_WITHIN : REPEATED_WITHIN)) return true;
  return spoken.length <= RESTART_WORDS_MAX && cut.probability >= ALMOST_CERTAIN;
};
