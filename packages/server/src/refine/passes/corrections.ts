// Self-corrections: the speaker takes a word back and says another; the first goes, and only then.

import { phraseCorrection } from '../corrections/phrase-correction.ts';
import { saidAgain, scratchThat } from '../corrections/scratch-that.ts';
import type { Language } from '../language.ts';
import { words } from '../languages/entry.ts';
import { FIRST_NAMES, PLACES } from '../names.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { valuesOf } from '../numbers/values.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, endsSentence, isCapitalised, type Token } from '../token.ts';

type Kind = 'day' | 'month' | 'number' | 'alternative' | 'place' | 'person' | 'unit';

/** Closed groups of which one stands for another: the kind is the group. */
const ALTERNATIVES = [
  words('red blue green yellow black white brown pink purple orange grey gray'),
  words('left right'),
  words('north south east west'),
  words('small medium large'),
  words('breakfast lunch dinner'),
  words('morning afternoon evening'),
  words('spring summer autumn winter'),
  words('noon midnight'),
  words('ceo cto cfo coo'),
];
const RELATIVE_DAYS = words(
  'today tomorrow tonight yesterday heute morgen gestern hoy mañana ayer demain hier oggi domani ieri hoje amanhã ontem vandaag gisteren',
);
const UNITS =
  words(`dollars dollar cents bucks euros euro pounds percent p m a am pm a.m. p.m. o'clock minutes hours days weeks months years
  miles kilometers meters feet inches grams kilos milligrams uhr prozent por ciento cento pour heures ore horas uur procent`);
/** Words that may stand between the cue and what replaces. */
const CONNECTORS =
  words(`on at in by for to the next this last around about of am um im zum den dem der die das el la los las a al le
  à au il alle o às ao op om de het vers gegen nächsten na no nas nos em en op`);
const TIME_UNITS = words('second seconds minute minutes hour hours moment moments day days');
/** Cues that are everyday words: between two names they need a comma before them. */
const EVERYDAY = words('no sorry actually wait rather pardon nein nee non não digo enfin anzi cioè plutôt');

const kindOf = (token: Token, before: Token | undefined, language: Language): Kind | null => {
  const { key } = token;
  if (language.weekdays.has(key) || RELATIVE_DAYS.has(key)) return 'day';
  if (isNumberWord(key, language.code)) return 'number';
  // "seis uno tres": an article among numbers is one of them.
  if (isArticleOne(key, language.code) && before !== undefined && isNumberWord(before.key, language.code))
    return 'number';
  if (language.months.has(key)) return 'month';
  if (UNITS.has(key)) return 'unit';
  if (language.code === 'en' && ALTERNATIVES.some((group) => group.has(key))) return 'alternative';
  if (language.code === 'en' && PLACES.has(key)) return 'place';
  if (language.corrections.some(([cue]) => cue === key)) return null;
  const name =
    FIRST_NAMES.has(key) ||
    (isCapitalised(token) &&
      /^\p{Lu}\p{Ll}+$/u.test(token.core) &&
      key !== 'i' &&
      before !== undefined &&
      !endsSentence(before));
  return name ? 'person' : null;
};

interface Item {
  readonly kind: Kind;
  readonly token: Token;
}

const OPENING_QUOTE = /^["“„«]$/u;
const RUN_MAX = 32;
/** So many digits one by one are a code: it is replaced by as many, or not at all. */
const CODE_DIGITS_MIN = 3;
const WRITTEN_CODE_DIGITS_MIN = 5;

/** The dates, numbers or names right after the cue. */
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

/** The same right before the cue, in the order said. */
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

/** "five five five one two, no, three": nobody can tell how much of a code the speaker takes back. */
const replacesWhole = (replaced: readonly Item[], wanted: readonly Item[], language: Language): boolean => {
  const valuesIn = (items: readonly Item[]) =>
    valuesOf(
      items.filter(({ kind }) => kind === 'number').map(({ token }) => token),
      language.code,
    );
  const [said, instead] = [valuesIn(replaced), valuesIn(wanted)];
  const isCode = (values: readonly string[]) =>
    values.length >= CODE_DIGITS_MIN && values.every((value) => value.length === 1);
  const digits = (values: readonly string[]) => values.join('').length;
  // The same code, already written in digits.
  const written = said.some((value) => value.length >= WRITTEN_CODE_DIGITS_MIN);
  if (written && digits(said) - digits(instead) >= 2) return false;
  return said.length === instead.length || !(isCode(said) || isCode(instead));
};

/** "on Tuesday, no, Wednesday": a day for a day, a number for a number. */
const typed = (at: Cursor, cue: number, language: Language): Change | null => {
  let from = cue;
  while (from < cue + 2 && CONNECTORS.has(at.key(from)) && at.ahead(from)!.trail === '') from += 1;
  const wanted = itemsAfter(at, from, language);
  const said = itemsBefore(at, language);
  const head = wanted[0]?.kind;
  const start = said.findIndex(({ kind }) => kind === head);
  if (!head || start < 0) return null;
  const replaced = said.slice(start);
  const cueText = at
    .span(0, cue)
    .map((token) => token.key)
    .join(' ');
  const comma = at.behind(1)!.trail !== '';
  if (head === 'person' && !comma && EVERYDAY.has(cueText)) return null;
  if (head === 'person' && said.length !== replaced.length) return null;
  if (keysOf(replaced) === keysOf(wanted)) return null;
  if (said.length >= RUN_MAX || wanted.length >= RUN_MAX) return null;
  if (head === 'number' && !replacesWhole(replaced, wanted, language)) return null;
  if (
    head === 'alternative' &&
    !ALTERNATIVES.some((group) => group.has(replaced[0]!.token.key) && group.has(wanted[0]!.token.key))
  )
    return null;
  if (cueText === 'wait' && TIME_UNITS.has(at.key(from + wanted.length))) return null;
  const before = said.length + 1;
  if (/^(?:not|nicht|pas|niet|non)$/u.test(at.key(-before))) return null;
  if (/mean/u.test(cueText))
    for (let n = 1; n <= replaced.length + 4; n++) if (/^(?:say|says|said|saying|what)$/u.test(at.key(-n))) return null;

  const unitOf = (items: readonly Item[]) => items.filter(({ kind }) => kind === 'unit');
  const orphaned = head === 'number' && unitOf(wanted).length === 0 ? unitOf(replaced) : [];
  let back = replaced.length;
  // The connecting words go with what they led to, when they are said again.
  const led = from - cue;
  const same =
    led > 0 && Array.from({ length: led }, (_, k) => at.key(-(back + led - k)) === at.key(cue + k)).every(Boolean);
  if (same) back += led;
  const kept = at.span(cue, from + wanted.length).map((token) => token);
  if (led > 0 && !same && back === said.length && CONNECTORS.has(at.key(-(back + 1)))) {
    back += 1;
  }
  const first = at.behind(back)!;
  const put = [...kept];
  // The commas set off the correction: "twenty, actually thirty, people".
  const end = put.at(-1)!;
  const follows = at.key(from + wanted.length);
  if (comma && end.trail === ',' && !/^(?:and|but|or|so|then|which|not)$/u.test(follows) && follows !== '')
    put[put.length - 1] = { ...end, trail: '' };
  if (orphaned.length > 0) {
    const last = put.at(-1)!;
    put[put.length - 1] = { ...last, trail: '' };
    const units = orphaned.map(({ token }) => ({ ...token, rawStart: last.rawEnd, rawEnd: last.rawEnd }));
    units[units.length - 1] = { ...units.at(-1)!, trail: last.trail };
    put.push(...units);
  }
  put[0] = { ...put[0]!, gap: first.gap };
  return { back, take: from + wanted.length, put, reason: 'taken back by the speaker' };
};

/** "five apples, no, six apples" and "five apples, no, six". */
const counted = (at: Cursor, cue: number, language: Language): Change | null => {
  const noun = at.behind(1);
  const number = at.behind(2);
  const wanted = at.ahead(cue);
  if (
    !noun ||
    !number ||
    !wanted ||
    number.trail !== '' ||
    !isNumberWord(number.key, language.code) ||
    !isNumberWord(wanted.key, language.code)
  )
    return null;
  if (isNumberWord(noun.key, language.code) || !/^\p{L}{3,}$/u.test(noun.key) || wanted.key === number.key) return null;
  if (isNumberWord(at.key(-3), language.code) || /^(?:not)$/u.test(at.key(-3))) return null;
  if (at.key(cue + 1) === noun.key)
    return { back: 2, take: cue + 1, put: [{ ...wanted, gap: number.gap }], reason: 'taken back by the speaker' };
  const after = at.ahead(cue + 1);
  const done =
    wanted.trail !== '' || !after || breaksLine(after) || /^(?:and|for|at|on|in|please|to|by|from)$/u.test(after.key);
  if (!done || (wanted.trail === '' && noun.trail === '' && after)) return null;
  const moved = { ...noun, rawStart: wanted.rawEnd, rawEnd: wanted.rawEnd, trail: wanted.trail };
  return {
    back: 2,
    take: cue + 1,
    put: [{ ...wanted, gap: number.gap, trail: '' }, moved],
    reason: 'taken back by the speaker',
  };
};

const cueLength = (at: Cursor, language: Language): number => {
  for (const cue of language.corrections) {
    if (!cue.every((word, n) => at.key(n) === word)) continue;
    const inside = cue.slice(0, -1).every((_, n) => /^,?$/u.test(at.ahead(n)!.trail) && !breaksLine(at.ahead(n + 1)!));
    if (inside && /^[,.\-–—]?$|^\.{3}$|^…$/u.test(at.ahead(cue.length - 1)!.trail)) return cue.length;
  }
  return 0;
};

export const corrections: Pass = {
  name: 'corrections',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const starts = new Set(language.corrections.map(([word]) => word));
    return rewrite(tokens, 'corrections', (at) => {
      const previous = at.behind(1);
      // What is quoted is not corrected.
      if (!starts.has(at.key(0)) || !previous || at.ahead(0)!.lead !== '' || OPENING_QUOTE.test(previous.core))
        return null;
      const cue = cueLength(at, language);
      if (cue === 0) return null;
      const broken = endsSentence(previous) && !/^(?:\.{3}|…)$/u.test(previous.trail);
      const found =
        broken || breaksLine(at.ahead(0)!)
          ? null
          : (typed(at, cue, language) ?? counted(at, cue, language) ?? phraseCorrection(at, cue));
      return found ?? (language.code === 'en' ? (scratchThat(at) ?? saidAgain(at)) : null);
    });
  },
};
