// Finds dates that are named by a holiday: "Boxing Day 1933", "el día de San Esteban de 1933".
import { wordsOfAll } from '../words.ts';
import type { SpokenText } from './spoken-text.ts';
import { isYearLike } from './words.ts';

const FEASTS = wordsOfAll({
  en: "christmas xmas boxing easter halloween new-year's year's valentine's thanksgiving epiphany",
  de: 'weihnachten weihnachtstag weihnachtsfeiertag heiligabend silvester neujahr neujahrstag ostern ostersonntag pfingsten nikolaus',
  es: 'navidad nochebuena nochevieja reyes pascua',
  fr: 'noël saint-sylvestre pâques pentecôte toussaint épiphanie',
  it: 'natale capodanno ferragosto pasqua epifania befana',
  pt: 'natal páscoa consoada',
  nl: 'kerst kerstdag kerstavond kerstmis oudjaar oudejaarsdag nieuwjaar nieuwjaarsdag pasen pinksteren koningsdag sinterklaas',
});
/** Words that start the day of a saint: "San Esteban". */
const SAINTS = wordsOfAll({ es: 'san santa santo', it: 'san santa santo', pt: 'são santa santo', fr: 'saint sainte' });
/** Words around a holiday: "the day after", "le lendemain de". */
const AROUND = wordsOfAll({
  en: "day eve new the of after before 's",
  de: 'erster ersten zweiter zweiten tag nach vor dem',
  es: 'día noche de del la víspera año nuevo',
  fr: "lendemain veille jour de la l' nouvel an",
  it: 'giorno di del vigilia dopo',
  pt: 'dia de do véspera ano novo',
  nl: 'eerste tweede dag na',
});
const WORDS_MAX = 5;

const isPart = (text: SpokenText, index: number): boolean => {
  const { key = '', trail = ',' } = text.tokens[index] ?? {};
  return trail === '' && (AROUND.has(key) || FEASTS.has(key) || SAINTS.has(text.tokens[index - 1]?.key ?? ''));
};

/** The token range of a holiday with its year, or null. */
export const feastAt = (text: SpokenText, index: number): { readonly from: number; readonly to: number } | null => {
  const { tokens } = text;
  const isSaint = SAINTS.has(tokens[index]!.key) && /^\p{Lu}/u.test(tokens[index + 1]?.core ?? '');
  if (!FEASTS.has(tokens[index]!.key) && !isSaint) return null;
  let end = index + 1;
  while (end < index + WORDS_MAX && !text.itemAt(end) && isPart(text, end)) end += 1;
  const year = text.itemAt(end);
  if (!year || !isYearLike(year.text) || tokens[end - 1]!.trail !== '') return null;
  let from = index;
  while (from > index - WORDS_MAX && AROUND.has(tokens[from - 1]?.key ?? '') && tokens[from - 1]!.trail === '')
    from -= 1;
  return { from, to: year.to };
};
