// Measures how alike two texts sound: letters become rough phones, which are compared by a weighted edit distance.
import { lettersOf } from '../../lib/letters.ts';

/** Applied in order. Capitals are separate phones: S sh, C ch, J j, T th. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/u, 'n'],
  [/^wr/u, 'r'],
  [/^ps/u, 's'],
  [/^x/u, 'z'],
  [/^wh(?=o)/u, 'h'],
  [/wh/gu, 'w'],
  [/ph/gu, 'f'],
  [/tsch|tch/gu, 'C'],
  [/sch(?=[mnlrw])|sh/gu, 'S'],
  [/sch/gu, 'sk'],
  [/ch(?=[rl])/gu, 'k'],
  [/ch|cz/gu, 'C'],
  [/zh/gu, 'J'],
  [/dg(?=[eiy])/gu, 'J'],
  [/(?:ss|[stc])i(?=on|an|ous|al)/gu, 'S'],
  [/gh(?=[aeiouy])/gu, 'g'],
  [/gh/gu, ''],
  [/th/gu, 'T'],
  [/sc(?=[eiy])/gu, 's'],
  [/c(?=[eiy])/gu, 's'],
  [/g(?=[eiy])|j/gu, 'J'],
  [/qu/gu, 'kw'],
  [/ck|[cq]/gu, 'k'],
  [/x/gu, 'ks'],
  [/mb(?=s?$)/gu, 'm'],
  [/(?<=[aeiou])h(?![aeiouy])/gu, ''],
  [/(?<=[^aeiouytd])ed$/u, 'd'],
  [/(?<=[^aeiouy])e$/u, ''],
  [/ee|ea|ie(?!$)|ei/gu, 'i'],
  [/oo|ou|ew|ue/gu, 'u'],
  [/ai|ay|ey/gu, 'e'],
  [/au|aw|oa|ow/gu, 'o'],
  [/y/gu, 'i'],
];

export const phonesOf = (text: string): string => {
  let phones = lettersOf(text);
  if (/[a-z]/u.test(phones)) for (const [pattern, to] of RULES) phones = phones.replace(pattern, to);
  return phones.replace(/(.)\1+/gu, '$1');
};

const VOWELS = 'aeiou';
/** Groups of phones that are easily confused, and the cost of replacing one by another. */
const CONFUSED: readonly (readonly [string, number])[] = [
  ['pb', 0.3],
  ['td', 0.3],
  ['kg', 0.3],
  ['fv', 0.3],
  ['sz', 0.2],
  ['SCJ', 0.3],
  ['tT', 0.4],
  ['dT', 0.4],
  ['fT', 0.4],
  ['sT', 0.4],
  ['sS', 0.4],
  ['sC', 0.5],
  ['zJ', 0.4],
  ['tC', 0.4],
  ['dJ', 0.4],
  ['gJ', 0.4],
  ['kC', 0.5],
  ['mn', 0.4],
  ['lr', 0.5],
  ['lw', 0.5],
  ['rw', 0.5],
  ['vw', 0.4],
  ['bv', 0.5],
  [VOWELS, 0.35],
];
/** Cost of a phone that only one side has. */
const ALONE = 0.8;
const ALONE_VOWEL = 0.4;
const ALONE_SOFT = 0.4;
const SOFT = 'hrwdt';

const CODES = 128;
const replaceCost = new Float32Array(CODES * CODES).fill(1);
const aloneCost = new Float32Array(CODES).fill(ALONE);
for (let code = 0; code < CODES; code++) replaceCost[code * CODES + code] = 0;
for (const [group, cost] of CONFUSED)
  for (const a of group)
    for (const b of group) if (a !== b) replaceCost[a.charCodeAt(0) * CODES + b.charCodeAt(0)] = cost;
for (const vowel of VOWELS) aloneCost[vowel.charCodeAt(0)] = ALONE_VOWEL;
for (const soft of SOFT) aloneCost[soft.charCodeAt(0)] = ALONE_SOFT;

const costOfReplacing = (a: number, b: number): number => {
  if (a === b) return 0;
  return a < CODES && b < CODES ? replaceCost[a * CODES + b]! : 1;
};
const costAlone = (code: number): number => (code < CODES ? aloneCost[code]! : ALONE);

export const PHONES_MAX = 64;
let previous = new Float32Array(PHONES_MAX + 1);
let row = new Float32Array(PHONES_MAX + 1);

/**
 * 1 for equal phones; 0 with nothing in common or below `least`. Texts of more than 64 phones are alike only if
 * equal.
 */
export const alikeness = (a: string, b: string, least = 0): number => {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  if (longest > PHONES_MAX || a === '' || b === '') return 0;
  const costMax = (1 - least) * longest;
  if (Math.abs(a.length - b.length) * ALONE_VOWEL > costMax) return 0;
  for (let j = 0; j < b.length; j++) previous[j + 1] = previous[j]! + costAlone(b.charCodeAt(j));
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    const alone = costAlone(code);
    let cheapest = previous[0]! + alone;
    row[0] = cheapest;
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      const replaced = previous[j - 1]! + costOfReplacing(code, other);
      const cost = Math.min(replaced, previous[j]! + alone, row[j - 1]! + costAlone(other));
      row[j] = cost;
      if (cost < cheapest) cheapest = cost;
    }
    [previous, row] = [row, previous];
    if (cheapest > costMax) break;
  }
  // An abandoned comparison leaves a row whose last cost is above the limit too.
  const cost = previous[b.length]!;
  previous[0] = 0;
  row[0] = 0;
  const alike = Math.max(0, 1 - cost / longest);
  return alike >= least ? alike : 0;
};

const CLASSES = ['pbfvw', 'tdT', 'szSCJ', 'kg', 'mn', 'lr'];
export const CONSONANT_CLASSES = CLASSES.length;
const classOf = new Int8Array(CODES).fill(-1);
for (const [index, group] of CLASSES.entries()) for (const phone of group) classOf[phone.charCodeAt(0)] = index;

/** How many consonants of each class a sound has: compared first, because that is cheap. */
export const profileOf = (phones: string): Uint8Array => {
  const counts = new Uint8Array(CONSONANT_CLASSES);
  for (let at = 0; at < phones.length; at++) {
    const code = phones.charCodeAt(at);
    const index = code < CODES ? classOf[code]! : -1;
    if (index >= 0) counts[index]! += 1;
  }
  return counts;
};
