// False starts: a beginning broken off and begun again.
import { words } from '../languages/entry.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../token.ts';

const PRONOUNS = words('i you he she it we they');
const AUXILIARIES =
  words(`am is are was were will would can could should have has had do did don't didn't can't won't want wanted think thought
  need needed just`);
const LOOK_BACK_MAX = 6;

/** Below this a word that a tagger looked at was meant. */
const SLIP_MIN = 0.5;
const isMeant = ({ slip }: Token): boolean => slip !== undefined && slip < SLIP_MIN;

const pronounOf = (key: string): string => key.split("'")[0] ?? '';

/** "we wan- we want": a dash breaks off, and the words before it come again. */
const brokenOff = (at: Cursor, code: string): Change | null => {
  const token = at.ahead(0)!;
  const next = at.ahead(1);
  if (!next || breaksLine(next)) return null;
  const apart = /^(?:-|–|—|--)$/u.test(token.core);
  if (!apart && !/^(?:-|–|—|--)$/u.test(token.trail)) return null;
  // A second dash soon after makes the first the start of an aside.
  if (at.span(1, 9).some((later) => /[–—]/u.test(later.core + later.trail))) return null;
  for (let n = 1; n <= LOOK_BACK_MAX; n++) {
    const earlier = at.behind(n);
    if (!earlier || endsSentence(earlier)) break;
    if (earlier.key !== next.key || earlier.key.length > 12) continue;
    // "yeah you don't us- yeah, usually": a tagger found no slip there.
    if (Array.from({ length: n }, (_, k) => at.behind(k + 1)!).every(isMeant)) return null;
    // A number that was said is not lost with the words around it.
    const counted = Array.from({ length: n + 1 }, (_, k) => at.key(k - n)).some((key) => isNumberWord(key, code));
    return counted ? null : { back: n, take: 1, put: [], reason: 'broken off and begun again' };
  }
  return null;
};

/** "I was I am going", "can you could you send": the same person, begun again with another verb. */
const begunAgain = (at: Cursor): Change | null => {
  const [a, b, c, d] = [at.key(0), at.key(1), at.key(2), at.key(3)];
  if (!at.ahead(4) || !at.atStart() || !at.unbroken(2)) return null;
  const comma = at.ahead(1)!.trail;
  if (comma !== '' && comma !== ',' && comma !== '-') return null;
  const statement = PRONOUNS.has(a) && AUXILIARIES.has(b) && c === a && AUXILIARIES.has(d) && b !== d;
  const question = AUXILIARIES.has(a) && PRONOUNS.has(b) && AUXILIARIES.has(c) && d === b && a !== c;
  if (statement && /^(?:think|thought)$/u.test(b)) return null;
  return statement || question ? { take: 2, put: [], reason: 'begun again' } : null;
};

/** "I'm I was going": the same, with the first verb contracted. */
const contracted = (at: Cursor): Change | null => {
  const first = at.ahead(0)!;
  if (!at.atStart() || first.trail !== '' || !first.key.includes("'") || !at.ahead(3)) return null;
  const again =
    PRONOUNS.has(pronounOf(first.key)) && pronounOf(at.key(1)) === pronounOf(first.key) && at.key(1) !== first.key;
  const verb = at.key(1).includes("'") || AUXILIARIES.has(at.key(2));
  return again && verb ? { take: 1, put: [], reason: 'begun again' } : null;
};

export const falseStarts: Pass = {
  name: 'false-starts',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const english = language.code === 'en';
    return rewrite(
      tokens,
      'false-starts',
      (at) => brokenOff(at, language.code) ?? (english ? (begunAgain(at) ?? contracted(at)) : null),
    );
  },
};
