// Helpers shared by the detection of house numbers, flats and postcodes.
import type { Token } from '../../token.ts';
import type { Item } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';

/** Maximum tokens between two parts of an address. */
export const NEARBY = 6;
export const FLAT_REACH = 3;
export const HOUSE = /^\d{1,5}[A-Z]?$/u;

export const endsPhrase = ({ trail }: Token): boolean => /[.!?;:]/u.test(trail);

export const endsSentence = ({ trail }: Token): boolean => /[.!?]/u.test(trail);

export const isNumberShape = ({ shape }: Item): boolean => shape === 'plain' || shape === 'code';

export const isLetter = ({ tokens }: SpokenText, { from, shape }: Item): boolean =>
  shape === 'letters' && /^\p{Lu}$/u.test(tokens[from]!.core);

export const addressEntity = (text: SpokenText, from: number, to: number): Entity => ({
  kind: 'address_number',
  from,
  to,
  value: text.keysTogether(from, to),
});
