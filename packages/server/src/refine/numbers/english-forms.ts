// The rules for written English numbers, in the order they are tried.
import type { Rule } from '../rewrite.ts';
import { decimal, money, percent, unit } from './english-amounts.ts';
import { brokenYear, date, decade, year } from './english-dates.ts';
import { digits, dotted, international, label } from './english-labels.ts';
import { cardinal, idiom, ordinals, range, row } from './english-plain.ts';
import { clock } from './english-times.ts';

/** The most specific reading wins. */
export const ENGLISH_FORMS: readonly Rule[] = [
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
