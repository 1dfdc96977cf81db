// Finds bank accounts, national ids and the last digits of long numbers.

import { wordsOfAll } from '../../words.ts';
import { oncePerText } from '../once-per-text.ts';
import { attemptsOf, type Run } from '../runs.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import * as checks from './checks.ts';

export const CARD_REACH = 16;
export const CODE_REACH = 8;
export const PHONE_REACH = 12;
/** Maximum digits of several attempts at one number, with corrections between them. */
export const ATTEMPTS_DIGITS_MAX = 60;

export const entity = (kind: Entity['kind'], items: readonly Item[], value = textOfItems(items)): Entity => ({
  kind,
  from: items[0]!.from,
  to: items.at(-1)!.to,
  value,
});

type StretchTest = (text: string, part: readonly Item[]) => boolean;

/** The longest span of items from `start` whose joined text passes the test. */
const stretchFrom = (
  items: readonly Item[],
  start: number,
  lengthMax: number,
  test: StretchTest,
): readonly Item[] | null => {
  let text = '';
  let best = 0;
  for (let end = start; end < items.length && text.length <= lengthMax; end++) {
    text += items[end]!.text;
    if (test(text, items.slice(start, end + 1))) best = end + 1;
  }
  return best > 0 ? items.slice(start, best) : null;
};

/** The first span of items whose joined text passes the test; the longest one from that start. */
export const findStretch = (items: readonly Item[], lengthMax: number, test: StretchTest): readonly Item[] | null => {
  for (let start = 0; start < items.length; start++) {
    const found = stretchFrom(items, start, lengthMax, test);
    if (found) return found;
  }
  return null;
};

const IBAN_LETTERS = /^[A-Z]{2}\d{2}/u;
const IBAN_MIN = 15;
const IBAN_MAX = 34;

/** The text from an item on, as far as it tells whether it is an IBAN: a run may have thousands of items. */
const ibanTextFrom = (items: readonly Item[], start: number): string => {
  let text = '';
  for (let n = start; n < items.length && text.length <= IBAN_MAX; n++) text += items[n]!.text;
  return text;
};

const ibanIn = (text: SpokenText, items: readonly Item[]): Entity | null => {
  for (let start = 0; start < items.length; start++) {
    const all = ibanTextFrom(items, start);
    if (!IBAN_LETTERS.test(all) || checks.ibanLength(all) === 0) continue;
    const exact = stretchFrom(items, start, IBAN_MAX, (joined) => checks.isIban(joined));
    if (exact) return entity('iban', exact);
    const isCued = text.isCued('iban', items[start]!.from, PHONE_REACH);
    const isWhole = all.length >= IBAN_MIN && checks.ibanLength(all) === all.length;
    if (isWhole || (isCued && all.length >= IBAN_MIN - 5)) return entity('iban', items.slice(start));
  }
  return null;
};

/** The IBANs of a run. Several attempts at one IBAN become one entity that covers them all. */
const ibansIn = (text: SpokenText, run: Run): Entity[] => {
  const attempts = attemptsOf(text.tokens, run);
  const found = attempts.flatMap(({ items }) => ibanIn(text, items) ?? []);
  const [first] = found;
  if (!first || attempts.length === 1) return found;
  return [{ ...first, to: Math.max(...found.map(({ to }) => to), run.items.at(-1)!.to), value: found.at(-1)!.value }];
};

const ACCOUNT_REACH = 5;
const BANK_CODE_DIGITS_MIN = 4;

const MIXED_ACCOUNT = /^\d{5}\d{4,}[A-Z]{1,2}\d+$/u;

/** French accounts may have a letter: "20041 01005 0500013M026 06". */
const mixedAccounts = (text: SpokenText): Entity[] =>
  text.runs
    .filter(({ items }) => MIXED_ACCOUNT.test(textOfItems(items)) && text.isCued('iban', items[0]!.from, PHONE_REACH))
    .map(({ items }) => entity('iban', items));

export const ibans = oncePerText((text): readonly Entity[] => [
  ...text.runs.flatMap((run) => ibansIn(text, run)),
  ...mixedAccounts(text),
  ...text.digitRuns.flatMap(({ items }) => {
    const { length } = textOfItems(items);
    const isCued = (cue: 'iban' | 'bankCode') => text.isCued(cue, items[0]!.from, ACCOUNT_REACH);
    const isAccount = length >= 7 && length <= 30 && isCued('iban');
    const isBankCode = length >= BANK_CODE_DIGITS_MIN && length <= 30 && isCued('bankCode');
    // "thirty, ninety, eighty-nine, account ..."
    const isSortCode = groupsOf(items) === '2-2-2' && text.isNamedAfter('iban', items.at(-1)!.to, CODE_REACH);
    return isAccount || isBankCode || isSortCode ? [entity('iban', items)] : [];
  }),
]);

interface IdRule {
  readonly test: (text: string, part: readonly Item[]) => boolean;
  /** True if the number is too short or too weakly checked to count without a cue. */
  readonly needsCue?: boolean;
}

export const groupsOf = (part: readonly Item[]): string =>
  part.flatMap(({ groups }) => groups.map((g) => g.length)).join('-');

const ID_RULES: Readonly<Record<string, readonly IdRule[]>> = {
  en: [
    { test: (text, part) => checks.isUsSsn(text) && groupsOf(part) === '3-2-4' },
    { test: checks.isUsSsn, needsCue: true },
    { test: checks.isNino },
    { test: (text) => /^\d{9}$/u.test(text) && checks.luhn(text), needsCue: true },
  ],
  de: [
    { test: checks.isGermanTaxId },
    { test: checks.isGermanPensionNumber },
    { test: checks.isSwissAhv },
    { test: checks.isAustrianSvnr, needsCue: true },
  ],
  fr: [{ test: checks.isFrenchNir }],
  es: [{ test: checks.isSpanishId }],
  it: [{ test: checks.isCodiceFiscale }],
  pt: [{ test: checks.isCpf }, { test: checks.isPortugueseNif, needsCue: true }],
  nl: [{ test: checks.isBsn, needsCue: true }],
};
const ID_LENGTH = { min: 8, max: 18 };
/** At least two digits, because some identity cards mix letters and digits. */
const ID_DIGITS_MIN = /(?:\d.*){2}/u;
const CODICE_LETTERS = /^[a-z]{3}$/u;
const CODICE = /^[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]$/u;

/** Lower-case letters are words unless they complete a code: "rss mra 85t10 a562s". */
const withSmallLetters = ({ tokens }: SpokenText, found: Entity): Entity => {
  const letters = tokens.slice(Math.max(0, found.from - 2), found.from).map(({ key }) => key);
  const value = `${letters.join('')}${found.value}`.toUpperCase();
  const isCode = letters.every((word) => CODICE_LETTERS.test(word)) && CODICE.test(value);
  return isCode ? { ...found, from: found.from - 2, value } : found;
};

/** Names of letters that are also other words: "DNI ..., ese". */
const LAST_LETTERS = wordsOfAll({ es: 'a be ce de ese te' });

/** Adds the letter that ends a Spanish id. */
const withLastLetter = (text: SpokenText, found: Entity): Entity => {
  const next = text.tokens[found.to];
  const isEnd = next !== undefined && (next.trail !== '' || found.to + 1 === text.tokens.length);
  const isNumber = text.codeAt(found.from) === 'es' && /^(?:\d{8}|[XYZ]\d{7})$/u.test(found.value);
  return isNumber && isEnd && LAST_LETTERS.has(next.key) ? { ...found, to: found.to + 1 } : found;
};

export const nationalIds = oncePerText((text): readonly Entity[] =>
  text.runs.flatMap((run) => {
    const { items } = run;
    const at = items[0]!.from;
    const whole = textOfItems(items);
    const isCued = text.isCued('id', items.find(({ shape }) => shape !== 'letters')?.from ?? at, CODE_REACH + 4);
    if (!(isCued ? ID_DIGITS_MIN : /\d{3}/u).test(whole)) return [];
    const rules = (ID_RULES[text.codeAt(at)] ?? []).filter(({ needsCue }) => isCued || !needsCue);
    const attempts = attemptsOf(text.tokens, run);
    for (const { test } of rules)
      for (const attempt of attempts) {
        const part = findStretch(attempt.items, ID_LENGTH.max, test);
        // Part of a telephone number may pass the check by chance.
        const isOther =
          part && (text.isNotPersonal(part[0]!.from, CODE_REACH) || text.isCued('phone', at, PHONE_REACH));
        if (!part || (!isCued && isOther)) continue;
        // Hide the other attempts too. After a cue, hide the whole run.
        const isAll = isCued || (attempts.length > 1 && part.length === attempt.items.length);
        return [entity('ssn', isAll ? items : part, textOfItems(part))];
      }
    const isWhole = whole.length >= ID_LENGTH.min && whole.length <= ATTEMPTS_DIGITS_MAX;
    return isCued && isWhole ? [withLastLetter(text, withSmallLetters(text, entity('ssn', items)))] : [];
  }),
);

const CHECK_WORDS = wordsOfAll({
  en: 'check',
  de: 'prüfziffer prüfzahl buchstabe',
  es: 'control letra verificador',
  fr: 'clé lettre',
  it: 'controllo lettera',
  pt: 'controlo controle verificador letra',
  nl: 'controlegetal controlecijfer letter',
});
const CHECK_REACH = 4;
const CHECK_APART_MAX = 10;

/** "and the key is 38", "la letra es la K": the end of an id that was spoken before. */
export const checkDigits = (text: SpokenText): Entity[] => {
  const ids = [...ibans(text), ...nationalIds(text)];
  const byEnd = new Map<number, number>();
  ids.forEach(({ to }, n) => {
    if (!byEnd.has(to)) byEnd.set(to, n);
  });
  /** The first one listed of those that end soon before a token. */
  const idBefore = (index: number): Entity | undefined => {
    const found = Array.from({ length: CHECK_APART_MAX + 1 }, (_, n) => byEnd.get(index - n) ?? ids.length);
    return ids[Math.min(...found)];
  };
  return text.items.flatMap((item) => {
    const { from, shape } = item;
    const isCheck = shape === 'plain' ? item.text.length <= 2 : shape === 'letters' && item.text.length === 1;
    const isNamed = text.tokens.slice(Math.max(0, from - CHECK_REACH), from).some(({ key }) => CHECK_WORDS.has(key));
    const id = isCheck && isNamed ? idBefore(from) : undefined;
    return id ? [entity(id.kind, [item])] : [];
  });
};

const LAST_DIGITS = /^\d{3,5}$/u;
const LAST_DIGITS_OF = [
  ['card', 'card'],
  ['iban', 'iban'],
  ['id', 'ssn'],
  ['phone', 'phone'],
] as const;

/** "the last four of my social", "the card ending in 8814" */
export const lastDigits = (text: SpokenText): Entity[] =>
  text.digitRuns.flatMap(({ items }) => {
    const at = items[0]!.from;
    if (!LAST_DIGITS.test(textOfItems(items)) || !text.isCued('lastDigits', at, CODE_REACH)) return [];
    const of = LAST_DIGITS_OF.find(([cue]) => text.isCued(cue, at, CARD_REACH));
    return of ? [entity(of[1], items)] : [];
  });
