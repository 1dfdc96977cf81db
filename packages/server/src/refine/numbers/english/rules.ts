// The English number rules, in the order in which they are tried.
import type { Rule } from '../../rewrite.ts';
import { decimal, money, percent, unit } from './amounts.ts';
import { brokenYear, date, decade, year } from './dates.ts';
import { digits, dotted, international } from './digits.ts';
import { label } from './labels.ts';
import { cardinal, idiom, ordinals, range, row } from './plain.ts';
import { clock } from './times.ts';

/** The most specific rules come first. */
export const ENGLISH_RULES: readonly Rule[] = [
  idiom,
  brokenYear,
  decade,
  date,
  dotted,
  international,
  label,
  clock,
  digits,
  money,
  percent,
  unit,
  decimal,
  year,
  row,
  range,
  ordinals,
  cardinal,
];
