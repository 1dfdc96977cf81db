// Finds house and flat numbers.
import { isCapitalised, type Token } from '../../token.ts';
import { wordsOfAll } from '../../words.ts';
import { isCorrection } from '../runs.ts';
import type { Item } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { isYearLike, UNITS } from '../words.ts';
import {
  addressEntity,
  endsPhrase,
  endsSentence,
  FLAT_REACH,
  HOUSE,
  isLetter,
  isNumberShape,
  NEARBY,
} from './parts.ts';
import { postcodeEnd } from './postcodes.ts';

const ROUND = /000$/u;
const STREET_WORDS_MAX = 4;
/** Words between a number and "street" that rule out an address: "3 blocks down the street". */
const NOT_IN_NAMES = wordsOfAll({
  en: 'the a an of on in down up to and is are my this that from across with for blocks block cars people houses or by',
});
/** "au numéro 7 de la rue Hugo", "14 ter, impasse du Moulin" */
const BEFORE_STREET = /^(?:de|la|du|des|bis|ter|quater|[a-h])$/u;
/** Compounds that are not streets. */
const NOT_STREETS =
  /^(?:liege|stell|sitz|park|arbeits|tabellen|start|steh|spiel|camping|golf|lade|schlaf|schreib|lager)platz$|^(?:heim|um|rück|arbeits|rettungs|aus|snel|spoor)weg$|^(?:box|schlüssel)ring$/u;
const BARE_STREETS = /^(?:platz|ring|weg|hof|plein|ufer|damm|dijk|gasse)$/u;
/** "33 and a half Mill Road" */
const halfEnd = (tokens: readonly Token[], to: number): number =>
  ['and', 'a', 'half'].every((word, n) => tokens[to + n]?.key === word) ? to + 3 : to;

/** Words of street names that are also common nouns. They count only when capitalised. */
const NAMES_ONLY = wordsOfAll({
  en: 'approach bank circus cottages green grove heights hill meadow meadows mews parade park quay rise vale view villas walk wharf yard',
});

const isNameOnly = (tokens: readonly Token[], index: number): boolean =>
  NAMES_ONLY.has(tokens[index]!.key) && isCapitalised(tokens[index]) && isCapitalised(tokens[index - 1]);

const isBeforeStreet = (text: SpokenText, { to }: Item): boolean => {
  const { tokens } = text;
  // "12 rue Hugo" has the street type first, "12 Baker Street" has it last.
  const isFirst = text.codeAt(to - 1) === 'fr';
  const reach = isFirst ? 4 : STREET_WORDS_MAX;
  const start = halfEnd(tokens, to);
  for (let index = start; index < Math.min(tokens.length, start + reach); index++) {
    if (endsPhrase(tokens[index - 1]!)) return false;
    // "row 9, place 23" has no street.
    if (!isFirst && index > start && isNameOnly(tokens, index)) return true;
    if (text.says('streetAfter', index)) return isFirst ? !text.itemAt(index + 1) : index > start;
    if (isFirst && !BEFORE_STREET.test(tokens[index]!.key)) return false;
    if (NOT_IN_NAMES.has(tokens[index]!.key)) return false;
  }
  return false;
};

/** A number in words that is part of a street name. */
const isNameOfStreet = (text: SpokenText, index: number): boolean =>
  /^\p{Lu}\p{L}+$/u.test(text.tokens[index]!.core) &&
  text.tokens[index]!.trail === '' &&
  text.itemAt(index + 1) !== undefined;

const isAfterStreet = (text: SpokenText, { from }: Item): boolean => {
  const { tokens } = text;
  const isNumberWord = /^(?:number|nummer|nr|numéro|número|numero|n)$/u.test(tokens[from - 1]?.key ?? '');
  const last = isNumberWord ? from - 2 : from - 1;
  if (last < 0 || endsPhrase(tokens[last]!)) return false;
  // "Via Roma 7, 40125 Bologna"; but "Via dei Mille 14".
  if (text.itemBefore(last + 1) && !isNameOfStreet(text, last)) return false;
  if (isNameOfStreet(text, from)) return false;
  // "auf Platz vier"; but "Alter Platz 4".
  const isBare = BARE_STREETS.test(tokens[last]!.key) && !isCapitalised(tokens[last - 1]);
  if (
    !isBare &&
    !NOT_STREETS.test(tokens[last]!.key) &&
    text.says('streetEnding', last) &&
    /^\p{Lu}|stra(?:ße|sse|at)$|laan$|gracht$/u.test(tokens[last]!.core)
  )
    return true;
  for (let index = last; index >= Math.max(0, last - STREET_WORDS_MAX); index--) {
    if (index < last && endsPhrase(tokens[index]!)) return false;
    if (text.says('streetBefore', index)) return index < last;
    if (text.itemBefore(index + 1) && index < last) return false;
  }
  return false;
};

const OF_STREET = wordsOfAll({ es: 'de del', it: 'di della', pt: 'da do' });
const IN_STREET = wordsOfAll({ en: 'on in of', de: 'in der im am', nl: 'in aan van de' });
const NUMBER_WORD = /^(?:number|nummer|nr)$/u;

/** "el 13 de la calle Lepanto", "number 13 on Mill Lane" */
const isOfStreet = (text: SpokenText, { from, to, text: digits }: Item): boolean => {
  const { tokens } = text;
  if (tokens[to - 1]!.trail !== '' || isYearLike(digits)) return false;
  const isRomance = OF_STREET.has(tokens[to]?.key ?? '');
  if (!isRomance && !(NUMBER_WORD.test(tokens[from - 1]?.key ?? '') && IN_STREET.has(tokens[to]?.key ?? '')))
    return false;
  const name = isRomance ? 'streetBefore' : text.codeAt(to) === 'en' ? 'streetAfter' : 'streetEnding';
  return [1, 2, 3].some((n) => text.says(name, to + n)) && !tokens.slice(to, to + 2).some(endsPhrase);
};

const BEFORE_HOUSE = wordsOfAll({ de: 'nummer nr die', nl: 'op nummer nr' });

/** "op 13, Dorpsstraat" */
const isBeforeStreetName = (text: SpokenText, { from, to }: Item): boolean =>
  BEFORE_HOUSE.has(text.tokens[from - 1]?.key ?? '') &&
  isCapitalised(text.tokens[to]) &&
  text.says('streetEnding', to) &&
  !text.itemAt(to + 1);

const RESIDENCE_REACH = 7;
/** "ich wohne Am Markt 3": a name right before the number, after a word for living somewhere. */
const isAfterResidence = (text: SpokenText, { from, text: digits }: Item): boolean => {
  const { tokens } = text;
  const since = text.tokensSince('residence', from, RESIDENCE_REACH);
  if (since === null || since === 0 || isYearLike(digits) || !/^\d{1,4}[A-Z]?$/u.test(digits)) return false;
  const between = tokens.slice(from - since, from);
  return isCapitalised(between.at(-1)) && !between.some(endsPhrase);
};

/** "2210 North Lamar, apartment six": a number and a name before another part of an address. */
export const isBeforeName = (text: SpokenText, { from, to, text: digits }: Item, next: Entity): boolean => {
  const { tokens } = text;
  const isNear = next.from > to && next.from - to <= NEARBY && !tokens.slice(to - 1, next.from - 1).some(endsSentence);
  const isName = tokens[to - 1]!.trail === '' && isCapitalised(tokens[to]) && !isCapitalised(tokens[from - 1]);
  return isNear && isName && HOUSE.test(digits) && !isYearLike(digits) && !text.itemBefore(next.from - 1);
};

/** "Am Mühlbach 112, Wohnung 8": the name comes before the number. */
export const isAfterName = (text: SpokenText, { from, to, text: digits }: Item, next: Entity): boolean => {
  const { tokens } = text;
  const end = houseEnd(text, to);
  const isNear = next.from > end && next.from - end <= FLAT_REACH && tokens[end - 1]!.trail === ',';
  const isName = isCapitalised(tokens[from - 1]) && tokens[from - 1]!.trail === '' && text.codeAt(from) !== 'en';
  return isNear && isName && HOUSE.test(digits) && !isYearLike(digits);
};

const POSTCODE_NEAR = 2;

/** "31 sente des Faucons, 14000 Caen": in French, the name is between the number and the postcode. */
const isFrenchLine = (text: SpokenText, { to, text: digits }: Item): boolean => {
  const { tokens } = text;
  const end = to - 1 + tokens.slice(to - 1, to + NEARBY).findIndex(({ trail }) => trail !== '');
  const next = text.itemAt(end + 1);
  if (end < to || tokens[end]!.trail !== ',' || !next || isYearLike(digits)) return false;
  const hasOther = text.items[text.itemIndex(to)]!.from <= end;
  return !hasOther && /^\d{5}$/u.test(next.text) && isCapitalised(tokens[next.to]) && tokens[next.to - 1]!.trail === '';
};

const LINE_WORDS_MAX = 6;

/** "3417 West Belmont, Chicago, 60618" */
const isAmericanLine = (text: SpokenText, { to, text: digits }: Item): boolean => {
  const { tokens } = text;
  if (text.codeAt(to - 1) !== 'en' || tokens[to - 1]!.trail !== '' || isYearLike(digits)) return false;
  const code = text.items[text.itemIndex(to + 1)];
  if (!code || code.from - to > LINE_WORDS_MAX) return false;
  const names = tokens.slice(to, code.from);
  const commas = names.filter(({ trail }) => trail === ',').length;
  return names.every(isCapitalised) && commas >= 2 && names.at(-1)!.trail === ',' && postcodeEnd(text, code) !== null;
};

/** "Am Markt 3, 04109 Leipzig": a name before the number, and a postcode right after it. */
const isBeforePostcode = (text: SpokenText, item: Item): boolean => {
  const { tokens } = text;
  if (text.codeAt(item.from) === 'fr') return isFrenchLine(text, item);
  if (!isCapitalised(tokens[item.from - 1]) || isYearLike(item.text)) return false;
  if (!/^\d{1,4}[A-Z]?$/u.test(item.text) || endsPhrase(tokens[item.from - 1]!)) return false;
  const end = houseEnd(text, item.to);
  if (/^(?:fr|nl|it)$/u.test(text.codeAt(item.from)) && /^(?:bis|ter|quater)$/u.test(tokens[end - 1]!.key)) return true;
  const next = text.itemAt(end);
  const isCode = next !== undefined && !ROUND.test(next.text) && postcodeEnd(text, next) !== null;
  const cued = Math.min(tokens.length, end + POSTCODE_NEAR + 1);
  const isCued = text.tokensSince('postcode', cued, POSTCODE_NEAR + 1) !== null;
  return tokens[end - 1]!.trail === ',' && (isCode || isCued);
};

/** The end of "17 a" or "14 bis". Lower-case letters count only in German and Dutch, where they are not words. */
export const houseEnd = (text: SpokenText, to: number): number => {
  const half = halfEnd(text.tokens, to);
  if (half > to) return half;
  // "23 barra A" is written 23/A.
  const at = /^(?:barra|slash|schrägstrich|schuine)$/u.test(text.tokens[to]?.key ?? '') ? to + 1 : to;
  const next = text.tokens[at];
  if (!next || text.tokens[to - 1]!.trail !== '') return to;
  const isLetter = /^(?:de|nl)$/u.test(text.codeAt(to)) ? /^[a-h]$/iu : /^[A-H]$/u;
  return isLetter.test(next.core) || /^(?:bis|ter|quater)$/u.test(next.key) ? at + 1 : to;
};

const RESIDENCE_AT = /^(?:en|el|al|no|na|op|at|au|in|number|nummer|número|numéro|numero)$/u;

/** "vivo en el 41, en la misma calle" */
const isRightAfterResidence = (text: SpokenText, { from, to, text: digits }: Item): boolean => {
  const { tokens } = text;
  const since = text.tokensSince('residence', from, 4);
  const isEnd = to === tokens.length || tokens[to - 1]!.trail !== '';
  if (since === null || since === 0 || !isEnd || isYearLike(digits)) return false;
  return tokens.slice(from - since, from).every(({ key, trail }) => RESIDENCE_AT.test(key) && trail === '');
};

const HOUSE_DIGITS_MAX = 4;

/** The start of a house number spoken in parts: "two twenty one", "3 4 1 7". */
const houseStart = (text: SpokenText, { from, text: digits }: Item): number => {
  const before = text.itemBefore(from);
  const isPart = before && isNumberShape(before) && text.tokens[from - 1]!.trail === '';
  if (!isPart || before.text.length + digits.length > HOUSE_DIGITS_MAX) return from;
  return houseStart(text, { ...before, text: before.text + digits });
};

const CORRECTION_APART_MAX = 3;

/** "seven two, no, seven three Mill Lane": the start of the attempt before a correction. */
const correctedStart = (text: SpokenText, from: number): number => {
  const before = text.itemBeforeInRun(from);
  if (!before || from - before.to > CORRECTION_APART_MAX) return from;
  const isCorrected = text.tokens.slice(before.to, from).some(isCorrection);
  return isCorrected && isNumberShape(before) ? houseStart(text, before) : from;
};

const BY_STREET = [
  isBeforeStreet,
  isAfterStreet,
  isAfterResidence,
  isRightAfterResidence,
  isOfStreet,
  isBeforeStreetName,
  isAmericanLine,
];

export const houses = (text: SpokenText): Entity[] =>
  text.items.flatMap((item): Entity[] => {
    const isAfterUnit = UNITS.has(text.tokens[item.from - 1]?.key ?? '');
    const isHouse = HOUSE.test(item.text) && isNumberShape(item) && !isAfterUnit;
    const isFlat = (isHouse || isLetter(text, item)) && isAfterFlat(text, item);
    const isNamed = () => BY_STREET.some((isNamedBy) => isNamedBy(text, item));
    const isAddress = isFlat || (isHouse && (isNamed() || isBeforePostcode(text, item)));
    return isAddress
      ? [addressEntity(text, correctedStart(text, houseStart(text, item)), houseEnd(text, item.to))]
      : [];
  });

/** Words between a cue and its number: "my house number is the 64". */
const COPULA = /^(?:is|ist|est|es|è|é|the|die|der|le|la|el|il|o|a|de|het)$/u;

/** "unit 7 of the coursework" is not a flat. */
const OF = /^(?:of|von|de|del|du|di|della|do|da|van)$/u;

const isAfterFlat = (text: SpokenText, { from, to }: Item): boolean => {
  if (text.tokens[to - 1]!.trail === '' && OF.test(text.tokens[to]?.key ?? '')) return false;
  const since = text.tokensSince('flat', from, FLAT_REACH);
  if (since === null) return false;
  const between = text.tokens.slice(from - since - 1, from);
  return between.slice(1).every(({ key }) => COPULA.test(key)) && !between.some(endsPhrase);
};
