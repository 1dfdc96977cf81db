// Computes a rough phonetic key: consonants in classes that recognisers confuse, and at most a leading vowel.
import { lettersOf } from '../../lib/letters.ts';

const RULES: readonly (readonly [RegExp, string])[] = [
  [/[^a-z]/gu, ''],
  [/^(?:kn|gn|pn)/u, 'n'],
  [/^wr/u, 'r'],
  [/^ps/u, 's'],
  [/^x/u, 's'],
  [/ph/gu, 'f'],
  [/tsch|tch|sch|sh|ch|zh|cz/gu, 'X'],
  [/dg(?=[eiy])/gu, 'X'],
  [/[st]i(?=on|an)/gu, 'X'],
  [/gh(?=[aeiouy])/gu, 'g'],
  [/gh/gu, ''],
  [/th/gu, 't'],
  [/c(?=[eiy])/gu, 's'],
  [/g(?=[eiy])|j/gu, 'X'],
  [/qu/gu, 'kw'],
  [/ck|[cqg]/gu, 'k'],
  [/x/gu, 'ks'],
  [/mb(?=$|[^aeiouy])/gu, 'm'],
  [/[bp]+/gu, 'P'],
  [/[dt]+/gu, 'T'],
  [/k+/gu, 'K'],
  [/[fv]+/gu, 'F'],
  [/[sz]+/gu, 'S'],
  [/h/gu, ''],
  [/^[aeiouyw]+/u, 'A'],
  [/[aeiouy]+/gu, ''],
  [/w/gu, 'W'],
];

/** The phonetic key: KPRNTS for "Kubernetes" and for "cooper netties". */
export const soundOf = (text: string): string => {
  let sound = lettersOf(text);
  for (const [pattern, to] of RULES) sound = sound.replace(pattern, to);
  return sound.replace(/(.)\1+/gu, '$1').toUpperCase();
};

const ROW_MAX = 256;
let previous = new Uint16Array(ROW_MAX);
let row = new Uint16Array(ROW_MAX);

/** 1 minus the edit distance divided by the longer length: 1 for equal texts, 0 for nothing in common. */
export const similarity = (a: string, b: string): number => {
  const longest = Math.max(a.length, b.length);
  if (longest === 0 || a === b) return 1;
  if (longest >= ROW_MAX) return 0;
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const changed = previous[j - 1]! + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, changed);
    }
    [previous, row] = [row, previous];
  }
  return 1 - previous[b.length]! / longest;
};
