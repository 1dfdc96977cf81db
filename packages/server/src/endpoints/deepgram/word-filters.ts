// Applies the formatting options to the words of a transcript: fillers, numerals, punctuation, replacements.
import { type TextEdit, type WrittenWord, writtenWords } from '@faircopy/transcript';
import type { TranscriptText } from '../../calls/transcript.ts';
import type { Replacement, TextForm } from './parameters.ts';
import { deepgramMarks } from './redaction.ts';

export type Recognised = Pick<TranscriptText, 'rawText' | 'edits' | 'words' | 'segments' | 'detectedLanguage'>;

/** A mark of redaction: "[CARD_1]", or "****" for profanity. */
const MARK = /\[[A-Z_]+_\d+\]|\*{4}/u;

/** Lower case, without surrounding punctuation. */
export const bareWord = (text: string): string =>
  MARK.exec(text)?.[0] ?? (text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || text.toLowerCase());

/** Not words in any language. */
const FILLERS = new Set('uh uhh uhm umm erm hmm äh ähm euh'.split(' '));
/** Words in other languages, such as "um" in German and Portuguese. */
const ENGLISH_FILLERS = new Set([...FILLERS, 'um', 'er', 'hm']);

const fillersIn = ({ detectedLanguage }: Recognised): ReadonlySet<string> =>
  detectedLanguage === 'en' ? ENGLISH_FILLERS : FILLERS;

/** The edits of refinement that the options request. */
const editsFor = (recognised: Recognised, { base, fillers, numerals }: TextForm): readonly TextEdit[] => {
  const { rawText, edits } = recognised;
  if (base === 'refined') return fillers ? edits.filter((edit) => !removesFillers(recognised, edit)) : edits;
  return numerals ? edits.filter((edit) => writesNumerals(rawText, edit)) : [];
};

const removesFillers = (recognised: Recognised, { after, rawStart, rawEnd }: TextEdit): boolean => {
  const fillers = fillersIn(recognised);
  const words = recognised.rawText
    .slice(rawStart, rawEnd)
    .split(/\s+/u)
    .filter((word) => /\p{L}/u.test(word));
  return !/[\p{L}\p{N}]/u.test(after) && words.length > 0 && words.every((word) => fillers.has(bareWord(word)));
};

const writesNumerals = (rawText: string, { after, rawStart, rawEnd }: TextEdit): boolean =>
  /\p{N}/u.test(after) && !/\p{N}/u.test(rawText.slice(rawStart, rawEnd));

/** Marks within words and numbers stay, and so do symbols. */
const MARKS = /(?<![\p{L}\p{N}])[^\p{L}\p{N}\p{S}%&#@]+|[^\p{L}\p{N}\p{S}%&#@]+(?![\p{L}\p{N}])/gu;
const withoutMarks = (text: string): string => MARK.exec(text)?.[0] ?? text.toLowerCase().replace(MARKS, '');

/** The words to show, after all options. */
export const shownWords = (
  recognised: Recognised,
  { text, replacements }: { readonly text: TextForm; readonly replacements: readonly Replacement[] },
): readonly WrittenWord[] => {
  let words: readonly WrittenWord[] = writtenWords({ ...recognised, edits: editsFor(recognised, text) });
  const fillers = fillersIn(recognised);
  if (!text.fillers) words = words.filter((word) => !fillers.has(bareWord(word.text)));
  if (!text.punctuation)
    words = words.map((word) => ({ ...word, text: withoutMarks(word.text) })).filter((word) => word.text !== '');
  return replaced(words.map(deepgramMarks), replacements);
};

const replaced = (words: readonly WrittenWord[], replacements: readonly Replacement[]): readonly WrittenWord[] =>
  replacements.reduce<readonly WrittenWord[]>((before, { find, replace }) => {
    const sought = find.trim().split(/\s+/u).map(bareWord);
    const after: WrittenWord[] = [];
    for (let at = 0; at < before.length; ) {
      if (!isAt(before, at, sought)) {
        after.push(before[at]!);
        at += 1;
        continue;
      }
      const run = before.slice(at, at + sought.length);
      const [lead, trail] = [/^[^\p{L}\p{N}]*/u.exec(run[0]!.text)![0], /[^\p{L}\p{N}]*$/u.exec(run.at(-1)!.text)![0]];
      // Surrounding punctuation stays, unless the word is removed.
      if (replace !== '') after.push({ ...run[0]!, text: `${lead}${replace}${trail}`, endMs: run.at(-1)!.endMs });
      at += sought.length;
    }
    return after;
  }, words);

const isAt = (words: readonly WrittenWord[], at: number, sought: readonly string[]): boolean =>
  sought.every((word, index) => at + index < words.length && bareWord(words[at + index]!.text) === word);

/** Every place where these words were said. */
export const searchWords = (words: readonly WrittenWord[], query: string): (readonly WrittenWord[])[] => {
  const sought = query.trim().split(/\s+/u).map(bareWord);
  if (sought.every((word) => word === '')) return [];
  return words.flatMap((_, at) => (isAt(words, at, sought) ? [words.slice(at, at + sought.length)] : []));
};
