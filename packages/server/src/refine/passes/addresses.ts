// E-mail and web addresses, and file names, that were said word by word.
import { words } from '../languages/entry.ts';
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

const PART = /^[\p{L}\p{N}][\p{L}\p{N}_'-]*$/u;
const joined = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  return token !== undefined && token.lead === '' && !token.gap.includes('\n') && at.ahead(n - 1)?.trail === '';
};

const DIGIT_WORDS = new Map(
  'zero one two three four five six seven eight nine'.split(' ').map((word, n) => [word, String(n)]),
);
const plain = (key: string): string => DIGIT_WORDS.get(key) ?? key.replaceAll("'", '');

interface Run {
  readonly text: string;
  readonly length: number;
}

/** word (dot word)+ from n on. */
const dotted = (at: Cursor, n: number, dots: ReadonlyMap<string, string>): (Run & { parts: string[] }) | null => {
  if (!PART.test(at.key(n))) return null;
  let text = plain(at.key(n));
  const parts = [text];
  let length = 1;
  for (;;) {
    const mark = joined(at, n + length) ? (dots.get(at.key(n + length)) ?? JOINERS.get(at.key(n + length))) : undefined;
    if (mark === undefined || !joined(at, n + length + 1) || !PART.test(at.key(n + length + 1))) break;
    const part = plain(at.key(n + length + 1));
    if (mark === '.') parts.push(part);
    else parts[parts.length - 1] += mark + part;
    text += mark + part;
    length += 2;
  }
  return { text, length, parts };
};

const isDomain = (parts: readonly string[]): boolean => {
  const last = parts.at(-1)!;
  return parts.length >= 2 && DOMAINS.has(last) && /^[\p{L}\p{N}-]+$/u.test(parts[0]!);
};

const path = (at: Cursor, n: number): Run => {
  let text = '';
  let length = 0;
  while (
    joined(at, n + length) &&
    at.key(n + length) === 'slash' &&
    joined(at, n + length + 1) &&
    PART.test(at.key(n + length + 1))
  ) {
    text += `/${plain(at.key(n + length + 1))}`;
    length += 2;
  }
  return { text, length };
};

const email = (at: Cursor, dots: ReadonlyMap<string, string>): Change | null => {
  const local = dotted(at, 0, dots);
  if (!local || !joined(at, local.length) || !AT.has(at.key(local.length)) || !joined(at, local.length + 1))
    return null;
  const domain = dotted(at, local.length + 1, dots);
  if (!domain || !isDomain(domain.parts)) return null;
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
const underscored = (at: Cursor): Change | null => {
  if (
    at.key(1) !== 'underscore' ||
    !PART.test(at.key(0)) ||
    /^(?:the|an?|this|that|one|each|with|use)$/u.test(at.key(0))
  )
    return null;
  const name = dotted(at, 0, new Map());
  return name && name.length >= 3 && name.text.includes('_')
    ? { take: name.length, put: [merge(at.span(0, name.length), name.text)], reason: 'a name with an underscore' }
    : null;
};

const web = (at: Cursor, dots: ReadonlyMap<string, string>): Change | null => {
  let skip = 0;
  let prefix = '';
  if (at.key(0) === 'w' && at.key(1) === 'w' && at.key(2) === 'w' && at.unbroken(3) && dots.has(at.key(3)))
    [skip, prefix] = [4, 'www.'];
  else if (/^www$/u.test(at.key(0)) && dots.has(at.key(1)) && joined(at, 1)) [skip, prefix] = [2, 'www.'];
  else if (/^https?$/u.test(at.key(0)) && at.key(1) === 'colon' && at.key(2) === 'slash' && at.key(3) === 'slash')
    [skip, prefix] = [4, `${at.key(0)}://`];
  const host = dotted(at, skip, dots);
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
  const tail = path(at, skip + host.length);
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
    const continues = (key: string) => dots.has(key) || JOINERS.has(key) || AT.has(key);
    const begins = (key: string) => key === 'w' || key === 'http' || key === 'https';
    return rewrite(tokens, 'addresses', (at) =>
      continues(at.key(1)) || begins(at.key(0)) ? (email(at, dots) ?? web(at, dots) ?? underscored(at)) : null,
    );
  },
};
