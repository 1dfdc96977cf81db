// Finds all personal data in a text.
import type { RedactedKind } from '@faircopy/contract';
import type { Token } from '../token.ts';
import { addressNumbers } from './addresses/address-numbers.ts';
import { ClaimedTokens } from './claimed-tokens.ts';
import { dates } from './dates.ts';
import { emails } from './emails.ts';
import { cards, expiries, securityCodes, splitCards } from './numbers/cards.ts';
import { ipAddresses } from './numbers/ip-addresses.ts';
import { checkDigits, entity, ibans, lastDigits, nationalIds } from './numbers/long-numbers.ts';
import { extensions, phones } from './numbers/phones.ts';
import { splitAt } from './numbers/sequences.ts';
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

/** The uncovered parts of an entity. Only long numbers keep them; an overlapped entity of another kind is dropped. */
const restOf = (text: SpokenText, found: Entity, claimed: ClaimedTokens): readonly Entity[] => {
  if (!claimed.overlaps(found)) return [found];
  if (!LONG_KINDS.has(found.kind)) return [];
  const free = text.itemsIn(found.from, found.to).filter((item) => !claimed.overlaps(item));
  return splitAt(free, (one, next) => claimed.overlaps({ from: one.to, to: next.from })).map((items) =>
    entity(found.kind, items),
  );
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

/** Adds the entities that overlap no other. */
const addFree = (wanted: Entity[], added: readonly Entity[], claimed: ClaimedTokens): void => {
  for (const entity of added) {
    if (claimed.overlaps(entity)) continue;
    claimed.add(entity);
    wanted.push(entity);
  }
};

export const detect = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): Entity[] => {
  if (isOnlyProfanity(kinds)) return profanities(tokens);
  const text = SpokenText.of(tokens);
  const found: Entity[] = [];
  const claimed = new ClaimedTokens();
  for (const find of FINDERS) {
    const rest = find(text).flatMap((entity) => restOf(text, entity, claimed));
    for (const entity of rest) claimed.add(entity);
    found.push(...rest);
  }
  const wanted = found.filter(({ kind }) => kinds.has(kind));
  const isFree = (entity: Entity) => !claimed.overlaps(entity);
  if (isHiddenUnnamed(kinds)) addFree(wanted, unnamedNumbers(text, isFree), claimed);
  const weaker = [...(kinds.has('date') ? shortDates(text) : []), ...(kinds.has('number') ? allNumbers(text) : [])];
  addFree(wanted, weaker, new ClaimedTokens(wanted));
  if (kinds.has('profanity')) wanted.push(...profanities(tokens));
  return wanted.sort((one, other) => one.from - other.from);
};
