// Writes e-mail addresses, web addresses and file names that were spoken word by word.
import type { Cursor } from '../cursor.ts';
import { digitOf } from '../numbers/english/read-number.ts';
import { numberLanguageOf } from '../numbers/languages.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { spokenDigit } from '../numbers/other-languages/read-spoken.ts';
import { type Change, type Pass, rulePass } from '../rewrite.ts';
import { merge } from '../token.ts';
import * as words from './words/addresses.ts';

const NAME_WORDS_MAX = 24;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_'-]*$/u;
const isLetter = (key: string): boolean => /^[a-z]$/u.test(key);
const withoutApostrophes = (key: string): string => key.replaceAll("'", '');

interface Run {
  readonly text: string;
  readonly length: number;
}

interface Name extends Run {
  /** Spelled letter by letter. */
  readonly spelled: boolean;
}

interface DottedName extends Name {
  readonly parts: readonly string[];
}

interface Reader {
  readonly code: string;
  readonly isDot: (key: string) => boolean;
}

/** A digit in an address, where "o" is a letter. */
const digitIn = (key: string, code: string): string | null => {
  if (/^\d+$/u.test(key)) return key;
  const language = numberLanguageOf(code);
  if (language) return language.articles.has(key) ? null : spokenDigit(key, language);
  return key === 'oh' || key === 'o' ? null : digitOf(key);
};

/** Reads one name between marks: a word, or letters and digits one by one ("b c", "j smith", "john two three"). */
const readName = (at: Cursor, n: number, code: string): Name | null => {
  const split = at.joined(n + 1) ? words.SPLIT_NAMES.get(`${at.key(n)} ${at.key(n + 1)}`) : undefined;
  if (split) return { text: split, length: 2, spelled: false };
  let text = '';
  let length = 0;
  let lettersOnly = true;
  while (length === 0 || at.joined(n + length)) {
    const key = at.key(n + length);
    const digit = digitIn(key, code);
    const isWord = NAME.test(key) && !words.AT_SIGN.has(key) && !words.JOINERS.has(key);
    // "j smith": a word may end a run of letters.
    const endsLetters = length > 0 && lettersOnly && !words.WORDY_DOMAINS.has(key) && !/^[ai]$/u.test(text);
    if (digit !== null) text += digit;
    else if (isLetter(key) && lettersOnly) text += key;
    else if (isWord && (length === 0 || endsLetters)) {
      text += withoutApostrophes(key);
      lettersOnly = false;
    } else break;
    length += 1;
    const next = at.key(n + length);
    if (words.AT_SIGN.has(next) || words.DOT_WORDS_OF_ALL.has(next) || words.JOINERS.has(next)) break;
  }
  return length === 0 ? null : { text, length, spelled: lettersOnly && length > 1 };
};

/** Reads names joined by dots and other marks, starting at word n. */
const readDotted = (at: Cursor, n: number, reader: Reader): DottedName | null => {
  const first = readName(at, n, reader.code);
  if (!first) return null;
  let { text, length, spelled } = first;
  const parts = [text];
  for (;;) {
    const key = at.joinedKey(n + length);
    const mark = reader.isDot(key) ? '.' : words.JOINERS.get(key);
    const name = mark !== undefined && at.joined(n + length + 1) ? readName(at, n + length + 1, reader.code) : null;
    if (mark === undefined || !name) break;
    // A domain ending ends the name: "gmail dot com two days ago".
    const part = mark === '.' && words.DOMAINS.has(at.key(n + length + 1)) ? at.key(n + length + 1) : name.text;
    if (mark === '.') parts.push(part);
    else parts[parts.length - 1] += mark + part;
    text += mark + part;
    spelled = name.spelled;
    length += 1 + (part === name.text ? name.length : 1);
  }
  return { text, length, parts, spelled };
};

const isDomain = (parts: readonly string[]): boolean =>
  parts.length >= 2 && words.DOMAINS.has(parts.at(-1)!) && /^[\p{L}\p{N}-]+$/u.test(parts[0]!);

const readPath = (at: Cursor, n: number, code: string): Run => {
  let text = '';
  let length = 0;
  for (;;) {
    const key = at.joinedKey(n + length);
    const mark = key === 'slash' ? '/' : length > 0 ? words.JOINERS.get(key) : undefined;
    const part = at.joinedKey(n + length + 1);
    if (mark === undefined || !NAME.test(part)) return { text, length };
    text += mark + (digitIn(part, code) ?? withoutApostrophes(part));
    length += 2;
  }
};

const email = (at: Cursor, reader: Reader): Change | null => {
  const local = readDotted(at, 0, reader);
  if (!local || !words.AT_SIGN.has(at.joinedKey(local.length)) || !at.joined(local.length + 1)) return null;
  const domain = readDotted(at, local.length + 1, reader);
  if (!domain) return null;
  // If both sides are spelled out, any domain ending is accepted.
  const isSpelled = local.spelled && domain.spelled && domain.parts.length > 1;
  if (!isDomain(domain.parts) && !isSpelled) return null;
  if (local.length === 1 && words.NOT_LOCAL.has(local.text)) return null;
  const isAnnounced = at.someBehind(6, (key) => words.ANNOUNCES_EMAIL.has(key));
  const isVerb = /(?:ing|ed)$/u.test(local.text) && local.length === 1;
  if (isVerb && !isAnnounced) return null;
  // "I work at example dot com"
  const isSure =
    isAnnounced || local.length > 1 || words.MAIL_PROVIDERS.has(domain.parts[0]!) || !words.SUBJECTS.has(at.key(-1));
  if (!isSure) return null;
  const length = local.length + 1 + domain.length;
  return {
    take: length,
    put: [merge(at.span(0, length), `${local.text}@${domain.text}`)],
    reason: 'an e-mail address',
  };
};

/** "user underscore id" */
const underscored = (at: Cursor, code: string): Change | null => {
  if (at.key(1) !== 'underscore' || !NAME.test(at.key(0)) || words.BEFORE_MENTIONED_UNDERSCORE.has(at.key(0)))
    return null;
  const name = readDotted(at, 0, { code, isDot: () => false });
  return name && name.length >= 3 && name.text.includes('_')
    ? { take: name.length, put: [merge(at.span(0, name.length), name.text)], reason: 'a name with an underscore' }
    : null;
};

const WWW = ['w', 'w', 'w'];

/** Reads what precedes the host: "www dot", "w w w dot" or "https colon slash slash", also spelled out. */
const readPrefix = (at: Cursor, { isDot }: Reader): Run => {
  if (at.says(WWW) && at.unbroken(3) && isDot(at.key(3))) return { text: 'www.', length: 4 };
  if (at.key(0) === 'www' && isDot(at.joinedKey(1))) return { text: 'www.', length: 2 };
  let letters = '';
  let length = 0;
  while (length < 5 && isLetter(at.key(length))) letters += at.key(length++);
  const isScheme = (text: string) => /^https?$/u.test(text);
  const scheme = isScheme(at.key(0)) ? at.key(0) : isScheme(letters) ? letters : null;
  const from = scheme === at.key(0) ? 1 : length;
  if (!scheme || !at.says(['colon', 'slash', 'slash'], from)) return { text: '', length: 0 };
  const host = from + 3;
  const hasWww = at.says(WWW, host) && isDot(at.key(host + 3));
  return { text: `${scheme}://${hasWww ? 'www.' : ''}`, length: hasWww ? host + 4 : host };
};

const web = (at: Cursor, reader: Reader): Change | null => {
  const prefix = readPrefix(at, reader);
  const host = readDotted(at, prefix.length, reader);
  if (!host || host.length < 2 || (prefix.length > 0 && !at.joined(prefix.length))) return null;
  const last = host.parts.at(-1)!;
  const isFile = host.parts.length >= 2 && words.FILE_ENDINGS.has(last);
  if ((!isFile && !isDomain(host.parts)) || words.NOT_A_HOST.has(host.parts[0]!)) return null;
  const isBare = !isFile && prefix.length === 0 && host.parts.length === 2;
  if (isBare && words.WORDY_DOMAINS.has(last) && !words.USUAL_WORDY_DOMAINS.has(last)) return null;
  const path = readPath(at, prefix.length + host.length, reader.code);
  const length = prefix.length + host.length + path.length;
  return {
    take: length,
    put: [merge(at.span(0, length), prefix.text + host.text + path.text)],
    reason: isFile ? 'a file name' : 'a web address',
  };
};

export const addresses: Pass = rulePass('addresses', ({ code }, tokens) => {
  const dotWord = words.DOT_WORDS[code] ?? 'dot';
  const isDot = (key: string) => key === 'dot' || key === dotWord;
  const isMark = (key: string) => isDot(key) || words.JOINERS.has(key) || words.AT_SIGN.has(key);
  if (!tokens.some(({ key }) => isMark(key) || words.ADDRESS_STARTS.has(key))) return null;
  return (at) => {
    const here = at.key(0);
    // Skip a name of several words: "b c at", "john two three at".
    let n = 1;
    while (n < NAME_WORDS_MAX && (isLetter(at.key(n)) || isLetter(here) || digitIn(at.key(n), code) !== null)) n += 1;
    if (!words.ADDRESS_STARTS.has(here) && !isMark(at.key(1)) && !isMark(at.key(n)) && !isLetter(here)) return null;
    // It is unclear whether a number right before belongs to the address, so leave both as spoken.
    const before = at.behind(1);
    if (before?.trail === '' && isNumberWord(before.key, code) && digitIn(here, code) !== null) return null;
    const reader: Reader = { code, isDot };
    return email(at, reader) ?? web(at, reader) ?? underscored(at, code);
  };
});
