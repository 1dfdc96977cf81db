// Which cuts are refused: those that would lose a number, a name, a negation or a doubt, or a sentence.
import { words } from '../languages/entry.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { endsSentence, isCapitalised, type Token } from '../token.ts';
import { type Cut, wordsOf } from './decode.ts';

/** Words by which a speaker says that what went before is wrong. */
const RETRACTIONS =
  words(`no nope nah wait sorry mean meant rather scratch strike actually make correction oops whoops pardon
  excuse bad mistake forget never hold hang apologies rephrase doh specifically precisely`);
/** Sounds and small words that may stand for a cue, when like follows like. */
const LIGHT = words('oh ugh instead uh um er erm umm ummm uhh err hmm well like');
const QUESTIONS = words('what who when where which why how whose whom in at on during');
/** A word after which talk goes on rather than being corrected. */
const SMALL =
  words(`i you he she it we they me him her us them my your his its our their this that these those there here the a an
  and but or so because if then to of in on at by for from with as is are was were be am do does did have has had can could will
  would should yeah yes okay ok right well like please`);
const CONTRACTED = /^(?:i|you|he|she|it|we|they|that|there|what|who|let)'|n't$/u;
/** Digits that are more often something else. */
const AMBIGUOUS_DIGITS = words('one oh o');
const ORDERS = words('scratch strike');
const AFTERTHOUGHTS = words('rather instead');
const NEGATIONS = words('not never nobody nothing nowhere neither nor none cannot without');
const DOUBTS = words('maybe perhaps probably possibly might seems guess suppose roughly approximately apparently');
/** How far ahead the word that replaces is looked for. */
const REPLACED_WITHIN = 14;
const AGAIN_WITHIN = 4;
const CUT_WORDS_MAX = 24;
const RESTART_WORDS_MAX = 5;

type Protected = 'number' | 'name' | 'negation' | 'doubt';

const protectedKind = (token: Token, before: Token | undefined): Protected | null => {
  const { key } = token;
  if (/\d/u.test(key) || (!AMBIGUOUS_DIGITS.has(key) && isNumberWord(key, 'en'))) return 'number';
  if (NEGATIONS.has(key) || key.endsWith("n't")) return 'negation';
  if (DOUBTS.has(key)) return 'doubt';
  const name = isCapitalised(token) && before !== undefined && !endsSentence(before) && !/^i(?:'|$)/u.test(key);
  return name ? 'name' : null;
};

const opensSentence = (tokens: readonly Token[], { start }: Cut): boolean =>
  start === 0 || endsSentence(tokens[start - 1]!);

/** "in 2011, er, 2009", "the defense, or uh, goal": a sound is cue enough when a full word takes the place of another. */
const likeForLike = (tokens: readonly Token[], cut: Cut, next: Token): boolean => {
  const gone = tokens.slice(cut.start, cut.end);
  const light = gone.some(({ key }) => LIGHT.has(key));
  const question = opensSentence(tokens, cut) && QUESTIONS.has(gone[0]!.key) && QUESTIONS.has(next.key);
  const after = tokens[tokens.indexOf(next) + 1];
  // "Which is What is the name": the question word changes, the next comes again.
  if (question)
    return light || gone.some(({ key }) => key === 'or') || (gone.length > 1 && gone[1]!.key === after?.key);
  const sound = LIGHT.has(gone.at(-1)!.key);
  return sound && !SMALL.has(next.key) && !CONTRACTED.test(next.key) && !opensSentence(tokens, cut);
};

const isFragment = ({ core, trail }: Token): boolean => /[-–—]$/u.test(core + trail);
const stemOf = (key: string): string => key.split("'")[0]!;

/** "we wan- we want", "th- the": the words from the cut's first on are said again, or it is broken words alone. */
const beginsAgain = (said: readonly Token[], following: readonly Token[], within: number): boolean => {
  const whole = said.filter((token) => !isFragment(token));
  if (whole.length === 0) return true;
  const first = stemOf(whole[0]!.key);
  return following.slice(0, within).some(({ key }) => stemOf(key) === first);
};

const isRetraction = (tokens: readonly Token[]): boolean => tokens.some(({ key }) => RETRACTIONS.has(key));

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

/** `corrected`: something was already taken back in this window. */
export const isAllowed = (tokens: readonly Token[], cut: Cut, corrected: boolean): boolean => {
  const said = wordsOf(tokens, cut);
  // "Tests, no sorry, primes rather": the cue comes once more at the end.
  if (corrected && said.every(({ key }) => AFTERTHOUGHTS.has(key))) return true;
  const following = wordsOf(tokens, { start: cut.end, end: cut.end + REPLACED_WITHIN });
  if (said.length > CUT_WORDS_MAX || following.length === 0 || holdsSentence(tokens, cut)) return false;
  const retracted = isRetraction(said);
  // "Add eggs to the list, scratch that, add milk": an order, which the rules carry out from the sentence's start.
  if (said.some(({ key }) => ORDERS.has(key)) && following[0]!.key === tokens[0]!.key && cut.start > 0) return false;
  // "555, no, 556-1234" may be one number in two parts.
  if (said.some(({ key }) => /^\d+$/u.test(key)) && following.some(({ key }) => /^\d+-\d/u.test(key))) return false;
  // Without a cue only a beginning that comes again tells a new start from a pause for thought.
  if (!retracted && !opensSentence(tokens, cut) && said.length > RESTART_WORDS_MAX) return false;
  const within = opensSentence(tokens, cut) ? 2 * AGAIN_WITHIN : AGAIN_WITHIN;
  if (!retracted && !beginsAgain(said, following, within) && !likeForLike(tokens, cut, following[0]!)) return false;
  const dropped = retracted && opensSentence(tokens, cut);
  return said.every((token, n) => {
    const kind = protectedKind(token, tokens[tokens.indexOf(token) - 1]);
    if (!kind || RETRACTIONS.has(token.key)) return true;
    // "No, not that": part of the cue.
    if (kind === 'negation' && [said[n - 1], said[n + 1]].some((beside) => beside && RETRACTIONS.has(beside.key)))
      return true;
    const replaced = following.some((other) => protectedKind(other, tokens[tokens.indexOf(other) - 1]) === kind);
    // "Where did Anna, no sorry, when did it begin": the speaker took the whole back.
    return replaced || (kind === 'number' ? false : dropped || (retracted && kind === 'name'));
  });
};
