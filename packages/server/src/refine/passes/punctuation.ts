// Adds marks that the recogniser omitted: the end of a sentence, and the question mark of a plain question.
import { looksLikeCode } from '../code-like.ts';
import { type ChangeRecord, type Pass, recordOf, unchanged } from '../rewrite.ts';
import { breaksLine, endsSentence, hasText, pauseMsBefore, render, type Token, withTrail } from '../token.ts';
import * as words from './words/punctuation.ts';
import { NEVER_LAST } from './words/sentence-ends.ts';

/** A text with fewer words may be a label, a name or a search term, and gets no mark. */
const SENTENCE_WORDS_MIN = 3;
/** Two words are enough if one replaced text that was this many characters longer, as in "Call 555-1234". */
const SPOKEN_CHARACTERS_MIN = 6;
const SENTENCE_PAUSE_MS = 900;

/** Whether an English sentence is plainly a question. */
const isQuestion = (sentence: readonly Token[]): boolean => {
  const key = (n: number): string => sentence[n]?.key ?? '';
  let from = 0;
  while (from < 2 && words.BEFORE_QUESTION.has(key(from))) from += 1;
  const [first, second, third] = [key(from), key(from + 1), key(from + 2)];
  if (sentence.length - from < 3) return false;
  if (words.CONTRACTED_QUESTION_WORDS.has(first)) return true;
  if (words.QUESTION_WORDS.has(first)) {
    // "what if we tried that", "which one do you want"
    if (first === 'what' && second === 'if') return true;
    const isInverted = [1, 2, 3].some(
      (n) => words.AUXILIARIES.has(key(from + n)) && words.PRONOUNS.has(key(from + n + 1)),
    );
    if (words.QUESTION_DETERMINERS.has(first) && second !== 'a' && isInverted) return true;
    if (words.RELATIVE_WORDS.has(first)) return words.AUXILIARIES.has(second) && words.SUBJECTS.has(third);
    return words.AFTER_QUESTION_WORD.has(second);
  }
  if (first === 'had' || first === 'might') return false;
  if (first === 'may' || first === 'have') return words.SUBJECTS_AFTER_MAY.has(second);
  if (first === 'do') return words.SUBJECTS_AFTER_DO.has(second);
  return words.AUXILIARIES.has(first) && words.SUBJECTS.has(second);
};

const isMarkup = (token: Token): boolean => /^<|>$/u.test(token.core);

/** Bullet items, and numbers or addresses on their own, take no mark. */
const needsEnd = (sentence: readonly Token[], follows: boolean): boolean => {
  const last = sentence.at(-1)!;
  const isShortened = sentence.some(
    (token) => token.rawEnd - token.rawStart >= render(token).length + SPOKEN_CHARACTERS_MIN,
  );
  const isLong = sentence.length >= SENTENCE_WORDS_MIN || (sentence.length === 2 && isShortened);
  if (!(isLong || follows) || !hasText(last) || isMarkup(last)) return false;
  if (!sentence.some((token) => /\p{L}{2}/u.test(token.core)) || sentence[0]!.lead.startsWith('- ')) return false;
  return last.trail === '' || last.trail === ',' || /^[”"')\]]+$/u.test(last.trail);
};

const withEnd = (token: Token, mark: string): Token => {
  const trail = token.trail === ',' ? '' : token.trail;
  // The dot of "3 p.m." ends the sentence.
  if (mark === '.' && token.core.endsWith('.')) return withTrail(token, trail);
  return withTrail(token, mark + trail);
};

/** Pauses end sentences only in text with less than one mark per this many words. */
const WORDS_PER_MARK_MAX = 40;
const isUnpunctuated = (tokens: readonly Token[]): boolean =>
  tokens.filter(({ trail }) => /[.,!?;:]/u.test(trail)).length * WORDS_PER_MARK_MAX < tokens.length;

const isPausedEnd = (token: Token, next: Token): boolean =>
  token.trail === '' &&
  pauseMsBefore(next, token) >= SENTENCE_PAUSE_MS &&
  words.SENTENCE_STARTS.has(next.key) &&
  !NEVER_LAST.has(token.key);

export const punctuation: Pass = {
  name: 'punctuation',
  run: (tokens, { language }) => {
    if (!language || looksLikeCode(tokens)) return unchanged(tokens);
    const usesPauses = isUnpunctuated(tokens);
    const out = [...tokens];
    const records: ChangeRecord[] = [];
    let start = 0;
    tokens.forEach((token, index) => {
      const next = tokens[index + 1];
      const isPaused = usesPauses && next !== undefined && index - start >= 3 && isPausedEnd(token, next);
      if (next && !breaksLine(next) && !endsSentence(token) && !isPaused) return;
      const sentence = tokens.slice(start, index + 1);
      const follows = start > 0 && !breaksLine(tokens[start]!);
      start = index + 1;
      // Lines of an address take no mark, and a dictated comma at the end of a line stays.
      const isItem = /^\d+\.$/u.test(sentence[0]!.core) && sentence.length > 1;
      const isLine = !isItem && (next?.gap === '\n' || sentence[0]!.gap === '\n');
      if (endsSentence(token) || isLine || (next && token.trail === ',')) return;
      if (!needsEnd(sentence, follows || isItem)) return;
      const mark = language.code === 'en' && isQuestion(sentence) ? '?' : '.';
      const ended = withEnd(token, mark);
      if (ended === token) return;
      out[index] = ended;
      records.push(recordOf('punctuation', mark === '?' ? 'a question' : 'the end of a sentence', token));
    });
    return { tokens: out, records };
  },
};
