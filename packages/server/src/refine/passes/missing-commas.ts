// Punctuates bare English sentences after a greeting or an answer, and before "but", "please" and closing thanks.
import { looksLikeCode } from '../code-like.ts';
import { FIRST_NAMES } from '../names/words.ts';
import { type ChangeRecord, type Pass, recordOf, unchanged } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token, withTrail } from '../token.ts';
import * as words from './words/missing-commas.ts';

const WORDS_BEFORE_CLOSER_MIN = 3;
const WORDS_BEFORE_BUT_MIN = 3;

/** True when the recogniser did not punctuate the sentence at all. */
const isBare = (sentence: readonly Token[]): boolean =>
  sentence.length >= 3 && sentence.every(({ lead, trail }) => lead === '' && trail === '');

/** The index of the word that takes a comma after the opening words, or null. */
const openerEnd = (sentence: readonly Token[]): number | null => {
  const [first, second, third] = sentence.map(({ key }) => key) as [string, string, string];
  if (!words.OPENERS.has(first)) return null;
  if (words.GREETINGS.has(first) && FIRST_NAMES.has(second) && words.SUBJECTS.has(third)) return 1;
  // "oh my god", "sorry you feel that way"
  if ((first === 'oh' && second === 'my') || (first === 'sorry' && words.CONTINUES_SORRY.has(second))) return null;
  if (first === 'actually' && !words.PRONOUNS.has(second)) return null;
  const subjects = first === 'no' || first === 'nope' ? words.SUBJECTS_AFTER_NO : words.SUBJECTS;
  return subjects.has(second) ? 0 : null;
};

const closerStart = (sentence: readonly Token[]): number | null => {
  for (const closer of words.CLOSERS) {
    const start = sentence.length - closer.length;
    if (start < WORDS_BEFORE_CLOSER_MIN || !closer.every((word, n) => sentence[start + n]!.key === word)) continue;
    return words.NOT_BEFORE_CLOSER.has(sentence[start - 1]!.key) ? null : start;
  }
  return null;
};

export const missingCommas: Pass = {
  name: 'punctuation',
  run: (tokens, { language }) => {
    if (language?.code !== 'en' || looksLikeCode(tokens)) return unchanged(tokens);
    const out = [...tokens];
    const records: ChangeRecord[] = [];
    const put = (index: number, trail: string, reason: string) => {
      const token = out[index]!;
      out[index] = withTrail(token, trail);
      records.push(recordOf('punctuation', reason, token));
    };
    let start = 0;
    tokens.forEach((token, index) => {
      const next = tokens[index + 1];
      if (next && !breaksLine(next) && !endsSentence(token)) return;
      const sentence = tokens.slice(start, index + 1);
      const from = start;
      start = index + 1;
      if (!isBare(sentence)) return;
      const opener = openerEnd(sentence);
      if (opener !== null) put(from + opener, ',', 'after a greeting or an answer');
      const closer = closerStart(sentence);
      if (closer !== null) put(from + closer - 1, '.', 'thanks in a separate sentence');
      sentence.forEach(({ key }, n) => {
        const previous = sentence[n - 1];
        const following = sentence[n + 1]?.key ?? '';
        const isRequest =
          key === 'please' &&
          n > WORDS_BEFORE_CLOSER_MIN &&
          words.REQUESTS.has(following) &&
          !words.NOT_BEFORE_PLEASE.has(previous!.key);
        if (isRequest && !previous!.core.endsWith('.')) put(from + n - 1, '.', 'a request in a separate sentence');
        if (key === 'but' && n >= WORDS_BEFORE_BUT_MIN && words.PRONOUNS.has(following) && n + 2 < sentence.length)
          put(from + n - 1, ',', 'before "but" and a clause');
      });
    });
    return { tokens: out, records };
  },
};
