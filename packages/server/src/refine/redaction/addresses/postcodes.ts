// Finds postcodes after a cue, by their form, and next to a house number.
import { isCapitalised } from '../../token.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { addressEntity, endsPhrase, isNumberShape } from './parts.ts';

/** Forms of a postcode next to a house number, with a place after it. Default: POSTCODE_DIGITS. */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  en: /^\d{5}(?:\d{4})?$/u,
  // Austrian and Swiss postcodes have four digits, like years.
  de: /^(?:\d{5}|(?!1[89]|20)\d{4})$/u,
  fr: /^(?:\d{5}|(?!19|20)\d{4})$/u,
  pt: /^(?:\d{4}|\d{7}|\d{8})$/u,
  nl: /^\d{4}[A-Z]{2}$/u,
};
const POSTCODE_DIGITS = /^\d{5}$/u;

const isPlace = (text: SpokenText, index: number): boolean =>
  index >= text.tokens.length || isCapitalised(text.tokens[index]) || endsPhrase(text.tokens[index - 1]!);

/** The end of a postcode that starts with `first` and may span several items, or null. */
export const postcodeEnd = (text: SpokenText, first: Item): number | null => {
  const form = POSTCODES[text.codeAt(first.from)] ?? POSTCODE_DIGITS;
  let end: number | null = null;
  let code = '';
  for (let item: Item | undefined = first; item && code.length < 8; item = text.itemAt(item.to)) {
    if (item.shape !== 'letters' && !isNumberShape(item)) break;
    code += item.text;
    // A postcode spoken as several numbers may lose a zero: "quaranta uno venticinque".
    const isCode = form.test(code) || (item !== first && /^\d{4,5}$/u.test(code));
    if (isCode && isPlace(text, item.to)) end = item.to;
  }
  return end;
};

const POSTCODE = /^(?:\d{4,9}|\d{4}[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})$/u;
const POSTCODE_LENGTH_MAX = 9;
const POSTCODE_REACH = 5;

export const cuedPostcodes = (text: SpokenText): Entity[] =>
  text.runs.flatMap(({ items }): Entity[] => {
    const first = items.findIndex(({ from }) => text.tokensSince('postcode', from, POSTCODE_REACH) !== null);
    if (first === -1) return [];
    for (let end = Math.min(items.length, first + POSTCODE_LENGTH_MAX); end > first; end--) {
      const part = items.slice(first, end);
      if (POSTCODE.test(textOfItems(part))) return [addressEntity(text, part[0]!.from, part.at(-1)!.to)];
    }
    return [];
  });

/** British postcodes are recognised by their form: "NW1 6XE". */
export const britishPostcodes = ({ tokens }: SpokenText): Entity[] =>
  tokens.flatMap(({ core, trail }, index): Entity[] => {
    const next = tokens[index + 1];
    const isCode = /^[A-Z]{1,2}\d[A-Z\d]?$/u.test(core) && trail === '' && /^\d[A-Z]{2}$/u.test(next?.core ?? '');
    return isCode ? [{ kind: 'address_number', from: index, to: index + 2, value: `${core}${next!.core}` }] : [];
  });
