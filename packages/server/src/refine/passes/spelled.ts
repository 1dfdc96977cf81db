// Writes spelled letters: joins known abbreviations, hyphenates names, separates the letters and digits of codes.
import type { Cursor } from '../cursor.ts';
import { ACRONYMS } from '../names/words.ts';
import { type Change, type Pass, rulePass } from '../rewrite.ts';
import { breaksLine, merge, reword } from '../token.ts';
import * as words from './words/spelled.ts';

const ABBREVIATION_LETTERS_MAX = 4;
const KNOWN_ABBREVIATION_LETTERS_MAX = 5;
const SPELLED_WITH_COMMAS_MIN = 4;
const LOOK_BACK = 4;
const ABBREVIATION_REASON = 'an abbreviation spoken letter by letter';
const SPELLED_REASON = 'a word spelled out';

const hyphenated = (letters: string): string => [...letters.toUpperCase()].join('-');

const isLetterAt = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  return token !== undefined && /^\p{L}$/u.test(token.core) && (n === 0 || (!breaksLine(token) && token.lead === ''));
};

/** The number of consecutive letters without marks between them. */
const lettersAhead = (at: Cursor): number => {
  let length = 1;
  while (isLetterAt(at, length) && at.ahead(length - 1)!.trail === '') length += 1;
  return length;
};

/** "G-i-n-s-b-e-r-g": spelled by the recogniser; only the capitals are missing. */
const spelledByRecogniser = (at: Cursor): Change | null => {
  const token = at.ahead(0)!;
  if (!/^\p{L}(?:-\p{L}){2,}$/u.test(token.core) || new Set(token.key).size < 3) return null;
  const core = token.core.toUpperCase();
  return core === token.core ? null : { take: 1, put: [{ ...token, core }], reason: SPELLED_REASON };
};

/** The number of consecutive letters, with or without commas between them. */
const spelledLength = (at: Cursor): number => {
  let length = 1;
  let commas = 0;
  for (; isLetterAt(at, length) && /^[,.]?$/u.test(at.ahead(length - 1)!.trail); length++)
    if (at.ahead(length - 1)!.trail !== '') commas += 1;
  // Commas between only a few letters may separate list items.
  return commas > 0 && length < SPELLED_WITH_COMMAS_MIN ? lettersAhead(at) : length;
};

const spell = (at: Cursor): Change | null => {
  if (!isLetterAt(at, 0)) return null;
  const length = spelledLength(at);
  if (length < 2) return null;
  const span = at.span(0, length);
  const letters = span.map((token) => token.key).join('');
  const isKnown = ACRONYMS.has(letters);
  if (length <= KNOWN_ABBREVIATION_LETTERS_MAX && (isKnown || letters === 'us')) {
    if (letters === 'am' || letters === 'pm') return null;
    return { take: length, put: [merge(span, letters.toUpperCase())], reason: ABBREVIATION_REASON };
  }
  // "I a" and "a I" may be words.
  if (length < 3) return null;
  // "John, J O H N"
  const isAnnounced = at.someBehind(LOOK_BACK, (key) => key === letters || words.SPELLING_WORDS.has(key));
  const first = span[0]!;
  if (!isAnnounced && words.WORD_LETTERS.has(first.key) && first.core !== 'I' && length === 3 && !isKnown) return null;
  const isAbbreviation = length <= ABBREVIATION_LETTERS_MAX && !isAnnounced && at.written > 0;
  return isAbbreviation
    ? { take: length, put: [merge(span, letters.toUpperCase())], reason: ABBREVIATION_REASON }
    : { take: length, put: [merge(span, hyphenated(letters))], reason: SPELLED_REASON };
};

/** "GRAG85", "KMHNI-605": a code that is a whole sentence. */
const code = (at: Cursor): Change | null => {
  const token = at.ahead(0)!;
  const parts = /^(\p{Lu}{3,})-?(\d{2,})$/u.exec(token.core);
  const next = at.ahead(1);
  if (!parts || !at.atStart() || (next && !/[.!?]/u.test(token.trail) && !breaksLine(next))) return null;
  const [, letters = '', digits = ''] = parts;
  if (words.NUMBERED_NAMES.has(letters.toLowerCase()) || ACRONYMS.has(letters.toLowerCase())) return null;
  const put = [
    { ...reword(token, letters), trail: '' },
    { ...reword(token, digits), lead: '', gap: ' ' },
  ];
  return { take: 1, put, reason: 'a code spelled out' };
};

const SPELLED_LETTERS_MIN = 4;

/** In other languages more single letters are words ("y", "e", "a"), so a longer run is required. */
const spellElsewhere = (at: Cursor): Change | null => {
  if (!isLetterAt(at, 0)) return null;
  const length = lettersAhead(at);
  const span = at.span(0, length);
  const letters = span.map(({ key }) => key).join('');
  const isAnnounced = at.someBehind(LOOK_BACK, (key) => words.SPELLING_WORDS_ELSEWHERE.test(key) || key === letters);
  // "il y a a b c d": it is unclear where the spelling starts, so everything stays as spoken.
  if (!isAnnounced && words.WORD_LETTERS_ELSEWHERE.has(span[0]!.key))
    return { take: length, put: span, reason: 'stays as spoken' };
  const lettersMin = isAnnounced ? SPELLED_LETTERS_MIN - 1 : SPELLED_LETTERS_MIN;
  if (length < lettersMin || new Set(letters).size < 2) return null;
  return { take: length, put: [merge(span, hyphenated(letters))], reason: SPELLED_REASON };
};

export const spelled: Pass = rulePass('spelled', (language) => {
  const rule = language.code === 'en' ? spell : spellElsewhere;
  return (at) => spelledByRecogniser(at) ?? code(at) ?? rule(at);
});
