// Finds written and spoken e-mail addresses.
import { isCommon, isFiller } from '../language.ts';
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import { isCorrection } from './runs.ts';
import type { Entity, SpokenText } from './spoken-text.ts';
import { DOT_WORDS } from './words.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[\p{L}]{2,}$/u;
/** Words for the @ sign that only occur in addresses, unlike "at". */
export const SPOKEN_AT = wordsOfAll({
  en: '@',
  de: 'ät klammeraffe',
  es: 'arroba',
  fr: 'arobase arrobase',
  it: 'chiocciola',
  nl: 'apenstaartje apestaartje apenstaart apestaart',
});
export const AT_WORDS = new Set([...SPOKEN_AT, 'at']);
export const JOINERS = wordsOfAll({
  en: 'dot underscore dash hyphen minus plus',
  de: 'punkt unterstrich bindestrich strich',
  es: 'punto guion guión bajo',
  fr: 'point tiret bas',
  it: 'punto trattino basso underscore',
  pt: 'ponto hífen traço sublinhado underline',
  nl: 'punt streepje liggend laag',
});
const DOMAINS = wordsOfAll({
  en: 'com org net info io edu gov co uk us eu de fr es it pt nl at ch be br ar mx ca au app dev me',
  de: 'te',
});
const HOST_TOKENS_MAX = 8;

const isSpelled = ({ key }: Token): boolean => /^(?:[\p{L}\d]|\d+)$/u.test(key);

export const MAIL_CUE = /mail(?:adres\S*)?$|^(?:correo|courriel|mel)$/u;
/** Weaker cues, which suffice before an address that has an "at" and a host. */
const ADDRESS_CUE = wordsOfAll({
  en: 'address electronic',
  de: 'adresse',
  es: 'dirección electrónico',
  fr: 'adresse électronique',
  it: 'indirizzo elettronico elettronica',
  pt: 'endereço eletrónico eletrônico morada',
  nl: 'adres',
});
const MAIL_REACH = 14;
export const IS = wordsOfAll({ en: 'is', de: 'ist lautet', es: 'es', fr: 'est', it: 'è', pt: 'é', nl: 'is' });

/** Whether any word is accepted as the top-level domain: "at jane doe dot photography". */
const isSurelyMail = (tokens: readonly Token[], at: number): boolean =>
  SPOKEN_AT.has(tokens[at]!.key) ||
  tokens.slice(Math.max(0, at - MAIL_REACH), at).some(({ key }) => MAIL_CUE.test(key));

/** "anna punkt schmidt at web punkt de": the end of the host after "at", or null. */
const hostEnd = (text: SpokenText, at: number): number | null => {
  const { tokens } = text;
  const isSure = isSurelyMail(tokens, at);
  for (let index = at + 2; index < Math.min(tokens.length - 1, at + HOST_TOKENS_MAX); index++) {
    if (!DOT_WORDS.has(tokens[index]!.key)) continue;
    let end = index + 1;
    const isAny = (isSure || tokens[index]!.key === 'dot') && /^\p{L}{2,}$/u.test(tokens[end]!.core);
    if (!DOMAINS.has(tokens[end]!.key) && !(isAny && !text.itemAt(end))) continue;
    const isLonger = () => DOT_WORDS.has(tokens[end + 1]?.key ?? '') && DOMAINS.has(tokens[end + 2]?.key ?? '');
    // Limited, because "at" is a domain too: each of many "dot at" would have all after it as its host.
    while (end < at + 2 * HOST_TOKENS_MAX && isLonger()) end += 2;
    // "a line at jane dot doe at": another "at" follows, so this is still the name.
    return AT_WORDS.has(tokens[end + 1]?.key ?? '') ? null : end + 1;
  }
  const written = tokens[at + 1];
  return written && /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}$/u.test(written.core) ? at + 2 : null;
};

/** Words that are not part of an address when they stand right before it. */
export const NOT_LOCAL = wordsOfAll({
  en: 'a i is to the at mail email e-mail me address',
  de: 'an zu ist lautet adresse',
  es: 'y o e es al',
  fr: "à est c'est",
  it: 'è',
  pt: 'é para',
  nl: 'naar',
});
/** "punt de vries" */
const PARTICLES = wordsOfAll({
  en: 'mac',
  de: 'von',
  es: 'la del',
  fr: 'le du',
  it: 'di da lo',
  pt: 'dos do',
  nl: 'de van der den',
});

const PARTICLES_MAX = 3;

/** The number of words between this one and the joiner before it: "dot vd berg", "punt van der meulen". */
const particlesBefore = (tokens: readonly Token[], from: number): number => {
  for (let n = 1; n <= PARTICLES_MAX; n++) {
    const word = tokens[from - n];
    const isPart = word?.trail === '' && (PARTICLES.has(word.key) || !isCommon(word)) && !AT_WORDS.has(word.key);
    if (!isPart) return 0;
    if (JOINERS.has(tokens[from - n - 1]?.key ?? '')) return n;
  }
  return 0;
};

/** "peter p at": one letter after a name. */
const isInitial = (tokens: readonly Token[], index: number): boolean => {
  const before = tokens[index - 1];
  const isName = before !== undefined && /^\p{L}{3,}$/u.test(before.key) && !isCommon(before);
  return isName && /^\p{L}$/u.test(tokens[index]!.key) && AT_WORDS.has(tokens[index + 1]?.key ?? '');
};

/** Far more than a spelled name has. Without a limit, each of many "at dot" would have all before it as its name. */
const LOCAL_TOKENS_MAX = 128;

/** The start of the name before "at": words with joiners, spelled letters, numbers and the word before them. */
export const localStart = (text: SpokenText, at: number): number => {
  const { tokens } = text;
  const first = at - LOCAL_TOKENS_MAX;
  const isJoiner = (index: number) => index >= Math.max(0, first) && JOINERS.has(tokens[index]!.key);
  let from = text.itemBefore(at)?.from ?? at - 1;
  for (;;) {
    const before = tokens[from - 1];
    if (!before || from <= first) return from;
    const number = text.itemBefore(from);
    // Spelled letters and numbers may have commas between them: "b as in boy, r, o".
    const isList = before.trail === ',' && (isSpelled(tokens[from]!) || text.itemAt(from) !== undefined);
    const isSpelledBefore = isSpelled(before) || number !== undefined;
    const isOpen = (before.trail === '' || (isList && isSpelledBefore)) && (isList || !NOT_LOCAL.has(before.key));
    if (isJoiner(from - 1)) {
      // "trattino basso"
      while (isJoiner(from - 1)) from -= 1;
      from = Math.max(0, text.itemBefore(from)?.from ?? from - 1);
    } else if (isOpen && particlesBefore(tokens, from) > 0) from -= particlesBefore(tokens, from);
    else if (isOpen && isSpelledBefore) from = number?.from ?? from - 1;
    else if (isOpen && text.itemAt(from) && (isJoiner(from - 2) || !isSpelled(tokens[from]!))) from -= 1;
    else if (isOpen && isInitial(tokens, from)) return from - 1;
    else return from;
  }
};

const isHesitation = (token: Token): boolean => isCorrection(token) || isFiller(token);

const ATTEMPTS_MAX = 8;

/** "jane dash doe, uh, jane underscore doe at": the start of the first attempt. */
const firstAttempt = (text: SpokenText, from: number, attempts = 1): number => {
  const { tokens } = text;
  let end = from;
  while (end > 0 && isHesitation(tokens[end - 1]!)) end -= 1;
  if (end === from || end === 0 || attempts === ATTEMPTS_MAX) return from;
  const start = localStart(text, end);
  const isName = tokens.slice(start, end).some(({ key }) => JOINERS.has(key));
  return isName ? firstAttempt(text, start, attempts + 1) : from;
};

const WITH = wordsOfAll({ en: 'with', de: 'mit', es: 'con', fr: 'avec', it: 'con', pt: 'com', nl: 'met' });
const LETTERS_MAX = 3;

/** "rosie with an ie dot": a spelling hint is part of the name. */
const spellingStart = ({ tokens }: SpokenText, from: number): number => {
  const isSpelling = [...tokens[from]!.core].length <= LETTERS_MAX && /^\p{L}+$/u.test(tokens[from]!.core);
  const at = [from - 1, from - 2].find((index) => index > 0 && WITH.has(tokens[index]!.key));
  return isSpelling && at !== undefined ? at - 1 : from;
};

/** Maximum words of a name without joiners: "my mail is jane doe ninety at". */
const NAME_WORDS_MAX = 5;

/** The start of the name: right after "my mail is" if that is near, else `from`. */
const statedStart = (tokens: readonly Token[], from: number): number => {
  for (let start = from - 1; start >= Math.max(2, from - NAME_WORDS_MAX); start--) {
    if (tokens[start]!.trail !== '') return from;
    const { key } = tokens[start - 2]!;
    if (IS.has(tokens[start - 1]!.key) && (MAIL_CUE.test(key) || ADDRESS_CUE.has(key))) return start;
  }
  return from;
};

export const emails = (text: SpokenText): Entity[] => {
  const { tokens } = text;
  const found: Entity[] = [];
  tokens.forEach(({ core, key }, index) => {
    if (EMAIL.test(core)) found.push({ kind: 'email', from: index, to: index + 1, value: key });
    // "write to me at jain.dot.com": a misheard address without a name before the host.
    else if (/^\S+\.dot\.\p{L}{2,}$/u.test(key)) found.push({ kind: 'email', from: index, to: index + 1, value: key });
    else if (AT_WORDS.has(key) && index > 0) {
      const to = hostEnd(text, index);
      if (to === null) return;
      const from = statedStart(tokens, spellingStart(text, firstAttempt(text, localStart(text, index))));
      found.push({ kind: 'email', from, to, value: text.keysTogether(from, to) });
    }
  });
  return found;
};
