// Letters said one by one: known abbreviations close up, names spelled out get hyphens.

import { ACRONYMS } from '../names.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { merge } from '../token.ts';

const isLetterAt = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  return (
    token !== undefined && /^\p{L}$/u.test(token.core) && (n === 0 || (!token.gap.includes('\n') && token.lead === ''))
  );
};
const ABBREVIATION_LETTERS_MAX = 4;
const SPELLED_WITH_COMMAS_MIN = 4;

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
  const asked = [1, 2, 3, 4].some((n) =>
    /^(?:spell|spelled|spelt|spelling|spells|buchstabiert|deletreado|épelé|letters)$/u.test(at.key(-n)),
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

export const spelled: Pass = {
  name: 'spelled',
  run: (tokens, { language }) => (language?.code === 'en' ? rewrite(tokens, 'spelled', spell) : { tokens, marks: [] }),
};
