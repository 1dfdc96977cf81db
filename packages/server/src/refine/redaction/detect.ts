// Finds all personal data in a text.
import type { RedactedKind } from '@faircopy/contract';
import type { Token } from '../token.ts';
import { addressNumbers } from './addresses/address-numbers.ts';
import { dates } from './dates.ts';
import { emails } from './emails.ts';
import { cards, expiries, securityCodes, splitCards } from './numbers/cards.ts';
import { ipAddresses } from './numbers/ip-addresses.ts';
import { checkDigits, entity, ibans, lastDigits, nationalIds } from './numbers/long-numbers.ts';
import { extensions, phones } from './numbers/phones.ts';
import { unnamedNumbers } from './numbers/unnamed.ts';
import { profanities } from './profanity/profanity.ts';
import { shortDates } from './short-dates.ts';
import { type Item, textOfItems } from './spoken-codes.ts';
import { type Entity, SpokenText } from './spoken-text.ts';

/** From most to least certain. Later finders cannot claim words that an earlier one has found. */
const FINDERS: readonly ((text: SpokenText) => readonly Entity[])[] = [
  emails,
  ipAddresses,
  ibans,
  (text) => cards(text).filter(({ value }) => value.length >= 13),
  splitCards,
  // A country code is stronger evidence than a check digit.
  (text) => phones(text).filter(({ from }) => text.itemAt(from)?.hasPlus),
  securityCodes,
  nationalIds,
  checkDigits,
  dates,
  expiries,
  cards,
  phones,
  extensions,
  lastDigits,
  addressNumbers,
];

/** Kinds that are one long number. If another entity covers a part of it, the rest must stay hidden too. */
const LONG_KINDS: ReadonlySet<RedactedKind> = new Set<RedactedKind>(['card', 'iban', 'ssn', 'phone']);

const overlaps = (one: Entity, other: Entity): boolean => one.from < other.to && other.from < one.to;

/** The uncovered parts of an entity. Only long numbers keep them; an overlapped entity of another kind is dropped. */
const restOf = (text: SpokenText, entity: Entity, others: readonly Entity[]): readonly Entity[] => {
  const other = others.find((each) => overlaps(entity, each));
  if (!other) return [entity];
  const parts = [
    { ...entity, to: other.from },
    { ...entity, from: other.to },
  ];
  return parts.flatMap((part) => {
    const items = text.items.filter(({ from, to }) => from >= part.from && to <= part.to);
    if (!LONG_KINDS.has(entity.kind) || items.length === 0) return [];
    return restOf(text, { ...part, from: items[0]!.from, to: items.at(-1)!.to, value: textOfItems(items) }, others);
  });
};

/** An unnamed number may be any of these kinds, so it is hidden only if all of them are. */
const isHiddenUnnamed = (kinds: ReadonlySet<RedactedKind>): boolean => [...LONG_KINDS].every((kind) => kinds.has(kind));

const NUMBER_DIGITS_MIN = 3;

/** Every number of three or more digits, whatever it counts. */
const allNumbers = (text: SpokenText): Entity[] => {
  const runs: (readonly Item[])[] = text.digitRuns.map(({ items }) => items);
  const single = text.items.filter(({ shape }) => shape === 'amount' || shape === 'ordinal' || shape === 'code');
  return [...runs, ...single.map((item) => [item])]
    .filter((items) => textOfItems(items).replace(/\D/gu, '').length >= NUMBER_DIGITS_MIN)
    .map((items) => entity('number', items));
};

export const isOnlyProfanity = (kinds: ReadonlySet<RedactedKind>): boolean =>
  kinds.size === 1 && kinds.has('profanity');

export const detect = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): Entity[] => {
  if (isOnlyProfanity(kinds)) return profanities(tokens);
  const text = new SpokenText(tokens);
  const found: Entity[] = [];
  for (const find of FINDERS) found.push(...find(text).flatMap((entity) => restOf(text, entity, found)));
  const wanted = found.filter(({ kind }) => kinds.has(kind));
  if (isHiddenUnnamed(kinds))
    for (const entity of unnamedNumbers(text))
      if (!found.some((other) => overlaps(entity, other))) {
        found.push(entity);
        wanted.push(entity);
      }
  const weaker = [...(kinds.has('date') ? shortDates(text) : []), ...(kinds.has('number') ? allNumbers(text) : [])];
  for (const entity of weaker) if (!wanted.some((other) => overlaps(entity, other))) wanted.push(entity);
  if (kinds.has('profanity')) wanted.push(...profanities(tokens));
  return wanted.sort((one, other) => one.from - other.from);
};
