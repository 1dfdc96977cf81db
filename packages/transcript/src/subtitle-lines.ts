// Measures the width of text and breaks cues into lines.
import { breakBetween } from './breaks.ts';
import { isFunctionWord } from './function-words.ts';
import { lineOf } from './speakers/paragraphs.ts';
import type { WrittenWord } from './types.ts';

/** Double-width characters of Chinese, Japanese and Korean. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/** The width of a text on the screen, in columns. */
export const columnsOf = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
};

/** A break after a clause offsets a difference of this many columns; one after a function word costs as much. */
const CLAUSE_COLUMNS = 8;

/** One line, or the two best balanced ones; null when the words do not fit. */
export const breakIntoLines = (words: readonly WrittenWord[], columnsMax: number): string[] | null => {
  const whole = lineOf(words);
  if (columnsOf(whole) <= columnsMax) return [whole];
  let best: { lines: string[]; cost: number } | null = null;
  for (let at = 1; at < words.length; at++) {
    const lines = [lineOf(words.slice(0, at)), lineOf(words.slice(at))];
    const [upper, lower] = lines.map(columnsOf) as [number, number];
    if (upper > columnsMax) break;
    if (lower > columnsMax) continue;
    const isClause = breakBetween(words[at - 1]!, words[at]!) !== 'none';
    const isLeaning = isFunctionWord(words[at - 1]!.text);
    const cost = Math.abs(upper - lower) - (isClause ? CLAUSE_COLUMNS : 0) + (isLeaning ? CLAUSE_COLUMNS : 0);
    if (best === null || cost < best.cost) best = { lines, cost };
  }
  return best?.lines ?? null;
};

/** Splits words wider than a line, such as URLs, into parts that fit and divides their time among the parts. */
export const splitWideWords = (words: readonly WrittenWord[], columnsMax: number): WrittenWord[] =>
  words.flatMap((word) => {
    if (columnsOf(word.text) <= columnsMax) return [word];
    const parts: string[] = [''];
    for (const character of word.text) {
      if (columnsOf(parts.at(-1)! + character) > columnsMax) parts.push('');
      parts[parts.length - 1] += character;
    }
    const lengthMs = word.endMs - word.startMs;
    return parts.map((text, index) => ({
      ...word,
      gap: index === 0 ? word.gap : '',
      text,
      startMs: word.startMs + (lengthMs * index) / parts.length,
      endMs: word.startMs + (lengthMs * (index + 1)) / parts.length,
    }));
  });
