// The number grammar shared by Spanish, Portuguese, French and Italian.
import type { Grammar } from './number-language.ts';

export const ROMANCE: Grammar = {
  digitFirst: false,
  tensJoint: 'always',
  jointAfterHundred: false,
  jointAfterScale: false,
  countsByTwenty: false,
  hundredsHeadMax: 9,
};

/** The masculine and feminine forms of a list of hundreds. */
export const bothGenders = (list: string): string => list.replaceAll(/(\S+)os/gu, '$1os|$1as');

/** Ordinals from 1 up. `list` holds the masculine forms; the feminine forms are added. */
export const ordinalsOf = (list: string): ReadonlyMap<string, number> =>
  new Map(
    list.split(' ').flatMap((word, n): [string, number][] => [
      [word, n + 1],
      [`${word.slice(0, -1)}a`, n + 1],
    ]),
  );
