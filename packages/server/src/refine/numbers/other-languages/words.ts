// Word lists for numbers in languages other than English.
import { wordsOfAll } from '../../words.ts';

/** Words that two numbers follow: "zwischen fünf und zwanzig". */
export const BETWEEN = wordsOfAll({
  de: 'zwischen',
  nl: 'tussen',
  es: 'entre',
  fr: 'entre',
  pt: 'entre',
  it: 'tra fra',
});

export const HALVES = wordsOfAll({
  de: 'halb halbe halber',
  nl: 'half halve anderhalf',
  es: 'medio media',
  fr: 'demi demie',
  it: 'mezzo mezza',
  pt: 'meio meia',
});

export const MINUTES = wordsOfAll({
  de: 'minuten',
  nl: 'minuten',
  fr: 'minutes',
  it: 'minuti',
  es: 'minutos',
  pt: 'minutos',
});

/** The first word of "per cent" in languages that write it as two words. */
export const PERCENT_FIRST = wordsOfAll({ es: 'por', pt: 'por', it: 'per', fr: 'pour' });

/** Ordinals that are also everyday words. */
export const EVERYDAY_ORDINALS = wordsOfAll({
  en: 'second seconds',
  es: 'segundo segunda primera',
  pt: 'segundo segunda quarto quarta primeira',
  it: 'quarto quarta secondo seconda prima primo terza',
  fr: 'premier',
});
