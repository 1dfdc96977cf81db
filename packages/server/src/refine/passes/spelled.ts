// Letters said one by one: known abbreviations close up, names spelled out get hyphens, codes a space before their digits.

import { ACRONYMS } from '../names.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { merge, reword } from '../token.ts';

const isLetterAt = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  return (
    token !== undefined && /^\p{L}$/u.test(token.core) && (n === 0 || (!token.gap.includes('\n') && token.lead === ''))
  );
};
const ABBREVIATION_LETTERS_MAX = 4;
const SPELLED_WITH_COMMAS_MIN = 4;

/** "G-i-n-s-b-e-r-g": a recogniser's own spelling-out, in capitals like ours. */
const hyphened = (at: Cursor): Change | null => {
  const token = at.ahead(0)!;
  if (!/^\p{L}(?:-\p{L}){2,}$/u.test(token.core) || new Set(token.key).size < 3) return null;
  const core = token.core.toUpperCase();
  return core === token.core ? null : { take: 1, put: [{ ...token, core }], reason: 'a word spelled out' };
};

const spell = (at: Cursor): Change | null => {
  if (!isLetterAt(at, 0)) return null;
  let length = 1;
  let commas = 0;
  for (; isLetterAt(at, length) && /^[,.]?$/u.test(at.ahead(length - 1)!.trail); length++)
    if (at.ahead(length - 1)!.trail !== '') commas += 1;
  // Commas between letters are the recogniser's; between fewer letters they may be a list.
  if (commas > 0 && length < SPELLED_WITH_COMMAS_MIN) {
    length = 1;
    while (isLetterAt(at, length) && at.ahead(length - 1)!.trail === '') length += 1;
  }
  if (length < 2) return null;
  const span = at.span(0, length);
  const letters = span.map((token) => token.key).join('');
  const upper = letters.toUpperCase();
  // "I a" and "a I" may be words; a known abbreviation or three letters are not.
  for (let n = Math.min(length, 5); n >= 2; n--) {
    if (n !== length || !(ACRONYMS.has(letters) || letters === 'us')) continue;
    if (n === 2 && /^(?:am|pm)$/u.test(letters)) return null;
    return { take: n, put: [merge(at.span(0, n), upper.slice(0, n))], reason: 'an abbreviation said letter by letter' };
  }
  if (length < 3) return null;
  // "John, J O H N": the name itself says that it is spelled.
  const asked = [1, 2, 3, 4].some(
    (n) => at.key(-n) === letters || /^(?:spell|spelled|spelt|spelling|spells|letters)$/u.test(at.key(-n)),
  );
  // A word that is also a letter may only lead or end the run by chance.
  if (!asked && /^(?:i|a)$/u.test(span[0]!.key) && span[0]!.core !== 'I' && length === 3 && !ACRONYMS.has(letters))
    return null;
  const closed = length <= ABBREVIATION_LETTERS_MAX && !asked && at.written > 0;
  const core = closed ? upper : [...upper].join('-');
  return {
    take: length,
    put: [merge(span, core)],
    reason: closed ? 'an abbreviation said letter by letter' : 'a word spelled out',
  };
};

/** Names with a number in them that are no codes. */
const NAMED = new Set(['covid']);

/** "GRAG85", "KMHNI-605": a code that is all that was said, its letters and digits apart. */
const code = (at: Cursor): Change | null => {
  const token = at.ahead(0)!;
  const parts = /^(\p{Lu}{3,})-?(\d{2,})$/u.exec(token.core);
  const next = at.ahead(1);
  if (!parts || !at.atStart() || (next && !/[.!?]/u.test(token.trail) && !next.gap.includes('\n'))) return null;
  const [, letters = '', digits = ''] = parts;
  if (NAMED.has(letters.toLowerCase()) || ACRONYMS.has(letters.toLowerCase())) return null;
  const put = [
    { ...reword(token, letters), trail: '' },
    { ...reword(token, digits), lead: '', gap: ' ' },
  ];
  return { take: 1, put, reason: 'a code spelled out' };
};

const SPELLED_LETTERS_MIN = 4;
/** Letters that are words in one of the languages. */
const WORD_LETTERS = new Set('aàeèéoóyiu');
const SPELLING =
  /^(?:buchstabiert\w*|buchstabiere|gespeld|spel|spelt|deletre\w+|soletr\w+|épel\w+|épèle|s'écrit|lettere|compitato)$/u;

/** In other languages single letters may be words ("y", "e", "a"), so more of them are needed. */
const spellElsewhere = (at: Cursor): Change | null => {
  if (!isLetterAt(at, 0)) return null;
  let length = 1;
  while (isLetterAt(at, length) && at.ahead(length - 1)!.trail === '') length += 1;
  const span = at.span(0, length);
  const letters = span.map(({ key }) => key).join('');
  const asked = [1, 2, 3, 4].some((n) => SPELLING.test(at.key(-n)) || at.key(-n) === letters);
  // "il y a a b c d": where the letters begin is not certain, so all stay as said.
  if (!asked && WORD_LETTERS.has(span[0]!.key)) return { take: length, put: span, reason: 'stays as said' };
  if (length < (asked ? SPELLED_LETTERS_MIN - 1 : SPELLED_LETTERS_MIN) || new Set(letters).size < 2) return null;
  return { take: length, put: [merge(span, [...letters.toUpperCase()].join('-'))], reason: 'a word spelled out' };
};

export const spelled: Pass = {
  name: 'spelled',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const rule = language.code === 'en' ? spell : spellElsewhere;
    return rewrite(tokens, 'spelled', (at) => hyphened(at) ?? code(at) ?? rule(at));
  },
};
