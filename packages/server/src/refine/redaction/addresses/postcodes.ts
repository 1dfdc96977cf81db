// Finds postcodes: by their name, by their form, and beside a house number.
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { addressEntity, endsPhrase, isCapital, isNumberShape } from './parts.ts';

/** Codes with a place after them, beside a house number. */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  en: /^\d{5}(?:\d{4})?$/u,
  // Austria and Switzerland have four digits, as years do.
  de: /^(?:\d{5}|(?!1[89]|20)\d{4})$/u,
  fr: /^(?:\d{5}|(?!19|20)\d{4})$/u,
  pt: /^(?:\d{4}|\d{7}|\d{8})$/u,
  nl: /^\d{4}[A-Z]{2}$/u,
};
const POSTCODE_DIGITS = /^\d{5}$/u;

const isPlace = (text: SpokenText, index: number): boolean =>
  index >= text.tokens.length || isCapital(text.tokens[index]) || endsPhrase(text.tokens[index - 1]!);

/** The end of a postcode that begins with an item; it may be said in several. */
export const postcodeEnd = (text: SpokenText, first: Item): number | null => {
  const form = POSTCODES[text.codeAt(first.from)] ?? POSTCODE_DIGITS;
  let end: number | null = null;
  let code = '';
  for (let item: Item | undefined = first; item && code.length < 8; item = text.itemAt(item.to)) {
    if (item.shape !== 'letters' && !isNumberShape(item)) break;
    code += item.text;
    // Said in several numbers, a zero may get lost: "quaranta uno venticinque".
    const isCode = form.test(code) || (item !== first && /^\d{4,5}$/u.test(code));
    if (isCode && isPlace(text, item.to)) end = item.to;
  }
  return end;
};

const POSTCODE = /^(?:\d{4,9}|\d{4}[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})$/u;
const POSTCODE_REACH = 5;

export const cuedPostcodes = (text: SpokenText): Entity[] =>
  text.runs.flatMap(({ items }): Entity[] => {
    const first = items.findIndex(({ from }) => text.wordsSince('postcode', from, POSTCODE_REACH) !== null);
    if (first === -1) return [];
    for (let end = items.length; end > first; end--) {
      const part = items.slice(first, end);
      if (POSTCODE.test(textOfItems(part))) return [addressEntity(text, part[0]!.from, part.at(-1)!.to)];
    }
    return [];
  });

/** British postcodes are known by their form: "NW1 6XE". */
export const britishPostcodes = ({ tokens }: SpokenText): Entity[] =>
  tokens.flatMap(({ core, trail }, index): Entity[] => {
    const next = tokens[index + 1];
    const isCode = /^[A-Z]{1,2}\d[A-Z\d]?$/u.test(core) && trail === '' && /^\d[A-Z]{2}$/u.test(next?.core ?? '');
    return isCode ? [{ kind: 'address_number', from: index, to: index + 2, value: `${core}${next!.core}` }] : [];
  });
