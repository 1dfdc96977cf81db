// Replaces an item by a corrected one of its kind: a day by a day, a number by a number, a name by a name.
import type { Cursor } from '../../cursor.ts';
import type { Language } from '../../language.ts';
import { FIRST_NAMES, PLACES } from '../../names/words.ts';
import { valuesOf } from '../../numbers/number-values.ts';
import { isArticleOne, isNumberWord } from '../../numbers/number-words.ts';
import type { Change } from '../../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../../token.ts';
import * as words from './words.ts';

type Kind = 'day' | 'month' | 'number' | 'alternative' | 'place' | 'person' | 'unit';

interface Item {
  readonly kind: Kind;
  readonly token: Token;
}

const REASON = 'corrected by the speaker';

const isPerson = (token: Token, before: Token | undefined): boolean =>
  FIRST_NAMES.has(token.key) || (/^\p{Lu}\p{Ll}+$/u.test(token.core) && before !== undefined && !endsSentence(before));

const kindOf = (token: Token, before: Token | undefined, language: Language): Kind | null => {
  const { key } = token;
  if (language.weekdays.has(key) || words.RELATIVE_DAYS.has(key)) return 'day';
  if (isNumberWord(key, language.code)) return 'number';
  // "seis uno tres": an article after a number is a number.
  if (isArticleOne(key, language.code) && before !== undefined && isNumberWord(before.key, language.code))
    return 'number';
  if (language.months.has(key)) return 'month';
  if (words.UNITS.has(key)) return 'unit';
  if (language.code === 'en' && words.ALTERNATIVES.some((group) => group.has(key))) return 'alternative';
  if (language.code === 'en' && PLACES.has(key)) return 'place';
  if (language.corrections.some(([cue]) => cue === key)) return null;
  return isPerson(token, before) ? 'person' : null;
};

const RUN_MAX = 32;

/** The items right after the cue. */
const itemsAfter = (at: Cursor, from: number, language: Language): Item[] => {
  const items: Item[] = [];
  for (let n = from; items.length < RUN_MAX; n++) {
    const token = at.ahead(n);
    if (!token || (items.length > 0 && (breaksLine(token) || items.at(-1)!.token.trail !== ''))) break;
    const kind = kindOf(token, at.ahead(n - 1), language);
    if (!kind || (kind === 'unit' && items.length === 0)) break;
    if (items.length > 0 && kind === 'person' && items[0]!.kind !== 'person') break;
    items.push({ kind, token });
  }
  return items;
};

/** The items right before the cue, in spoken order. */
const itemsBefore = (at: Cursor, language: Language): Item[] => {
  const items: Item[] = [];
  for (let n = 1; items.length < RUN_MAX; n++) {
    const token = at.behind(n);
    if (!token || (items.length > 0 && (token.trail !== '' || breaksLine(items[0]!.token)))) break;
    const kind = kindOf(token, at.behind(n + 1), language);
    if (!kind) break;
    items.unshift({ kind, token });
  }
  return items;
};

const keysOf = (items: readonly Item[]): string => items.map(({ token }) => token.key).join(' ');
const unitsOf = (items: readonly Item[]): Item[] => items.filter(({ kind }) => kind === 'unit');

/** At least this many single digits form a code. */
const CODE_DIGITS_MIN = 3;
const WRITTEN_CODE_DIGITS_MIN = 5;

/** A code is replaced by a code of the same length, or not at all: "five five five one two, no, three" is ambiguous. */
const isWholeReplacement = (replaced: readonly Item[], wanted: readonly Item[], language: Language): boolean => {
  const valuesIn = (items: readonly Item[]) =>
    valuesOf(
      items.filter(({ kind }) => kind === 'number').map(({ token }) => token),
      language.code,
    );
  const [spoken, instead] = [valuesIn(replaced), valuesIn(wanted)];
  const isCode = (values: readonly string[]) =>
    values.length >= CODE_DIGITS_MIN && values.every((value) => value.length === 1);
  const digits = (values: readonly string[]) => values.join('').length;
  const isWritten = spoken.some((value) => value.length >= WRITTEN_CODE_DIGITS_MIN);
  if (isWritten && digits(spoken) - digits(instead) >= 2) return false;
  return spoken.length === instead.length || !(isCode(spoken) || isCode(instead));
};

/** Whether the items before the cue may be replaced by those after it. */
const isReplaceable = (
  at: Cursor,
  cue: string,
  said: readonly Item[],
  replaced: readonly Item[],
  wanted: readonly Item[],
  language: Language,
): boolean => {
  const kind = wanted[0]!.kind;
  const hasMark = at.behind(1)!.trail !== '';
  if (kind === 'person' && ((!hasMark && words.EVERYDAY_CUES.has(cue)) || said.length !== replaced.length))
    return false;
  if (keysOf(replaced) === keysOf(wanted) || said.length >= RUN_MAX || wanted.length >= RUN_MAX) return false;
  if (kind === 'number' && !isWholeReplacement(replaced, wanted, language)) return false;
  if (kind === 'alternative') {
    const [old, fresh] = [replaced[0]!.token.key, wanted[0]!.token.key];
    if (!words.ALTERNATIVES.some((group) => group.has(old) && group.has(fresh))) return false;
  }
  // "not Tuesday, no, Wednesday"
  if (words.NEGATIONS.has(at.key(-(said.length + 1)))) return false;
  return !(/mean/u.test(cue) && at.someBehind(replaced.length + 4, (key) => words.SPEECH_BEFORE_MEAN.has(key)));
};

/** The new items, with the unit of the old number if the new number has none: "five dollars, no, six". */
const withUnits = (put: readonly Token[], units: readonly Item[]): Token[] => {
  if (units.length === 0) return [...put];
  const last = put.at(-1)!;
  const moved = units.map(({ token }) => ({ ...token, rawStart: last.rawEnd, rawEnd: last.rawEnd }));
  return [...put.slice(0, -1), { ...last, trail: '' }, ...moved.slice(0, -1), { ...moved.at(-1)!, trail: last.trail }];
};

/** "by Monday, no, on Tuesday" replaces the preposition; "by Monday, no, next Tuesday" keeps it. */
const replacesConnector = (old: string, fresh: string, kind: Kind): boolean => {
  if (!words.CONNECTORS.has(old)) return false;
  if (kind === 'person' || kind === 'place') return true;
  // "on next Tuesday" is not English.
  const dropsOn = old === 'on' && fresh !== 'the';
  return !words.DETERMINERS.has(fresh) || words.DETERMINERS.has(old) || dropsOn;
};

/** "on Tuesday, no, Wednesday" */
export const itemCorrection = (at: Cursor, cueLength: number, language: Language): Change | null => {
  let from = cueLength;
  while (from < cueLength + 2 && words.CONNECTORS.has(at.key(from)) && at.ahead(from)!.trail === '') from += 1;
  const wanted = itemsAfter(at, from, language);
  const said = itemsBefore(at, language);
  const kind = wanted[0]?.kind;
  const start = said.findIndex((item) => item.kind === kind);
  if (!kind || start < 0) return null;
  const replaced = said.slice(start);
  const cue = at.keysOf(0, cueLength).join(' ');
  if (!isReplaceable(at, cue, said, replaced, wanted, language)) return null;
  const end = from + wanted.length;
  // "at ten, wait two minutes"
  if (cue === 'wait' && words.DURATIONS.has(at.key(end))) return null;

  let back = replaced.length;
  // Repeated connectors are replaced too: "on Tuesday, no, on Wednesday".
  const connectors = from - cueLength;
  const areRepeated =
    connectors > 0 &&
    Array.from({ length: connectors }, (_, k) => at.key(-(back + connectors - k)) === at.key(cueLength + k)).every(
      Boolean,
    );
  if (areRepeated) back += connectors;
  else if (connectors > 0 && back === said.length && replacesConnector(at.key(-(back + 1)), at.key(cueLength), kind))
    back += 1;

  const put = [...at.span(cueLength, end)];
  const last = put.at(-1)!;
  const follows = at.key(end);
  // "twenty, actually thirty, people": the comma only closed the correction.
  const closes = at.behind(1)!.trail !== '' && last.trail === ',' && follows !== '';
  if (closes && !words.CLAUSE_JOINTS.has(follows) && follows !== 'not') put[put.length - 1] = { ...last, trail: '' };
  put[0] = { ...put[0]!, gap: at.behind(back)!.gap };
  const units = kind === 'number' && unitsOf(wanted).length === 0 ? unitsOf(replaced) : [];
  return { back, take: end, put: withUnits(put, units), reason: REASON };
};

/** "five apples, no, six apples" and "five apples, no, six". */
export const countCorrection = (at: Cursor, cueLength: number, { code }: Language): Change | null => {
  const noun = at.behind(1);
  const number = at.behind(2);
  const wanted = at.ahead(cueLength);
  if (!noun || !number || !wanted || number.trail !== '') return null;
  if (!isNumberWord(number.key, code) || !isNumberWord(wanted.key, code) || wanted.key === number.key) return null;
  if (isNumberWord(noun.key, code) || !/^\p{L}{3,}$/u.test(noun.key)) return null;
  if (isNumberWord(at.key(-3), code) || at.key(-3) === 'not') return null;
  const replacement = { ...wanted, gap: number.gap };
  if (at.key(cueLength + 1) === noun.key) return { back: 2, take: cueLength + 1, put: [replacement], reason: REASON };
  const after = at.ahead(cueLength + 1);
  const isComplete = wanted.trail !== '' || !after || breaksLine(after) || words.AFTER_COUNT.has(after.key);
  if (!isComplete || (wanted.trail === '' && noun.trail === '' && after)) return null;
  const movedNoun = { ...noun, rawStart: wanted.rawEnd, rawEnd: wanted.rawEnd, trail: wanted.trail };
  return { back: 2, take: cueLength + 1, put: [{ ...replacement, trail: '' }, movedNoun], reason: REASON };
};
