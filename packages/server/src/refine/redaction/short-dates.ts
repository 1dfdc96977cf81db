// Finds dates that lack a month or a year: "on the 16th", "Friday the 13th", "am 19.8.".
import { languageOf } from '../language.ts';
import { wordsOfAll } from '../words.ts';
import type { Item } from './spoken-codes.ts';
import type { Entity, SpokenText } from './spoken-text.ts';

const DAYS_MAX = 31;
const MONTHS_MAX = 12;
const WRITTEN = /^(\d{1,2})[./-](\d{1,2})$/u;
const ARTICLES = wordsOfAll({ en: 'the', de: 'den dem der', es: 'el día', fr: 'le', it: 'il', pt: 'dia', nl: 'de' });
/** Words before a day, in languages where the day is an ordinal. */
const ON = wordsOfAll({
  en: 'on by until till from since before after',
  de: 'am vom zum ab bis seit',
  nl: 'op tot vanaf sinds van',
});
/** Words before a day and month in digits. */
const BEFORE_WRITTEN = wordsOfAll({
  en: 'on by until till from since to the',
  de: 'am vom zum ab bis den dem der',
  es: 'el del al',
  fr: 'le du au',
  it: 'il dal al del',
  pt: 'dia em a de',
  nl: 'op van tot vanaf',
});
const DAY_WORDS = wordsOfAll({ es: 'día', pt: 'dia' });

const isDayOfMonth = (item: Item): boolean => /^\d{1,2}$/u.test(item.text) && Number(item.text) <= DAYS_MAX;

/** "19.8.", "14/03", "3/14" */
const isWritten = ({ tokens }: SpokenText, { from }: Item): boolean => {
  const [, one = '', two = ''] = WRITTEN.exec(tokens[from]!.core) ?? [];
  const [low, high] = [Math.min(Number(one), Number(two)), Math.max(Number(one), Number(two))];
  return low >= 1 && low <= MONTHS_MAX && high <= DAYS_MAX && BEFORE_WRITTEN.has(tokens[from - 1]?.key ?? '');
};

/** German writes ordinals with a full stop: "am 16." */
const isOrdinal = (text: SpokenText, { from, to, shape }: Item): boolean =>
  shape === 'ordinal' ||
  (text.codeAt(from) === 'de' && shape === 'plain' && text.tokens[to - 1]!.trail.startsWith('.'));

/** "on the 16th we leave"; not "on the 16th floor". */
const isBeforeNoun = ({ tokens }: SpokenText, { to }: Item): boolean => {
  const [last, next] = [tokens[to - 1]!, tokens[to]];
  if (!next || /[,;:!?]/u.test(last.trail)) return false;
  return !(languageOf(next.language)?.common.has(next.key) ?? true);
};

const isDay = (text: SpokenText, item: Item): boolean => {
  if (!isDayOfMonth(item) || (item.shape !== 'plain' && item.shape !== 'ordinal')) return false;
  const before = (n: number) => text.tokens[item.from - n];
  const at = ARTICLES.has(before(1)?.key ?? '') ? 2 : 1;
  const isAfterWeekday = languageOf(before(at)?.language ?? null)?.weekdays.has(before(at)?.key ?? '') ?? false;
  // In "Monday 9 to 5", the number after the weekday is not a day.
  const isSaidAsDay = isOrdinal(text, item) || at === 2 || /^(?:es|fr|it|pt)$/u.test(text.codeAt(item.from));
  if (isAfterWeekday && isSaidAsDay) return true;
  if (DAY_WORDS.has(before(1)?.key ?? '')) return true;
  return isOrdinal(text, item) && ON.has(before(at)?.key ?? '') && !isBeforeNoun(text, item);
};

export const shortDates = (text: SpokenText): Entity[] =>
  text.items
    .filter((item) => isWritten(text, item) || isDay(text, item))
    .map(({ from, to, text: value }) => ({ kind: 'date', from, to, value }));
