// Reads numbers and spelled letters, spoken or written.
import { Cursor } from '../cursor.ts';
import { languageOf } from '../language.ts';
import { REPEATED_DIGITS } from '../numbers/english/lexicon.ts';
import { digitOf, readNumber } from '../numbers/english/read-number.ts';
import { numberLanguageOf } from '../numbers/languages.ts';
import type { NumberLanguage } from '../numbers/number-language.ts';
import { readSpoken, spokenDigit, spokenOrdinal } from '../numbers/other-languages/read-spoken.ts';
import { PERCENT_FIRST } from '../numbers/other-languages/words.ts';
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import {
  DOT_WORDS,
  LETTER_NAMES,
  LETTER_PHRASES,
  PERCENT_LAST,
  PLUS_WORDS,
  POSITIONS,
  REPETITIONS,
  SEPARATOR_WORDS,
  SPELLED_LIKE,
  TIMES_ARTICLES,
  TIMES_WORDS,
  UNITS,
} from './words.ts';

/** plain: may be part of a longer number. amount: money, percent, a decimal, a time, or a number with its unit. */
export type Shape = 'plain' | 'letters' | 'code' | 'amount' | 'ordinal' | 'dotted' | 'slashed';

/** A number or a sequence of letters. */
export interface Item {
  /** Its tokens: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Only digits and capital letters. */
  readonly text: string;
  /** Groups of digits, as written or spoken. */
  readonly groups: readonly string[];
  readonly shape: Shape;
  readonly hasPlus: boolean;
}

const CODE = /^[A-Z]{0,4}\d[A-Z\d]*$/u;
const MONEY = /^[$€£¥]|[$€£¥%]$/u;

const shapeOfWritten = (core: string): Shape => {
  const bare = core.replace(/^\(|\)$/gu, '');
  if (MONEY.test(bare) || /^\d{1,2}:\d{2}/u.test(bare)) return 'amount';
  // "249,90 euro"
  if (/^[\d.,]+\s\p{L}{2,}$/u.test(bare)) return 'amount';
  if (/^\d+(?:st|nd|rd|th|ST|ND|RD|TH|\.?[ºª]|er|ème|e|de|ste)$/u.test(bare)) return 'ordinal';
  if (/^\d{1,3}(?:[.,]\d{3})+$/u.test(bare) && !/^\d{3}\.\d{3}\.\d{3}/u.test(bare)) return 'amount';
  if (/^\d{1,6}[.,]\d{1,4}$/u.test(bare)) return 'amount';
  if (/^\d+(?:\.\d+){2,}(?:-\d+)?$/u.test(bare)) return 'dotted';
  if (/^\d+(?:\/\d+)+$/u.test(bare)) return 'slashed';
  if (/^[+(]*\d[\d\s()./\-–]*$/u.test(core)) return 'plain';
  return CODE.test(bare.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')) ? 'code' : 'amount';
};

const alphanumeric = (text: string): string => text.toUpperCase().replace(/[^A-Z\d]/gu, '');

interface Reader {
  readonly at: Cursor;
  readonly tokens: readonly Token[];
}

const item = (from: number, to: number, text: string, shape: Shape = 'plain', more: Partial<Item> = {}): Item => ({
  from,
  to,
  text,
  groups: [text],
  shape,
  hasPlus: false,
  ...more,
});

const readWritten = ({ tokens }: Reader, index: number): Item => {
  const { core } = tokens[index]!;
  const shape = shapeOfWritten(core);
  const groups = core.match(/\d+/gu) ?? [];
  const text = shape === 'ordinal' ? groups.join('') : alphanumeric(core);
  return item(index, index + 1, text, shape, { groups, hasPlus: core.startsWith('+') });
};

const LETTERS = /^(?:\p{Lu}|\p{Lu}{2,5}|\p{L}(?:-\p{L})+|\p{L})$/u;

/** The end of "D wie Dora" or "N for November", of which only the letter counts. */
const spelledEnd = (tokens: readonly Token[], index: number, letter: string): number => {
  const next = tokens[index + 1];
  if (letter.length !== 1 || !next || !SPELLED_LIKE.has(next.key)) return index + 1;
  const isLong = next.key === 'as' && tokens[index + 2]?.key === 'in';
  const at = index + (isLong ? 3 : 2);
  return alphanumeric(tokens[at]?.core ?? '').startsWith(letter) ? at + 1 : index + 1;
};

/** Abbreviations that name the number after them and are not part of it: "my BSN", "NHS". */
const NAMES_OF_CODES =
  /^(?:ahv|bic|blz|bsn|cni|cnpj|cpf|cvc|cvv|dni|dob|ean|iban|insz|isbn|nhs|nib|nie|nif|nino|nir|niss|nss|plz|rib|rma|sku|ssn|svnr)$/u;

const letterPhrase = (tokens: readonly Token[], index: number): string | undefined =>
  tokens[index]!.trail === '' ? LETTER_PHRASES.get(tokens[index]!.key)?.get(tokens[index + 1]?.key ?? '') : undefined;

const readLetters = ({ tokens }: Reader, index: number): Item | null => {
  const { core, key, language } = tokens[index]!;
  const phrase = letterPhrase(tokens, index);
  if (phrase !== undefined) return item(index, index + 2, phrase, 'letters');
  const name = LETTER_NAMES.get(languageOf(language)?.code ?? 'en')?.get(key);
  if (name !== undefined) return item(index, spelledEnd(tokens, index, name), name, 'letters');
  const text = alphanumeric(core);
  if (NAMES_OF_CODES.test(key) || text === '' || !LETTERS.test(core) || /\d/u.test(core)) return null;
  return item(index, spelledEnd(tokens, index, text), text, 'letters');
};

/** Round millions are counts. Other millions may be ids, because Spanish ids are spoken as millions. */
const isMillions = (value: number): boolean => value >= 1_000_000 && value % 1_000_000 === 0;

const readEnglish = ({ at, tokens }: Reader, index: number): Item | null => {
  const { key } = tokens[index]!;
  at.index = index;
  const copies = REPEATED_DIGITS.get(key);
  if (copies !== undefined) {
    const digit = /^\d$/u.test(at.key(1)) ? at.key(1) : digitOf(at.key(1));
    return digit === null ? null : item(index, index + 2, digit.repeat(copies));
  }
  if (key === 'oh' || key === 'o') return item(index, index + 1, '0');
  const number = readNumber(at);
  if (!number || number.vague) return null;
  const shape = number.kind === 'ordinal' ? 'ordinal' : isMillions(number.value) ? 'amount' : 'plain';
  return item(index, index + number.length, String(number.value), shape);
};

const readOther = ({ at, tokens }: Reader, index: number, language: NumberLanguage): Item | null => {
  const { key } = tokens[index]!;
  at.index = index;
  const isTimes = TIMES_WORDS.has(at.key(1));
  const copies = REPETITIONS.get(key) ?? (isTimes ? Number(spokenDigit(key, language) ?? 0) : 0);
  if (copies > 1) {
    const said = isTimes ? 2 : 1;
    const digitAt = said + (TIMES_ARTICLES.has(at.key(said)) ? 1 : 0);
    const repeated = spokenDigit(at.key(digitAt), language);
    if (repeated !== null) return item(index, index + digitAt + 1, repeated.repeat(copies));
  }
  const number = readSpoken(at, 0, language);
  if (number)
    return item(index, index + number.length, String(number.value), isMillions(number.value) ? 'amount' : 'plain');
  const digit = spokenDigit(key, language);
  if (digit !== null) return item(index, index + 1, digit);
  const ordinal = spokenOrdinal(key, language);
  return ordinal === null ? null : item(index, index + 1, String(ordinal), 'ordinal');
};

/** Words that are a digit only next to other digits: "oh", "ein", "un", "meia". */
const isDoubtful = ({ key, language }: Token): boolean => {
  const numbers = numberLanguageOf(languageOf(language)?.code ?? null);
  if (!numbers) return key === 'oh' || key === 'o';
  return numbers.articles.has(key) || numbers.digitsInRuns.has(key);
};

const hasUnit = (tokens: readonly Token[], { to }: Item): boolean => {
  const last = tokens[to - 1]!;
  const next = tokens[to];
  if (next === undefined || last.trail !== '') return false;
  return UNITS.has(next.key) || (PERCENT_FIRST.has(next.key) && PERCENT_LAST.has(tokens[to + 1]?.key ?? ''));
};

const isDoubtfulItem = (tokens: readonly Token[], { from, to }: Item): boolean =>
  to - from === 1 && isDoubtful(tokens[from]!);

/** Whether an item continues the digits of the one before or after it. */
const isJoined = (tokens: readonly Token[], items: readonly Item[], at: number, step: -1 | 1): boolean => {
  const [each, next] = [items[at]!, items[at + step]];
  const isLetter = next?.shape === 'letters' && /^\p{Lu}+$/u.test(tokens[next.from]!.core);
  if (!next || (next.shape !== 'plain' && !isLetter)) return false;
  const [from, to] = step === 1 ? [each.to, next.from] : [next.to, each.from];
  return to - from < 1 || (to - from === 1 && DOT_WORDS.has(tokens[from]!.key));
};

/** For each item, whether a certain digit is next to it, or next to the doubtful ones there: "een een twee". */
const besideDigits = (tokens: readonly Token[], items: readonly Item[], step: -1 | 1): readonly boolean[] => {
  const isBeside: boolean[] = [];
  // Each answer builds on that of the neighbour, because a run of doubtful digits may be as long as the text.
  for (let n = 0; n < items.length; n++) {
    const at = step === 1 ? items.length - 1 - n : n;
    const isKnown = isJoined(tokens, items, at, step);
    isBeside[at] = isKnown && (!isDoubtfulItem(tokens, items[at + step]!) || isBeside[at + step]!);
  }
  return isBeside;
};

const DETERMINERS = wordsOfAll({ en: 'the this that which my your his her our their other another a' });
const BEFORE_DIGITS = /^(?:numbers?|digits?|codes?|is|was|on|at|to)$|'s$/u;

/** "my NHS one, nine four three", "the old one was 19": "one" is a pronoun. */
const isPronoun = (tokens: readonly Token[], { from, to }: Item, next: Item | undefined): boolean => {
  const [before, first, after] = [tokens[from - 1], tokens[from - 2], tokens[to]];
  if (tokens[from]!.key !== 'one' || to - from > 1 || !before || before.trail !== '') return false;
  const isNoun = DETERMINERS.has(before.key) || (DETERMINERS.has(first?.key ?? '') && !BEFORE_DIGITS.test(before.key));
  const isAlone =
    after !== undefined && next?.from !== to && !DOT_WORDS.has(after.key) && !SEPARATOR_WORDS.has(after.key);
  // Digits spoken one by one may have commas too.
  return isNoun && (tokens[from]!.trail === '' ? isAlone : after?.trail === '');
};

/** "the first four, 4002": a count of digits, not a digit. */
const isCount = (tokens: readonly Token[], { from, to, text }: Item): boolean => {
  if (to - from > 1 || !/^[2-8]$/u.test(text)) return false;
  if (POSITIONS.has(tokens[to]?.key ?? '') && tokens[from]!.trail === '') return true;
  const isEnd = tokens[from]!.trail !== '' || /^(?:are|is|sind|zijn|sono|son|são)$/u.test(tokens[to]?.key ?? '');
  return isEnd && POSITIONS.has(tokens[from - 1]?.key ?? '');
};

/** All numbers and letter sequences of a text, in order. */
export const readItems = (tokens: readonly Token[]): Item[] => {
  const reader: Reader = { at: new Cursor(tokens, []), tokens };
  const items: Item[] = [];
  let hasPlus = false;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]!;
    const code = languageOf(token.language)?.code ?? 'en';
    const numbers = numberLanguageOf(code);
    const spoken = () => (numbers ? readOther(reader, index, numbers) : readEnglish(reader, index));
    const found = /\d/u.test(token.core) ? readWritten(reader, index) : (spoken() ?? readLetters(reader, index));
    if (!found) {
      hasPlus = PLUS_WORDS.has(token.key);
      index += 1;
      continue;
    }
    const shape = found.shape === 'plain' && hasUnit(tokens, found) ? 'amount' : found.shape;
    items.push({ ...found, from: found.from - (hasPlus ? 1 : 0), shape, hasPlus: found.hasPlus || hasPlus });
    hasPlus = false;
    index = found.to;
  }
  const [isAfterDigit, isBeforeDigit] = ([-1, 1] as const).map((step) => besideDigits(tokens, items, step));
  return items
    .filter((each, n) => !isDoubtfulItem(tokens, each) || isAfterDigit![n] || isBeforeDigit![n])
    .filter((each, n, all) => !isPronoun(tokens, each, all[n + 1]) && !isCount(tokens, each));
};

export const textOfItems = (items: readonly Item[]): string => items.map(({ text }) => text).join('');
