// Which cuts are refused: those that would lose a number, a name, a negation or a doubt, or a sentence.
import { isNumberWord } from '../numbers/number-words.ts';
import { endsSentence, isCapitalised, type Token } from '../token.ts';
import {
  AFTERTHOUGHTS,
  CONTRACTED,
  DOUBTS,
  LIGHT,
  NEGATIONS,
  OPENERS,
  ORDERS,
  QUESTIONS,
  RETRACTING,
  RETRACTIONS,
  SMALL,
  STUTTERED,
} from './cue-words.ts';
import { type Cut, isFragment, wordsOf } from './decode.ts';

/** Digits that are more often something else. */
const AMBIGUOUS_DIGITS = new Set(['one', 'oh', 'o']);
/** How far ahead the word that replaces is looked for. */
const REPLACED_WITHIN = 14;
const AGAIN_WITHIN = 4;
const CUT_WORDS_MAX = 30;
const RESTART_WORDS_MAX = 5;
/** What a cut without any outward sign of a correction must reach. */
const ALMOST_CERTAIN = 0.9995;

type Protected = 'number' | 'name' | 'negation' | 'doubt';

const isNumber = ({ key }: Token): boolean =>
  /\d/u.test(key) || (!AMBIGUOUS_DIGITS.has(key) && isNumberWord(key, 'en'));

const isNameLike = (token: Token): boolean => isCapitalised(token) && !/^i(?:'|$)/u.test(token.key);

const protectedKind = (token: Token, before: Token | undefined): Protected | null => {
  const { key } = token;
  if (isNumber(token)) return 'number';
  if (NEGATIONS.has(key) || key.endsWith("n't")) return 'negation';
  if (DOUBTS.has(key)) return 'doubt';
  return isNameLike(token) && before !== undefined && !endsSentence(before) ? 'name' : null;
};

const opensSentence = (tokens: readonly Token[], { start }: Cut): boolean =>
  start === 0 || endsSentence(tokens[start - 1]!);

/** "in 2011, er, 2009", "the defense, or uh, goal": a sound is cue enough when a full word takes the place of another. */
const likeForLike = (tokens: readonly Token[], cut: Cut, next: Token): boolean => {
  const last = tokens[cut.end - 1]!;
  if (opensSentence(tokens, cut)) return QUESTIONS.has(next.key) && OPENERS.has(tokens[cut.start]!.key);
  return LIGHT.has(last.key) && !SMALL.has(next.key) && !CONTRACTED.test(next.key);
};

const stemOf = (key: string): string => key.split("'")[0]!;

/** "we wan- we want", "th- the": the words from the cut's first on are said again, or it is broken words alone. */
const beginsAgain = (said: readonly Token[], following: readonly Token[], within: number): boolean => {
  const whole = said.filter((token) => !isFragment(token));
  if (whole.length === 0) return true;
  const first = stemOf(whole[0]!.key);
  return following.slice(0, within).some(({ key }) => stemOf(key) === first);
};

/** The letters a word begins with: recognisers leave odd signs behind some. */
const lettersOf = ({ key }: Token): string => /^[\p{L}']+/u.exec(key)?.[0] ?? key;

const isRetraction = (said: readonly Token[]): boolean =>
  said.some((token) => RETRACTIONS.has(lettersOf(token))) ||
  RETRACTING.test(` ${said.map(lettersOf).join(' ')} `) ||
  (said.length <= RESTART_WORDS_MAX && said.at(-1)?.key === 'instead');

/** A sentence from its first word to its end mark, inside the cut. */
const holdsSentence = (tokens: readonly Token[], { start, end }: Cut): boolean => {
  let from = start === 0 || endsSentence(tokens[start - 1]!) ? start : -1;
  for (let n = start; n < end; n++) {
    if (!/[.!?](?!\.)/u.test(tokens[n]!.trail) || tokens[n]!.trail.startsWith('...')) continue;
    if (from >= 0 && wordsOf(tokens, { start: from, end: n + 1 }).some(({ key }) => !RETRACTIONS.has(key))) return true;
    from = n + 1;
  }
  return false;
};

/** What is quoted is talked about, not said by mistake. */
const isQuoted = (tokens: readonly Token[], { start, end }: Cut): boolean =>
  tokens.slice(start, end).some(({ lead, trail }) => /["“”«»(]/u.test(lead + trail));

/** `corrected`: something was already taken back in this window. */
export const isAllowed = (tokens: readonly Token[], cut: Cut, corrected: boolean): boolean => {
  const said = wordsOf(tokens, cut);
  // "Tests, no sorry, primes rather": the cue comes once more at the end.
  if (corrected && said.every(({ key }) => AFTERTHOUGHTS.has(key))) return true;
  const following = wordsOf(tokens, { start: cut.end, end: cut.end + REPLACED_WITHIN });
  if (said.length > CUT_WORDS_MAX || following.length === 0) return false;
  if (holdsSentence(tokens, cut) || isQuoted(tokens, cut)) return false;
  if (cut.kind === 'repeat') return said.every(({ key }) => STUTTERED.has(key)) && !isNameLike(tokens[cut.end]!);
  const retracted = isRetraction(said);
  // "Add eggs to the list, scratch that, add milk": an order, which the rules carry out from the sentence's start.
  if (said.some(({ key }) => ORDERS.has(key)) && following[0]!.key === tokens[0]!.key && cut.start > 0) return false;
  // "555, no, 556-1234" may be one number in two parts.
  if (said.some(({ key }) => /^\d{1,3}$/u.test(key)) && following.some(({ key }) => /^\d+-\d/u.test(key))) return false;
  if (!retracted && !hasSign(tokens, cut, said, following)) return false;
  const dropped = retracted && opensSentence(tokens, cut);
  return said.every((token, n) => {
    const kind = protectedKind(token, tokens[tokens.indexOf(token) - 1]);
    if (!kind || RETRACTIONS.has(lettersOf(token))) return true;
    // "No, not that", "or I guess": part of the cue.
    if (kind !== 'number' && kind !== 'name' && isBesideCue(said, n)) return true;
    const replaced = following.some((other) => protectedKind(other, tokens[tokens.indexOf(other) - 1]) === kind);
    // "Where did Anna, no sorry, when did it begin": the speaker took the whole back.
    return replaced || (kind === 'number' ? false : dropped || (retracted && kind === 'name'));
  });
};

/** Without a word that takes back, only a beginning that comes again, or like for like, tells a new start from a pause for thought. */
const hasSign = (tokens: readonly Token[], cut: Cut, said: readonly Token[], following: readonly Token[]): boolean => {
  const opens = opensSentence(tokens, cut);
  if (!opens && said.length > RESTART_WORDS_MAX) return false;
  if (likeForLike(tokens, cut, following[0]!)) return true;
  // "Ten times ten": a number that comes again counts.
  if (said.some(isNumber)) return false;
  if (beginsAgain(said, following, opens ? 2 * AGAIN_WITHIN : AGAIN_WITHIN)) return true;
  return said.length <= RESTART_WORDS_MAX && cut.sure >= ALMOST_CERTAIN;
};

const isBesideCue = (said: readonly Token[], n: number): boolean =>
  [said[n - 2], said[n - 1], said[n + 1]].some(
    (beside) => beside && (RETRACTIONS.has(beside.key) || beside.key === 'or'),
  );
