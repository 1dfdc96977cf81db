// Finds profanity by word lists. Each word is looked up only in the list of its own language.
import { languageOf } from '../../language.ts';
import type { Token } from '../../token.ts';
import { longestPhrase, type PhraseList, phraseList } from '../../words.ts';
import type { Entity } from '../spoken-text.ts';
import { DUTCH } from './dutch.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

/** Replaces a profane word. */
export const PROFANITY_MARK = '****';

const LISTS: Readonly<Record<string, PhraseList>> = {
  en: phraseList(ENGLISH),
  de: phraseList(GERMAN),
  es: phraseList(SPANISH),
  fr: phraseList(FRENCH),
  it: phraseList(ITALIAN),
  pt: phraseList(PORTUGUESE),
  nl: phraseList(DUTCH),
};

/** "shit's", "l'enculé", "bullshit-free": profane if one part is. */
const JOINTS = /[-'‐–]/u;

const isWord = (list: PhraseList, key: string): boolean => list.get(key)?.some((rest) => rest.length === 0) ?? false;

/** The number of tokens in the profane word or phrase at `at`; 0 if there is none. */
const profaneTokens = (tokens: readonly Token[], at: number): number => {
  const { key, language } = tokens[at]!;
  const list = LISTS[languageOf(language)?.code ?? ''];
  if (!list) return 0;
  const longest = longestPhrase(list, tokens, at, tokens.length);
  return longest || (key.split(JOINTS).some((part) => isWord(list, part)) ? 1 : 0);
};

/** One entity per word, so that every word keeps its own time. */
export const profanities = (tokens: readonly Token[]): Entity[] => {
  const found: Entity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const count = profaneTokens(tokens, at);
    for (let n = 0; n < count; n++) found.push({ kind: 'profanity', from: at + n, to: at + n + 1, value: '' });
    at += Math.max(0, count - 1);
  }
  return found;
};
