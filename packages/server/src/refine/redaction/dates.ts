// Finds dates, including dates of birth.
import { languageOf, monthsOfAll } from '../language.ts';
import { numberLanguageOf } from '../numbers/languages.ts';
import { wordsOfAll } from '../words.ts';
import { ClaimedTokens } from './claimed-tokens.ts';
import { feastAt } from './holidays.ts';
import { isNearCard, isSoonAfterCard } from './numbers/cards.ts';
import { type Item, textOfItems } from './spoken-codes.ts';
import type { Entity, SpokenText } from './spoken-text.ts';

const BIRTH_REACH = 9;
const BIRTH_AFTER_REACH = 6;
const EXPIRY_REACH = 8;
const JOINTS_MAX = 2;
const WRITTEN = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2})$/u;

interface FoundDate {
  readonly from: number;
  readonly to: number;
}

const isDay = (item: Item | undefined): item is Item =>
  item !== undefined && /^\d{1,2}$/u.test(item.text) && Number(item.text) >= 1 && Number(item.text) <= 31;

const isPlain = (item: Item | undefined): boolean => item?.shape === 'plain';

const isYear = (item: Item | undefined): boolean => /^(?:1\d|20|21)\d{2}$/u.test(item?.text ?? '');

/** The end of a year that starts at `index`: "1985", "nineteen eighty-five", "85". */
const yearEnd = (text: SpokenText, index: number): number | null => {
  const first = text.itemAt(index);
  if (first && isYear(first)) return first.to;
  const second = first && text.itemAt(first.to);
  if (first && second && /^(?:1[89]|20)$/u.test(first.text) && /^\d{2}$/u.test(second.text)) return second.to;
  return first && /^\d{2}$/u.test(first.text) && first.shape === 'plain' ? first.to : null;
};

const yearAfter = (text: SpokenText, index: number): number | null =>
  yearEnd(text, index) ?? (text.says('dateJoint', index) ? yearEnd(text, index + 1) : null);

/** Skips words such as "of the" and "del". */
const afterJoints = (text: SpokenText, index: number): number => {
  let at = index;
  while (at < index + JOINTS_MAX && text.says('dateJoint', at)) at += 1;
  return at;
};

/** "een februari": the first of the month, although the word is otherwise an article. */
const isFirstDay = ({ tokens }: SpokenText, index: number): boolean => {
  const { key = '', language = null } = tokens[index] ?? {};
  return numberLanguageOf(languageOf(language)?.code ?? null)?.articles.has(key) ?? false;
};

const dateAround = (text: SpokenText, month: number): FoundDate | null => {
  // "l'otto marzo"
  const isElided = /^(?:dal|del|al|nel)?l'(?:otto|undici|8|11)$/u.test(text.tokens[month - 1]?.key ?? '');
  if (isElided || isFirstDay(text, month - 1)) return { from: month - 1, to: yearAfter(text, month + 1) ?? month + 1 };
  const before = text.itemBefore(month) ?? (text.says('dateJoint', month - 1) ? text.itemBefore(month - 1) : undefined);
  if (isDay(before)) return { from: before.from, to: yearAfter(text, month + 1) ?? month + 1 };
  const after = text.itemAt(month + 1) ?? (text.says('dateJoint', month + 1) ? text.itemAt(month + 2) : undefined);
  const isEnglish = languageOf('en')!.months.has(text.tokens[month]!.key) || text.codeAt(month) === 'en';
  const isYearFirst = isYear(before) && isDay(after);
  if (isDay(after) && (after.shape === 'ordinal' || isEnglish))
    return { from: isYearFirst ? before!.from : month, to: yearAfter(text, after.to) ?? after.to };
  const yearAt = afterJoints(text, month + 1);
  const year = text.itemAt(yearAt);
  const isShort = year !== undefined && text.tokensSince('expiry', month, EXPIRY_REACH) !== null;
  if (!year || !(isYear(year) || isShort)) return null;
  const to = yearEnd(text, yearAt);
  return to === null ? null : { from: month, to };
};

/** "fünfter dritter neunzehnhundertfünfundachtzig", "5 3 1985", "cinco del tres del ochenta y cinco" */
const numericDate = (text: SpokenText, index: number): FoundDate | null => {
  const day = text.itemAt(index);
  const month = day && text.itemAt(afterJoints(text, day.to));
  if (!isDay(day) || !isDay(month)) return null;
  const yearAt = afterJoints(text, month.to);
  const end = yearEnd(text, yearAt);
  const isOrdinal = day.shape === 'ordinal' && month.shape === 'ordinal';
  const year = text.itemAt(yearAt);
  const isWholeYear = isYear(year) || (year !== undefined && end !== year.to);
  const isJoined = month.from > day.to && yearAt > month.to;
  // Part of a longer run of numbers is not a date: "06 12 19 85 44".
  const isAlone = !isPlain(text.itemBefore(index)) && !(end !== null && isPlain(text.itemAt(end))) && !day.hasPlus;
  if (!isOrdinal && !isAlone) return null;
  const isSure = isOrdinal || isWholeYear || (isJoined && text.isCued('birth', index, BIRTH_REACH));
  return end !== null && isSure ? { from: index, to: end } : null;
};

/** Requires a plausible day and month, because 20-32-06 is a sort code. */
const isWrittenDate = (core: string): boolean => {
  const short = (WRITTEN.test(core) ? (core.match(/\d+/gu) ?? []) : []).filter(({ length }) => length <= 2).map(Number);
  return short.filter((n) => n >= 1 && n <= 31).length >= 2 && short.some((n) => n >= 1 && n <= 12);
};

const datesIn = (text: SpokenText): FoundDate[] => {
  const found: FoundDate[] = [];
  const claimed = new ClaimedTokens();
  text.tokens.forEach((token, index) => {
    // Not a month if it reads as a number: in French, "sept" is seven.
    const isShortMonth = MONTH_ABBREVIATIONS.has(token.key) && !text.itemAt(index);
    const isOwnMonth = languageOf(token.language)?.months.has(token.key);
    // The speech may be in another language than requested. "Mars 2020" is a space mission.
    const isMonth = isShortMonth || isOwnMonth || (monthsOfAll.has(token.key) && token.key !== 'mars');
    const date = isWrittenDate(token.core)
      ? { from: index, to: index + 1 }
      : isMonth
        ? dateAround(text, index)
        : (feastAt(text, index) ?? numericDate(text, index));
    if (!date || claimed.overlaps(date)) return;
    claimed.add(date);
    found.push(date);
  });
  return found;
};

/** They occur only in written text. */
const MONTH_ABBREVIATIONS: ReadonlySet<string> = new Set('jan feb mar apr jun jul aug sep sept oct nov dec'.split(' '));

const TITLES = wordsOfAll({
  en: 'mr mrs ms miss patient son daughter mother father pupil student',
  de: 'herr herrn frau patient patientin sohn tochter mutter vater schüler schülerin',
  es: 'señor señora don doña paciente hijo hija madre padre alumno alumna',
  fr: 'monsieur madame mademoiselle m mme patient patiente fils fille mère père élève',
  it: 'signor signora signore signorina paziente figlio figlia madre padre alunno alunna',
  pt: 'senhor senhora dona paciente utente filho filha mãe pai aluno aluna',
  nl: 'meneer mevrouw heer patiënt patiënte zoon dochter moeder vader leerling',
});
const TITLE_REACH = 4;
/** Plausible years of birth. */
const BIRTH_YEAR = /(?<!\d)(?:19\d{2}|20[01]\d|[3-9]\d)$|^(?:19\d{2}|20[01]\d)(?!\d)/u;

const hasPlausibleBirthYear = (text: SpokenText, { from, to }: FoundDate): boolean => {
  const { core } = text.tokens[from]!;
  const numbers = text.itemsIn(from, to);
  return BIRTH_YEAR.test(WRITTEN.test(core) ? core : textOfItems(numbers.slice(1)));
};

/** "Mrs Patel, 14 February 1947, here for her check": a date that identifies a person. */
const isOfPerson = (text: SpokenText, { from, to }: FoundDate): boolean => {
  const before = text.tokens.slice(Math.max(0, from - TITLE_REACH), from);
  const isSetOff = before.at(-1)?.trail === ',' && text.tokens[to - 1]!.trail !== '';
  const title = before.findLastIndex(({ key }) => TITLES.has(key));
  if (!isSetOff || title === -1 || before.slice(title + 1).some(({ trail }) => /[!?;:]/u.test(trail))) return false;
  return hasPlausibleBirthYear(text, { from, to });
};

/** "je suis du 19 novembre 1966" */
const I_AM_OF =
  /(?:^| )(?:je suis (?:née? )?du|soy del?|sono del(?:l')?|io sono del|sou d[eo]|ik ben van|ich bin vom)(?: \S+)?$/u;

const isMine = (text: SpokenText, { from, to }: FoundDate): boolean => {
  return I_AM_OF.test(text.keys(Math.max(0, from - TITLE_REACH), from)) && hasPlausibleBirthYear(text, { from, to });
};

const isBirth = (text: SpokenText, { from, to }: FoundDate): boolean =>
  text.tokensSince('birth', from, BIRTH_REACH) !== null ||
  isOfPerson(text, { from, to }) ||
  isMine(text, { from, to }) ||
  text.isNamedAfter('birth', to, BIRTH_AFTER_REACH);

/** "September 2028", without a day. */
const isMonthOfYear = (text: SpokenText, { from }: FoundDate): boolean => {
  const first = text.itemAt(afterJoints(text, from + 1));
  return !text.itemAt(from) && (isYear(first) || first?.text === '20');
};

const [MONTH, DAY, YEAR] = ['(?:0?[1-9]|1[0-2])', '(?:0?[1-9]|[12]\\d|3[01])', '(?:(?:1[89]|20)\\d{2}|\\d{2})'];
const DIGITS = new RegExp(`^(?:${MONTH}${DAY}${YEAR}|${DAY}${MONTH}${YEAR}|${YEAR}${MONTH}${DAY})$`, 'u');
/** Whether digits may be a date in one of the usual orders: "050385", "5385", "19850305". */
const isDateOfDigits = (digits: string): boolean => digits.length >= 5 && DIGITS.test(digits);

export const dates = (text: SpokenText): Entity[] => {
  const found = datesIn(text).map((date): Entity => {
    const kind = isBirth(text, date)
      ? 'dob'
      : (text.tokensSince('expiry', date.from, EXPIRY_REACH) !== null && isNearCard(text, date.from)) ||
          (isMonthOfYear(text, date) && isSoonAfterCard(text, date.from, EXPIRY_REACH))
        ? 'card_expiry'
        : 'date';
    return { kind, ...date, value: text.keys(date.from, date.to) };
  });
  // After a birth cue, digits alone are a date: "oh five oh three eighty-five".
  const claimed = new ClaimedTokens(found);
  const births = new Set(found.filter(({ kind }) => kind === 'dob').map(({ to }) => to));
  const isSoonAfterBirth = (index: number): boolean =>
    Array.from({ length: BIRTH_REACH + 1 }, (_, n) => index - n).some((end) => births.has(end));
  const spoken = text.digitRuns.flatMap(({ items }): Entity[] => {
    const digits = textOfItems(items);
    const [from, to] = [items[0]!.from, items.at(-1)!.to];
    const isDate = isDateOfDigits(digits) && !isSoonAfterBirth(from) && text.isCued('birth', from, BIRTH_REACH);
    return isDate && !claimed.overlaps({ from, to }) ? [{ kind: 'dob', from, to, value: digits }] : [];
  });
  return [...found, ...spoken];
};
