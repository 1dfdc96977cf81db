// Finds the numbers of an address: house, flat, floor and postcode.
import { isCommon } from '../../language.ts';
import { isCapitalised } from '../../token.ts';
import type { Item } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { houseEnd, houses, isAfterName, isBeforeName } from './houses.ts';
import { neighbours } from './neighbours.ts';
import { addressEntity, endsSentence, FLAT_REACH, HOUSE, isLetter, isNumberShape, NEARBY } from './parts.ts';
import { britishPostcodes, cuedPostcodes, postcodeEnd } from './postcodes.ts';

const SIDES = /^(?:izquierda|izda|izq|derecha|dcha|centro|esquerdo|esquerda|esq|direito|direita|dto|frente|[a-h])$/u;

/** A floor and its side: "tercero B", "segundo esquerdo". */
const floorEnd = (text: SpokenText, item: Item): number | null =>
  item.shape === 'ordinal' && SIDES.test(text.tokens[item.to]?.key ?? '') ? item.to + 1 : null;

/** ", Apartment 7.": a part of a building, named by any noun. */
const isPartOfBuilding = ({ tokens }: SpokenText, { from, to }: Item): boolean => {
  const [comma, noun, last] = [tokens[from - 2], tokens[from - 1], tokens[to - 1]];
  const isPart = comma?.trail === ',' && noun?.trail === '' && (last!.trail !== '' || to === tokens.length);
  return isPart && /^\p{L}{3,}$/u.test(noun.core) && !isCommon(noun);
};

const annexEnd = (text: SpokenText, item: Item): number | null => {
  const isAnnex = (HOUSE.test(item.text) && isNumberShape(item)) || isLetter(text, item);
  return isAnnex && (text.tokensSince('annex', item.from, FLAT_REACH) === 0 || isPartOfBuilding(text, item))
    ? item.to
    : null;
};

/** Tokens between a number and the start of another part of the address. */
const NEXT = Array.from({ length: NEARBY }, (_, n) => n + 1);

/** What follows a house number: floor, door and postcode. Ends at what follows an earlier house, which is in `known`. */
const after = (text: SpokenText, house: Entity, known: Set<Item>): Entity[] => {
  const found: Entity[] = [];
  let end = house.to;
  for (let n = text.itemIndex(house.to); n < text.items.length; n++) {
    const item = text.items[n]!;
    if (item.from < end) continue;
    if (item.from - end > NEARBY || text.tokens.slice(end - 1, item.from).some(endsSentence)) break;
    const to = floorEnd(text, item) ?? annexEnd(text, item) ?? postcodeEnd(text, item);
    if (to === null) continue;
    // What follows this item is known too. Otherwise a list of flats would take quadratic time and memory.
    if (known.has(item)) break;
    known.add(item);
    found.push(addressEntity(text, item.from, to));
    end = to;
  }
  return found;
};

/** "50674 Köln, Lindenstraße 27" */
const before = (text: SpokenText, house: Entity): Entity[] =>
  text
    .itemsIn(house.from - NEARBY, house.from)
    .filter(({ to }) => isCapitalised(text.tokens[to]))
    .filter((item) => !text.tokens.slice(item.from, house.from - 1).some(endsSentence))
    .flatMap((item) => {
      const to = postcodeEnd(text, item);
      return to !== null && to < house.from ? [addressEntity(text, item.from, to)] : [];
    });

export const addressNumbers = (text: SpokenText): Entity[] => {
  const found = houses(text);
  const [british, cued] = [britishPostcodes(text), cuedPostcodes(text)];
  const byStart = new Map([...british, ...found, ...cued].map((each) => [each.from, each]));
  const isBefore = (item: Item, next: Entity | undefined): boolean =>
    next !== undefined && (isBeforeName(text, item, next) || isAfterName(text, item, next));
  const first = text.items.filter(
    (item) => isNumberShape(item) && NEXT.some((apart) => isBefore(item, byStart.get(item.to + apart))),
  );
  const known = new Set<Item>();
  return [
    ...british,
    ...found,
    ...cued,
    ...first.map(({ from, to }) => addressEntity(text, from, houseEnd(text, to))),
    ...neighbours(text, found, [...british, ...cued]),
    ...found.flatMap((house) => [...after(text, house, known), ...before(text, house)]),
  ];
};
