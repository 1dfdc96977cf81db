// Removes false starts: beginnings that the speaker broke off and started again.
import type { Cursor } from '../cursor.ts';
import type { Language } from '../language.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Pass, rulePass } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../token.ts';
import { COMPOUND_JOINTS, PRONOUNS, THINKING, VERBS } from './words/false-starts.ts';

const LOOK_BACK_MAX = 6;
const WORD_CHARACTERS_MAX = 12;

/** Below this probability a tagged word counts as fluent. */
const DISFLUENCY_MIN = 0.5;
const isFluent = ({ disfluency }: Token): boolean => disfluency !== undefined && disfluency < DISFLUENCY_MIN;

const DASH = /^(?:-|–|—|--)$/u;
/** At most this many words are broken off by a dash that is not a hyphen attached to the word. */
const APART_WORDS_MAX = 3;
/** A second dash within this many words encloses an aside together with the first. */
const ASIDE_WORDS_MAX = 14;
const COMPOUND_CHARACTERS_MIN = 3;

/** "Handels- und Wohnorte", "duin- en polderland": the hyphen replaces the shared last part of the compounds. */
const isPartOfCompound = ({ key, trail }: Token, next: Token): boolean =>
  trail === '-' && key.length >= COMPOUND_CHARACTERS_MIN && COMPOUND_JOINTS.has(next.key);

/** "we wan- we want": a dash after which the words before it are repeated. */
const brokenOff = (at: Cursor, { code, determiners }: Language): Change | null => {
  const token = at.ahead(0)!;
  const next = at.ahead(1);
  if (!next || breaksLine(next) || !(DASH.test(token.core) || DASH.test(token.trail))) return null;
  // With a second dash soon after, the two dashes enclose an aside.
  if (at.span(1, ASIDE_WORDS_MAX).some(({ core, trail }) => /[–—]/u.test(core + trail) || DASH.test(core))) return null;
  if (isPartOfCompound(token, next)) return null;
  // "a done deal — a lesson for us": a dash between words often introduces an explanation.
  const isApart = token.trail !== '-';
  if (isApart && determiners.has(next.key)) return null;
  for (let n = 1; n <= (isApart ? APART_WORDS_MAX : LOOK_BACK_MAX); n++) {
    const earlier = at.behind(n);
    if (!earlier || endsSentence(earlier)) break;
    if (earlier.key !== next.key || earlier.key.length > WORD_CHARACTERS_MAX) continue;
    const repeated = Array.from({ length: n }, (_, k) => at.behind(k + 1)!);
    // "yeah you don't us- yeah, usually": the tagger rates all of it as fluent.
    if (repeated.every(isFluent)) return null;
    const hasNumber = [token, ...repeated].some(({ key }) => isNumberWord(key, code));
    return hasNumber ? null : { back: n, take: 1, put: [], reason: 'a false start' };
  }
  return null;
};

/** "I was I am going", "can you could you send": the subject is repeated with another verb. */
const restarted = (at: Cursor): Change | null => {
  const [a, b, c, d] = [at.key(0), at.key(1), at.key(2), at.key(3)];
  if (!at.ahead(4) || !at.atStart() || !at.unbroken(2) || !/^[,-]?$/u.test(at.ahead(1)!.trail)) return null;
  const isStatement = PRONOUNS.has(a) && VERBS.has(b) && c === a && VERBS.has(d) && b !== d && !THINKING.has(b);
  const isQuestion = VERBS.has(a) && PRONOUNS.has(b) && VERBS.has(c) && d === b && a !== c;
  return isStatement || isQuestion ? { take: 2, put: [], reason: 'a false start' } : null;
};

const pronounOf = (key: string): string => key.split("'")[0]!;

/** "I'm I was going": the subject is repeated, and the first verb is contracted. */
const restartedContraction = (at: Cursor): Change | null => {
  const first = at.ahead(0)!;
  if (!at.atStart() || first.trail !== '' || !first.key.includes("'") || !at.ahead(3)) return null;
  const pronoun = pronounOf(first.key);
  const next = at.key(1);
  const isRestart = PRONOUNS.has(pronoun) && pronounOf(next) === pronoun && next !== first.key;
  const hasVerb = next.includes("'") || VERBS.has(at.key(2));
  return isRestart && hasVerb ? { take: 1, put: [], reason: 'a false start' } : null;
};

export const falseStarts: Pass = rulePass(
  'false-starts',
  (language) => (at) =>
    brokenOff(at, language) ?? (language.code === 'en' ? (restarted(at) ?? restartedContraction(at)) : null),
);
