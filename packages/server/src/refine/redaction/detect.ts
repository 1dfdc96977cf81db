// Finds everything personal in a text.
import type { RedactedKind } from '@faircopy/contract';
import type { Token } from '../token.ts';
import { addressNumbers, emails, ipAddresses } from './addresses.ts';
import { dates } from './dates.ts';
import { cards, expiries, ibans, nationalIds, phones, securityCodes } from './long-numbers.ts';
import { profanities } from './profanity/profanity.ts';
import { type Item, type Run, textOfItems } from './spoken-codes.ts';
import { type Entity, SpokenText } from './spoken-text.ts';

/** The surer come first: each takes its words from those after it. */
const FINDERS: readonly ((text: SpokenText) => readonly Entity[])[] = [
  emails,
  ipAddresses,
  ibans,
  (text) => cards(text).filter(({ value }) => value.length >= 13),
  securityCodes,
  nationalIds,
  dates,
  expiries,
  cards,
  phones,
  addressNumbers,
];

const overlaps = (one: Entity, other: Entity): boolean => one.from < other.to && other.from < one.to;

const NUMBER_DIGITS_MIN = 3;

/** Every number of three digits or more, whatever it counts. */
const allNumbers = (text: SpokenText): Entity[] => {
  const runs: (readonly Item[])[] = text.numbers.map(({ items }) => items);
  const single = text.items.filter(({ shape }) => shape === 'amount' || shape === 'ordinal' || shape === 'code');
  return [...runs, ...single.map((item) => [item])]
    .filter((items) => textOfItems(items).replace(/\D/gu, '').length >= NUMBER_DIGITS_MIN)
    .map((items) => ({
      kind: 'number',
      from: items[0]!.from,
      to: items.at(-1)!.to,
      value: textOfItems(items),
    }));
};

const isOnlyProfanity = (kinds: ReadonlySet<RedactedKind>): boolean => kinds.size === 1 && kinds.has('profanity');

export const detect = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): Entity[] => {
  if (isOnlyProfanity(kinds)) return profanities(tokens);
  const text = new SpokenText(tokens);
  const found: Entity[] = [];
  const add = (entities: readonly Entity[]) => {
    for (const entity of entities) if (!found.some((other) => overlaps(entity, other))) found.push(entity);
  };
  for (const find of FINDERS) add(find(text));
  const wanted = found.filter(({ kind }) => kinds.has(kind));
  if (kinds.has('number'))
    for (const entity of allNumbers(text)) if (!wanted.some((other) => overlaps(entity, other))) wanted.push(entity);
  if (kinds.has('profanity')) wanted.push(...profanities(tokens));
  return wanted.sort((one, other) => one.from - other.from);
};

/** Kinds whose numbers may go on in the next utterance. */
const LONG_KINDS: readonly RedactedKind[] = ['card', 'iban', 'ssn', 'phone', 'number'];
const CUE_REACH = 14;

const isBorderRun = (text: SpokenText, { items }: Run): boolean => {
  const digits = textOfItems(items);
  const at = items[0]!.from;
  const isCued = (['card', 'iban', 'id', 'phone', 'cvv'] as const).some((cue) => text.isCued(cue, at, CUE_REACH));
  if (isCued) return digits.length >= 1;
  if (text.isNotPersonal(at, CUE_REACH)) return false;
  const isYear = items.length === 1 && /^(?:1[89]|20)\d{2}$/u.test(digits);
  return digits.length >= 4 && !isYear;
};

/** A number at the end of a text, which the next one may continue. */
export const openEnd = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): Entity | null => {
  if (!LONG_KINDS.some((kind) => kinds.has(kind))) return null;
  const text = new SpokenText(tokens);
  const run = text.numbers.at(-1);
  if (!run || run.items.at(-1)!.to < tokens.length || !isBorderRun(text, run)) return null;
  return { kind: 'number', from: run.items[0]!.from, to: tokens.length, value: textOfItems(run.items) };
};

/** The number that a text begins with, when it continues the one before it. */
export const openStart = (
  tokens: readonly Token[],
  border: number,
  kinds: ReadonlySet<RedactedKind>,
): Entity | null => {
  if (border === 0 || openEnd(tokens.slice(0, border), kinds) === null) return null;
  const text = new SpokenText(tokens.slice(border));
  const [run] = text.numbers;
  if (!run || run.items[0]!.from > 1) return null;
  const to = border + run.items.at(-1)!.to;
  return { kind: 'number', from: border + run.items[0]!.from, to, value: textOfItems(run.items) };
};

const EMAIL_CUE = /^(?:e-?mails?|mail|correo|courriel|mel|indirizzo|adres|adresse|address|dirección|endereço)$/u;
const SPOKEN_AT = /^(?:arroba|arr?obase|chiocciola|apen?staartje|klammeraffe|ät)$/u;
const EMAIL_TOKENS_MAX = 14;

/** How many tokens at the end may be part of something that is still being said: a number, or an e-mail address. */
export const openTokens = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): number => {
  if (isOnlyProfanity(kinds)) return 0;
  const run = new SpokenText(tokens).runs.at(-1);
  const isRun = run !== undefined && run.items.at(-1)!.to === tokens.length;
  const isNumber = isRun && (run.items.length > 1 || /\d/u.test(textOfItems(run.items)));
  const number = isNumber ? tokens.length - run.items[0]!.from : 0;
  if (!kinds.has('email')) return number;
  const cue = tokens.findLastIndex(({ key }) => EMAIL_CUE.test(key) || SPOKEN_AT.test(key));
  const email = cue === -1 ? 0 : tokens.length - cue + (SPOKEN_AT.test(tokens[cue]!.key) ? Math.min(3, cue) : -1);
  return Math.max(number, email <= EMAIL_TOKENS_MAX ? email : 0);
};
