// Finds house numbers near another address: "the neighbour at number 6, we're number 4, Hawthorn Close".
import { wordsOfAll } from '../../words.ts';
import type { Item } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { houseEnd } from './houses.ts';
import { addressEntity, isNumberShape } from './parts.ts';

const APART_MAX = 10;
const NUMBER_WORDS = wordsOfAll({
  en: 'number',
  de: 'nummer',
  es: 'número',
  fr: 'numéro',
  it: 'numero civico',
  pt: 'número',
  nl: 'nummer',
});
const AT_WORDS = wordsOfAll({ de: 'die', es: 'el', fr: 'au le', it: 'al il', pt: 'no o', nl: 'op' });
const WE_ARE = wordsOfAll({
  de: 'sind bin ist',
  es: 'somos estamos',
  fr: 'est sommes suis',
  it: 'siamo sono',
  pt: 'somos estamos',
  nl: 'zijn zitten zit',
});

const isSaidAsHouse = ({ tokens }: SpokenText, { from }: Item, house: Entity): boolean => {
  const [last, before] = [tokens[from - 1]?.key ?? '', tokens[from - 2]?.key ?? ''];
  if (NUMBER_WORDS.has(last)) return true;
  return AT_WORDS.has(last) && (WE_ARE.has(before) || tokens[house.from - 1]?.key === last);
};

/** "3512 JE 41", "50674, die 27": a house number right after a postcode. */
const isRightAfter = ({ tokens }: SpokenText, { from }: Item, postcode: Entity): boolean =>
  from === postcode.to || (from === postcode.to + 1 && AT_WORDS.has(tokens[postcode.to]!.key));

const APART = Array.from({ length: APART_MAX + 1 }, (_, n) => n);

const grouped = (entities: readonly Entity[], by: 'from' | 'to'): ReadonlyMap<number, readonly Entity[]> => {
  const groups = new Map<number, Entity[]>();
  for (const entity of entities) {
    const group = groups.get(entity[by]);
    if (group) group.push(entity);
    else groups.set(entity[by], [entity]);
  }
  return groups;
};

const endingBefore = (byEnd: ReadonlyMap<number, readonly Entity[]>, { from }: Item): readonly Entity[] =>
  APART.flatMap((apart) => byEnd.get(from - apart) ?? []);

/** Numbers near these houses and postcodes that are phrased like house numbers. */
export const neighbours = (text: SpokenText, houses: readonly Entity[], postcodes: readonly Entity[]): Entity[] => {
  const all = [...houses, ...postcodes];
  const [byStart, byEnd, postcodesByEnd] = [grouped(all, 'from'), grouped(all, 'to'), grouped(postcodes, 'to')];
  const near = (item: Item): readonly Entity[] => [
    ...endingBefore(byEnd, item),
    ...APART.flatMap((apart) => byStart.get(item.to + apart) ?? []),
  ];
  return text.items
    .filter((item) => isNumberShape(item) && /^\d{1,3}[A-Z]?$/u.test(item.text))
    .map((item) => ({ ...item, to: houseEnd(text, item.to) }))
    .filter(({ to }) => to === text.tokens.length || text.tokens[to - 1]!.trail !== '')
    .filter(
      (item) =>
        near(item).some((house) => isSaidAsHouse(text, item, house)) ||
        endingBefore(postcodesByEnd, item).some((postcode) => isRightAfter(text, item, postcode)),
    )
    .map(({ from, to }) => addressEntity(text, from, to));
};
