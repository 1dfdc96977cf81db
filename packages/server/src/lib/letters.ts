// The letters and digits of a text, for comparing spellings.

/** Scripts whose marks are accents or may be left out. Elsewhere they are vowels: रानी and रीना are two names. */
const OPTIONAL_MARKS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/** ё, decomposed: often written without its dots. */
const YO = 'е\u0308';

/** In lower case, without accents. Other scripts keep their letters and vowel signs. */
export const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(YO, 'е')
    .replace(OPTIONAL_MARKS, '$1')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
