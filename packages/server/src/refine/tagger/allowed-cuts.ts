// Rejects cuts that would lose a number, a name, a negation, a doubt or a whole sentence.
import { endsSentence, isNameLike, type Token } from '../token.ts';
import { type Cut, wordsOf } from './decode.ts';
import { hasRestartSign, isNumber, RESTART_WORDS_MAX, startsSentence } from './restart-signs.ts';
import * as words from './words.ts';

/** The replacement must be within this many tokens after the cut. */
const REPLACED_WITHIN = 14;
const CUT_WORDS_MAX = 30;

type Protected = 'number' | 'name' | 'negation' | 'doubt';

const protectedKind = (token: Token, before: Token | undefined): Protected | null => {
  const { key } = token;
  if (isNumber(token)) return 'number';
  if (words.NEGATIONS.has(key) || key.endsWith("n't")) return 'negation';
  if (words.DOUBTS.has(key)) return 'doubt';
  return isNameLike(token) && before !== undefined && !endsSentence(before) ? 'name' : null;
};

/** The letters at the start of a word; recognisers leave odd characters after some words. */
const lettersOf = ({ key }: Token): string => /^[\p{L}']+/u.exec(key)?.[0] ?? key;

/** "which parliament has no power": a verb or preposition before and a noun after make "no" a determiner. */
const isArticleNo = (token: Token, before: Token | undefined, after: Token | undefined): boolean =>
  token.key === 'no' &&
  token.trail === '' &&
  before?.trail === '' &&
  words.BEFORE_ARTICLE_NO.has(before.key) &&
  after !== undefined &&
  !words.FUNCTION_WORDS.has(after.key) &&
  !words.QUESTION_OPENERS.has(after.key) &&
  !words.RETRACTIONS.has(after.key) &&
  !words.CONTRACTION.test(after.key);

const isRetraction = (spoken: readonly Token[], before: Token | undefined, next: Token): boolean =>
  spoken.some(
    (token, n) =>
      words.RETRACTIONS.has(lettersOf(token)) && !isArticleNo(token, spoken[n - 1] ?? before, spoken[n + 1] ?? next),
  ) ||
  words.RETRACTING_PHRASE.test(` ${spoken.map(lettersOf).join(' ')} `) ||
  (spoken.length <= RESTART_WORDS_MAX && spoken.at(-1)?.key === 'instead');

const holdsSentence = (tokens: readonly Token[], cut: Cut): boolean => {
  let from = startsSentence(tokens, cut) ? cut.start : -1;
  for (let n = cut.start; n < cut.end; n++) {
    if (!/[.!?](?!\.)/u.test(tokens[n]!.trail) || tokens[n]!.trail.startsWith('...')) continue;
    if (from >= 0 && wordsOf(tokens, { start: from, end: n + 1 }).some(({ key }) => !words.RETRACTIONS.has(key)))
      return true;
    from = n + 1;
  }
  return false;
};

const isQuoted = (tokens: readonly Token[], { start, end }: Cut): boolean =>
  tokens.slice(start, end).some(({ lead, trail }) => /["“”«»(]/u.test(lead + trail));

const isBesideCue = (spoken: readonly Token[], n: number): boolean =>
  [spoken[n - 2], spoken[n - 1], spoken[n + 1]].some(
    (beside) => beside && (words.RETRACTIONS.has(beside.key) || beside.key === 'or'),
  );

/** `hasAllowedCut`: the window already has an allowed cut. */
export const isAllowed = (tokens: readonly Token[], cut: Cut, hasAllowedCut: boolean): boolean => {
  const spoken = wordsOf(tokens, cut);
  // "Tests, no sorry, primes rather"
  if (hasAllowedCut && spoken.every(({ key }) => words.AFTERTHOUGHTS.has(key))) return true;
  const following = wordsOf(tokens, { start: cut.end, end: cut.end + REPLACED_WITHIN });
  if (spoken.length > CUT_WORDS_MAX || following.length === 0) return false;
  if (holdsSentence(tokens, cut) || isQuoted(tokens, cut)) return false;
  if (cut.kind === 'repeat')
    return spoken.every(({ key }) => words.NEVER_REPEATED_ON_PURPOSE.has(key)) && !isNameLike(tokens[cut.end]!);
  const isRetracted = isRetraction(spoken, tokens[cut.start - 1], following[0]!);
  // "Add eggs to the list, scratch that, add milk": the rules delete the whole sentence.
  if (spoken.some(({ key }) => words.DELETE_ORDERS.has(key)) && following[0]!.key === tokens[0]!.key && cut.start > 0)
    return false;
  // "555, no, 556-1234" may be one number in two parts.
  if (spoken.some(({ key }) => /^\d{1,3}$/u.test(key)) && following.some(({ key }) => /^\d+-\d/u.test(key)))
    return false;
  if (!isRetracted && !hasRestartSign(tokens, cut, spoken, following)) return false;
  const kindIn = (token: Token): Protected | null => protectedKind(token, tokens[tokens.indexOf(token) - 1]);
  return spoken.every((token, n) => {
    const kind = kindIn(token);
    if (!kind || words.RETRACTIONS.has(lettersOf(token))) return true;
    if (following.some((other) => kindIn(other) === kind)) return true;
    if (kind === 'number') return false;
    // "Where did Anna, no sorry, when did it begin": the whole start of the sentence is retracted.
    if (isRetracted && (kind === 'name' || startsSentence(tokens, cut))) return true;
    // In "No, not that" and "or I guess", the word is part of the cue.
    return kind !== 'name' && isBesideCue(spoken, n);
  });
};
