// Finds e-mail and IP addresses, house numbers and postcodes.
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import { attemptsOf, type Item, type Run, textOfItems } from './spoken-codes.ts';
import type { Entity, SpokenText } from './spoken-text.ts';
import { DOT_WORDS, UNITS } from './words.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[\p{L}]{2,}$/u;
export const AT_WORDS = wordsOfAll({
  en: 'at @',
  de: 'ät klammeraffe',
  es: 'arroba',
  fr: 'arobase arrobase',
  it: 'chiocciola',
  nl: 'apenstaartje apestaartje',
});
export const JOINERS = wordsOfAll({
  en: 'dot underscore dash hyphen minus',
  de: 'punkt unterstrich bindestrich strich',
  es: 'punto guion guión bajo',
  fr: 'point tiret bas',
  it: 'punto trattino basso underscore',
  pt: 'ponto hífen traço sublinhado underline',
  nl: 'punt streepje liggend',
});
const DOMAINS = wordsOfAll({
  en: 'com org net info io edu gov co uk us eu de fr es it pt nl at ch be br ar mx ca au app dev me',
  de: 'te',
});
const HOST_TOKENS_MAX = 8;

const isSpelled = ({ key }: Token): boolean => /^(?:[\p{L}\d]|\d+)$/u.test(key);

/** "anna punkt schmidt at web punkt de": the end of the host after "at", or null. */
const hostEnd = (tokens: readonly Token[], at: number): number | null => {
  for (let index = at + 2; index < Math.min(tokens.length - 1, at + HOST_TOKENS_MAX); index++) {
    if (!DOT_WORDS.has(tokens[index]!.key)) continue;
    let end = index + 1;
    if (!DOMAINS.has(tokens[end]!.key)) continue;
    while (DOT_WORDS.has(tokens[end + 1]?.key ?? '') && DOMAINS.has(tokens[end + 2]?.key ?? '')) end += 2;
    return end + 1;
  }
  const written = tokens[at + 1];
  return written && /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}$/u.test(written.core) ? at + 2 : null;
};

/** Right before an address, these are no part of it. */
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

/** Where the name before "at" begins: words with joiners between them, spelled letters, numbers and the word before those. */
export const localStart = (text: SpokenText, at: number): number => {
  const { tokens } = text;
  const isJoiner = (index: number) => index >= 0 && JOINERS.has(tokens[index]!.key);
  let from = text.itemBefore(at)?.from ?? at - 1;
  for (;;) {
    const before = tokens[from - 1];
    if (!before) return from;
    const number = text.itemBefore(from);
    const isOpen = before.trail === '' && !NOT_LOCAL.has(before.key);
    if (isJoiner(from - 1)) {
      // "trattino basso"
      while (isJoiner(from - 1)) from -= 1;
      from = Math.max(0, text.itemBefore(from)?.from ?? from - 1);
    } else if (isOpen && PARTICLES.has(before.key) && isJoiner(from - 2)) from -= 1;
    else if (isOpen && (isSpelled(before) || number)) from = number?.from ?? from - 1;
    else if (isOpen && text.itemAt(from) && !isSpelled(tokens[from]!)) return from - 1;
    else return from;
  }
};

export const emails = (text: SpokenText): Entity[] => {
  const { tokens } = text;
  const found: Entity[] = [];
  tokens.forEach(({ core, key }, index) => {
    if (EMAIL.test(core)) found.push({ kind: 'email', from: index, to: index + 1, value: key });
    else if (AT_WORDS.has(key) && index > 0) {
      const to = hostEnd(tokens, index);
      if (to === null) return;
      const from = localStart(text, index);
      const value = tokens
        .slice(from, to)
        .map((token) => token.key)
        .join('');
      found.push({ kind: 'email', from, to, value });
    }
  });
  return found;
};

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/u;
const IPV6 = /^(?=.*:.*:)(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}$/iu;
const VERSION_REACH = 3;
const isOctet = (text: string): boolean => Number(text) <= 255;

/** Four numbers with dots between them; each may be said digit by digit. */
const dottedFour = ({ items, dotted }: Run): readonly (readonly Item[])[] | null => {
  const parts: Item[][] = [];
  items.forEach((each, n) => {
    if (n > 0 && !dotted[n]) parts.at(-1)!.push(each);
    else parts.push([each]);
  });
  for (let n = 0; n + 4 <= parts.length; n++) {
    const four = parts.slice(n, n + 4);
    if (four.every((part) => isOctet(textOfItems(part)))) return four;
  }
  return null;
};

export const ipAddresses = (text: SpokenText): Entity[] => {
  const isVersion = (index: number) => text.isNotPersonal(index, VERSION_REACH);
  const written = text.tokens.flatMap(({ core, key }, index): Entity[] => {
    const isIp = (IPV4.test(core) && core.split('.').every(isOctet)) || (IPV6.test(core) && /[a-f]|::/iu.test(core));
    return isIp && !isVersion(index) ? [{ kind: 'ip', from: index, to: index + 1, value: key }] : [];
  });
  const spoken = text.numbers.flatMap((run): Entity[] => {
    const found = attemptsOf(text.tokens, run).flatMap((attempt) => {
      const four = dottedFour(attempt);
      return four ? [four] : [];
    });
    const [first, last] = [found[0]?.[0]?.[0], found.at(-1)];
    if (!first || !last || isVersion(first.from)) return [];
    return [{ kind: 'ip', from: first.from, to: last[3]!.at(-1)!.to, value: last.map(textOfItems).join('.') }];
  });
  return [...written, ...spoken];
};

const HOUSE = /^\d{1,5}[A-Z]?$/u;
const STREET_WORDS_MAX = 4;
/** Between a number and "street", these say that it is no address: "3 blocks down the street". */
const NOT_IN_NAMES = wordsOfAll({
  en: 'the a an of on in down up to and is are my this that from across with for blocks block cars people houses or by',
});
const endsPhrase = ({ trail }: Token): boolean => /[.!?;:]/u.test(trail);

const isBeforeStreet = (text: SpokenText, { to }: Item): boolean => {
  const { tokens } = text;
  // "12 rue Hugo" has the kind of street first, "12 Baker Street" last.
  const reach = text.codeAt(to - 1) === 'fr' ? 2 : STREET_WORDS_MAX;
  for (let index = to; index < Math.min(tokens.length, to + reach); index++) {
    if (endsPhrase(tokens[index - 1]!)) return false;
    if (text.says('streetAfter', index)) return text.codeAt(index) === 'fr' || index > to;
    if (NOT_IN_NAMES.has(tokens[index]!.key)) return false;
  }
  return false;
};

const isAfterStreet = (text: SpokenText, { from }: Item): boolean => {
  const { tokens } = text;
  const isNumberWord = /^(?:number|nummer|nr|numéro|número|numero|n)$/u.test(tokens[from - 1]?.key ?? '');
  const last = isNumberWord ? from - 2 : from - 1;
  if (last < 0 || endsPhrase(tokens[last]!)) return false;
  if (text.says('streetEnding', last) && /^\p{Lu}|stra(?:ße|sse|at)$|laan$|gracht$/u.test(tokens[last]!.core))
    return true;
  for (let index = last; index >= Math.max(0, last - STREET_WORDS_MAX); index--) {
    if (index < last && endsPhrase(tokens[index]!)) return false;
    if (text.says('streetBefore', index)) return index < last;
    if (text.itemBefore(index + 1) && index < last) return false;
  }
  return false;
};

/** "17 a": small letters only where they are no word. */
const houseLetter = (text: SpokenText, { to }: Item): string => {
  const next = text.tokens[to];
  if (!next || text.tokens[to - 1]!.trail !== '') return '';
  const isLetter = /^(?:de|nl)$/u.test(text.codeAt(to)) ? /^[a-h]$/iu : /^[A-H]$/u;
  return isLetter.test(next.core) ? next.core.toUpperCase() : '';
};

const POSTCODE = /^(?:\d{4,9}|\d{4}[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})$/u;
const POSTCODE_REACH = 5;

export const addressNumbers = (text: SpokenText): Entity[] => [
  ...text.items.flatMap((item): Entity[] => {
    const isTime = UNITS.has(text.tokens[item.from - 1]?.key ?? '');
    const isHouse = HOUSE.test(item.text) && (item.shape === 'plain' || item.shape === 'code') && !isTime;
    const isFlat = isHouse && text.wordsSince('flat', item.from, 1) !== null;
    const isAddress = isHouse && (isFlat || isBeforeStreet(text, item) || isAfterStreet(text, item));
    if (!isAddress) return [];
    const letter = houseLetter(text, item);
    const to = letter === '' ? item.to : item.to + 1;
    return [{ kind: 'address_number', from: item.from, to, value: item.text + letter }];
  }),
  ...text.runs.flatMap(({ items }): Entity[] => {
    const first = items.findIndex(({ from }) => text.wordsSince('postcode', from, POSTCODE_REACH) !== null);
    if (first === -1) return [];
    for (let end = items.length; end > first; end--) {
      const part = items.slice(first, end);
      if (POSTCODE.test(textOfItems(part)))
        return [{ kind: 'address_number', from: part[0]!.from, to: part.at(-1)!.to, value: textOfItems(part) }];
    }
    return [];
  }),
];
