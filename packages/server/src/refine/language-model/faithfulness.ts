// Rule-based check that the language model's text is faithful to its source.
import { commonSubsequence } from '@faircopy/transcript';
import { withoutPossessive } from '../token.ts';
import { HEDGES, LIGHT_WORDS, NEGATIONS, NUMBER_WORDS, REMARK } from './words.ts';

const WORDS_SLACK = 3;
const LONGER_MAX = 1.2;
const SHORTER_MIN = 0.75;
const NEW_WORDS_SHARE_MAX = 0.05;
const LOST_WORDS_SHARE_MAX = 0.12;
const ORDER_SHARE_MIN = 0.85;

const plain = (text: string): string => text.normalize('NFKC').replace(/[’ʼ‘]/gu, "'").toLowerCase();
/** Expands contractions so that "don't" and "do not" compare as equal. */
const uncontracted = (text: string): string =>
  text
    .replace(/\b(?:can't|cannot)\b/gu, 'can not')
    .replace(/\bwon't\b/gu, 'will not')
    .replace(/n't\b/gu, ' not');
const wordsOf = (text: string): string[] =>
  uncontracted(plain(text)).match(/\p{L}[\p{L}\p{M}'-]*|\p{N}+(?:[.,:]\p{N}+)*/gu) ?? [];

const sameItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().join('\n') === b.toSorted().join('\n');

/** Digits without separators, and small numbers in words. Omits 1, because "one" is often a pronoun. */
const numbersOf = (words: readonly string[]): string[] =>
  words
    .map((word) => (/^\p{N}/u.test(word) ? word.replace(/[.,:]/gu, '') : (NUMBER_WORDS.get(word) ?? '')))
    .filter((number) => number !== '' && number !== '1');

const addressesOf = (text: string): string[] =>
  plain(text).match(
    /\S+@\S+\.\p{L}+|https?:\/\/\S+|\b[\p{L}\p{N}-]+\.(?:com|org|net|io|de|fr|es|it|pt|nl|uk)\b\S*/gu,
  ) ?? [];

/** Capitalised words inside sentences; most of them are names. */
const namesOf = (text: string): string[] =>
  [
    ...text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/\n+/gu, '\n')
      .matchAll(/(?<![.!?:…"“\n]\s*)(?<=\s)\p{Lu}[\p{L}\p{M}'’-]+/gu),
  ].map((match) => withoutPossessive(plain(match[0])));

const questionsIn = (text: string): number => text.match(/[?？]/gu)?.length ?? 0;

/** True when both are probably the same word, misrecognised or inflected. */
const isSimilar = (a: string, b: string): boolean => {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 3) return false;
  let same = 0;
  while (same < length && a[same] === b[same]) same += 1;
  return same >= Math.max(3, Math.ceil(Math.max(a.length, b.length) * 0.6));
};

const missingFrom = (words: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return words.filter((word) => !known.has(word) && !others.some((other) => isSimilar(word, other)));
};

const contentOf = (words: readonly string[]): string[] => words.filter((word) => !LIGHT_WORDS.has(word));

/** What makes the candidate unfaithful to the source, or null when it is faithful. */
export const unfaithfulness = (source: string, candidate: string): string | null => {
  const [spoken, written] = [wordsOf(source), wordsOf(candidate)];
  if (written.length === 0) return spoken.length === 0 ? null : 'empty';
  if (REMARK.test(candidate) && !REMARK.test(source)) return 'remark';
  if (/<<<|>>>|```/u.test(candidate)) return 'remark';
  if (written.length > spoken.length * LONGER_MAX + WORDS_SLACK) return 'added';
  if (written.length < spoken.length * SHORTER_MIN - WORDS_SLACK) return 'shortened';
  const differ = (itemsOf: (words: readonly string[]) => string[]) => !sameItems(itemsOf(spoken), itemsOf(written));
  if (differ(numbersOf)) return 'numbers';
  if (!sameItems(addressesOf(source), addressesOf(candidate))) return 'addresses';
  if (differ((words) => words.filter((word) => NEGATIONS.has(word)))) return 'negations';
  if (differ((words) => words.filter((word) => HEDGES.has(word)))) return 'hedges';
  if (namesOf(source).some((name) => !written.some((word) => word.startsWith(name)))) return 'names';
  if (namesOf(candidate).some((name) => !spoken.some((word) => isSimilar(withoutPossessive(word), name))))
    return 'names';
  const [content, rewritten] = [contentOf(spoken), contentOf(written)];
  const exceeds = (words: readonly string[], shareMax: number) =>
    words.length > Math.max(1, Math.floor(content.length * shareMax));
  if (exceeds(missingFrom(rewritten, spoken), NEW_WORDS_SHARE_MAX)) return 'invented';
  if (exceeds(missingFrom(content, written), LOST_WORDS_SHARE_MAX)) return 'lost';
  const inOrder = commonSubsequence(content, rewritten, { isSame: isSimilar }).length;
  if (inOrder < Math.floor(content.length * ORDER_SHARE_MIN)) return 'reordered';
  return questionsIn(candidate) < questionsIn(source) ? 'questions' : null;
};
