// E-mail and web addresses, and file names, that were said word by word.
import { words } from '../languages/entry.ts';
import { digitOf } from '../numbers/english.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { lexiconOf, spokenDigit } from '../numbers/spoken/read.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { merge } from '../token.ts';

const DOMAINS =
  words(`com org net edu gov io co ai app dev info biz me tv us uk de fr es it pt nl eu ca au ch at be jp in br mx nz ie se no dk pl
  school tech cloud online shop store`);
/** Endings that are also everyday words: only after a second dot, or with more of an address around them. */
const WORDY = words('me us in at be no it is so to es de co info app store shop school tech cloud online');
const FILES = words(
  'js ts py md txt html css json xml pdf csv exe zip sh java rb go rs php yaml yml sql png jpg jpeg docx xlsx tsx jsx cpp toml env log',
);
const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['dot', '.'],
  ['punkt', '.'],
  ['punto', '.'],
  ['point', '.'],
  ['ponto', '.'],
  ['punt', '.'],
]);
const JOINERS: ReadonlyMap<string, string> = new Map([
  ['underscore', '_'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['unterstrich', '_'],
  ['bindestrich', '-'],
  ['tiret', '-'],
  ['guion', '-'],
]);
const AT = words('at @ arroba arobase chiocciola apenstaartje ät');
/** Before "at" these are verbs or pronouns, so what follows is a place on the web. */
const NOT_LOCAL =
  words(`look looking looked available visit us me it them him her you here there more working work works online is are was were
  find found shop order buy sign register live hosted stop read check website site page blog data information details arrive
  arrived meet stay stayed good great bad best only sale sold than and`);
const PROVIDERS = words('gmail yahoo hotmail outlook icloud proton protonmail aol gmx web live');

const NAME_WORDS_MAX = 24;
const PART = /^[\p{L}\p{N}][\p{L}\p{N}_'-]*$/u;
const joined = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  return token !== undefined && token.lead === '' && !token.gap.includes('\n') && at.ahead(n - 1)?.trail === '';
};

/** Names that a recogniser splits: "g mail". */
const SPLIT_NAMES: ReadonlyMap<string, string> = new Map(
  ['g mail', 'hot mail', 'i cloud', 'out look', 'proton mail', 'you tube', 'git hub', 'linked in'].map((name) => [
    name,
    name.replace(' ', ''),
  ]),
);
const isLetter = (key: string): boolean => /^[a-z]$/u.test(key);

interface Run {
  readonly text: string;
  readonly length: number;
}

/** A name, and whether it was spelled by letter. */
interface Name extends Run {
  readonly spelled: boolean;
}

interface Reader {
  readonly code: string;
  readonly dots: ReadonlyMap<string, string>;
}

/** A digit said in an address; "o" is a letter there. */
const digitIn = (key: string, code: string): string | null => {
  if (/^\d+$/u.test(key)) return key;
  const lexicon = lexiconOf(code);
  if (lexicon) return lexicon.articles.has(key) ? null : spokenDigit(key, lexicon);
  return key === 'oh' || key === 'o' ? null : digitOf(key);
};

/** One name between the marks: a word, letters and digits one by one ("b c", "j smith", "john two three"). */
const readName = (at: Cursor, n: number, code: string): Name | null => {
  const split = joined(at, n + 1) ? SPLIT_NAMES.get(`${at.key(n)} ${at.key(n + 1)}`) : undefined;
  if (split) return { text: split, length: 2, spelled: false };
  let text = '';
  let length = 0;
  let lettersOnly = true;
  while (length === 0 || joined(at, n + length)) {
    const key = at.key(n + length);
    const digit = digitIn(key, code);
    const word = PART.test(key) && !AT.has(key) && !JOINERS.has(key);
    if (digit !== null) text += digit;
    else if (isLetter(key) && lettersOnly) text += key;
    else if (word && length > 0 && lettersOnly && !WORDY.has(key) && !/^[ai]$/u.test(text)) {
      // The word ends what letters began: "j smith".
      text += key.replaceAll("'", '');
      lettersOnly = false;
    } else if (word && length === 0) {
      text = key.replaceAll("'", '');
      lettersOnly = false;
    } else break;
    length += 1;
    const next = at.key(n + length);
    if (AT.has(next) || SEPARATORS.has(next) || JOINERS.has(next)) break;
  }
  return length === 0 ? null : { text, length, spelled: lettersOnly && length > 1 };
};

/** name (dot name)+ from n on. */
const dotted = (
  at: Cursor,
  n: number,
  { code, dots }: Reader,
): (Name & { readonly parts: readonly string[] }) | null => {
  const first = readName(at, n, code);
  if (!first) return null;
  let { text, length } = first;
  const parts = [text];
  let { spelled } = first;
  for (;;) {
    const mark = joined(at, n + length) ? (dots.get(at.key(n + length)) ?? JOINERS.get(at.key(n + length))) : undefined;
    const name = mark !== undefined && joined(at, n + length + 1) ? readName(at, n + length + 1, code) : null;
    if (mark === undefined || !name) break;
    // What follows the ending of a domain is no part of it: "gmail dot com two days ago".
    const part = mark === '.' && DOMAINS.has(at.key(n + length + 1)) ? at.key(n + length + 1) : name.text;
    if (mark === '.') parts.push(part);
    else parts[parts.length - 1] += mark + part;
    text += mark + part;
    spelled = name.spelled;
    length += 1 + (part === name.text ? name.length : 1);
  }
  return { text, length, parts, spelled };
};

const isDomain = (parts: readonly string[]): boolean => {
  const last = parts.at(-1)!;
  return parts.length >= 2 && DOMAINS.has(last) && /^[\p{L}\p{N}-]+$/u.test(parts[0]!);
};

const path = (at: Cursor, n: number, code: string): Run => {
  let text = '';
  let length = 0;
  const isPart = (place: number) => joined(at, place) && PART.test(at.key(place));
  for (;;) {
    const key = joined(at, n + length) ? at.key(n + length) : '';
    const mark = key === 'slash' ? '/' : length > 0 ? JOINERS.get(key) : undefined;
    if (mark === undefined || !isPart(n + length + 1)) break;
    const part = at.key(n + length + 1);
    text += mark + (digitIn(part, code) ?? part.replaceAll("'", ''));
    length += 2;
  }
  return { text, length };
};

const email = (at: Cursor, reader: Reader): Change | null => {
  const local = dotted(at, 0, reader);
  if (!local || !joined(at, local.length) || !AT.has(at.key(local.length)) || !joined(at, local.length + 1))
    return null;
  const domain = dotted(at, local.length + 1, reader);
  // Spelled by letter on both sides it is an address, whatever its ending.
  const spelled = local.spelled && domain?.spelled && domain.parts.length > 1;
  if (!domain || !(isDomain(domain.parts) || spelled)) return null;
  if (local.length === 1 && NOT_LOCAL.has(local.text)) return null;
  const asked = [1, 2, 3, 4, 5, 6].some((n) =>
    /^(?:e-?mail|email|mail|address|adresse|dirección|correo|indirizzo|endereço|adres|contact|reach|write)$/u.test(
      at.key(-n),
    ),
  );
  const verb = /(?:ing|ed)$/u.test(local.text) && local.length === 1;
  if (verb && !asked) return null;
  // "I work at example dot com": a short local part needs a reason to be one.
  const sure =
    asked || local.length > 1 || PROVIDERS.has(domain.parts[0]!) || !/^(?:i|we|they|he|she)$/u.test(at.key(-1));
  if (!sure) return null;
  const length = local.length + 1 + domain.length;
  return {
    take: length,
    put: [merge(at.span(0, length), `${local.text}@${domain.text}`)],
    reason: 'an e-mail address',
  };
};

/** "user underscore id": no other word is said that way. */
const underscored = (at: Cursor, code: string): Change | null => {
  if (
    at.key(1) !== 'underscore' ||
    !PART.test(at.key(0)) ||
    /^(?:the|an?|this|that|one|each|with|use)$/u.test(at.key(0))
  )
    return null;
  const name = dotted(at, 0, { code, dots: new Map() });
  return name && name.length >= 3 && name.text.includes('_')
    ? { take: name.length, put: [merge(at.span(0, name.length), name.text)], reason: 'a name with an underscore' }
    : null;
};

const web = (at: Cursor, reader: Reader): Change | null => {
  const { dots } = reader;
  let skip = 0;
  let prefix = '';
  if (at.key(0) === 'w' && at.key(1) === 'w' && at.key(2) === 'w' && at.unbroken(3) && dots.has(at.key(3)))
    [skip, prefix] = [4, 'www.'];
  else if (/^www$/u.test(at.key(0)) && dots.has(at.key(1)) && joined(at, 1)) [skip, prefix] = [2, 'www.'];
  else {
    // "https colon slash slash", also spelled by letter.
    let letters = '';
    while (skip < 5 && isLetter(at.key(skip))) letters += at.key(skip++);
    const scheme = /^https?$/u.test(at.key(0)) ? at.key(0) : /^https?$/u.test(letters) ? letters : null;
    const from = scheme === at.key(0) ? 1 : skip;
    const slashes = at.key(from) === 'colon' && at.key(from + 1) === 'slash' && at.key(from + 2) === 'slash';
    [skip, prefix] = scheme && slashes ? [from + 3, `${scheme}://`] : [0, ''];
    const www = ['w', 'w', 'w'].every((letter, n) => at.key(skip + n) === letter) && dots.has(at.key(skip + 3));
    if (prefix !== '' && www) [skip, prefix] = [skip + 4, `${prefix}www.`];
  }
  const host = dotted(at, skip, reader);
  if (!host || host.length < 2 || (skip > 0 && !joined(at, skip))) return null;
  const last = host.parts.at(-1)!;
  const file = host.parts.length >= 2 && FILES.has(last);
  if (!file && !isDomain(host.parts)) return null;
  if (/^(?:the|a|an|this|that|of|is)$/u.test(host.parts[0]!)) return null;
  if (
    !file &&
    prefix === '' &&
    WORDY.has(last) &&
    host.parts.length === 2 &&
    !['co', 'info', 'app', 'de', 'es', 'it', 'store', 'shop'].includes(last)
  )
    return null;
  const tail = path(at, skip + host.length, reader.code);
  const length = skip + host.length + tail.length;
  return {
    take: length,
    put: [merge(at.span(0, length), prefix + host.text + tail.text)],
    reason: file ? 'a file name' : 'a web address',
  };
};

export const addresses: Pass = {
  name: 'addresses',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const own =
      { en: 'dot', de: 'punkt', es: 'punto', it: 'punto', fr: 'point', pt: 'ponto', nl: 'punt' }[language.code] ??
      'dot';
    const dots = new Map([...SEPARATORS].filter(([word]) => word === own || word === 'dot'));
    const marks = tokens.filter(({ key }) => dots.has(key) || JOINERS.has(key) || AT.has(key)).length;
    const begins = (key: string) => key === 'w' || key === 'h' || key === 'http' || key === 'https';
    if (marks === 0 && !tokens.some(({ key }) => begins(key))) return { tokens, marks: [] };
    const continues = (key: string) => dots.has(key) || JOINERS.has(key) || AT.has(key);
    const reader: Reader = { code: language.code, dots };
    return rewrite(tokens, 'addresses', (at) => {
      // A name of several words: "b c at", "john two three at".
      let n = 1;
      while (
        n < NAME_WORDS_MAX &&
        (isLetter(at.key(n)) || isLetter(at.key(0)) || digitIn(at.key(n), language.code) !== null)
      )
        n += 1;
      if (!begins(at.key(0)) && !continues(at.key(1)) && !continues(at.key(n)) && !isLetter(at.key(0))) return null;
      // A number before it may belong to it, and nothing says how.
      const before = at.behind(1);
      if (before?.trail === '' && isNumberWord(before.key, language.code) && digitIn(at.key(0), language.code) !== null)
        return null;
      return email(at, reader) ?? web(at, reader) ?? underscored(at, language.code);
    });
  },
};
