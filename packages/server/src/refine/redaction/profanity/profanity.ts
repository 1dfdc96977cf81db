// Finds profanity by word lists. Each word is looked up in the list of its own language only.
import { languageOf } from '../../language.ts';
import type { Token } from '../../token.ts';
import { phrases } from '../../words.ts';
import type { Entity } from '../spoken-text.ts';
import { DUTCH } from './dutch.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

/** Takes the place of a profane word. */
export const PROFANITY_MARK = '****';

/** The rest of the phrases that begin with a word; an empty rest is the word alone. */
type List = ReadonlyMap<string, readonly (readonly string[])[]>;

const listOf = (text: string): List => {
  const list = new Map<string, (readonly string[])[]>();
  for (const [first, ...rest] of phrases(text)) list.set(first!, [...(list.get(first!) ?? []), rest]);
  return list;
};

const LISTS: Readonly<Record<string, List>> = {
  en: listOf(ENGLISH),
  de: listOf(GERMAN),
  es: listOf(SPANISH),
  fr: listOf(FRENCH),
  it: listOf(ITALIAN),
  pt: listOf(PORTUGUESE),
  nl: listOf(DUTCH),
};

/** "shit's", "l'enculé", "bullshit-free": profane when one part is. */
const JOINTS = /[-'‐–]/u;

const isWord = (list: List, key: string): boolean => list.get(key)?.some((rest) => rest.length === 0) ?? false;

/** How many tokens from here on are profane together. */
const profaneTokens = (tokens: readonly Token[], at: number): number => {
  const { key, language } = tokens[at]!;
  const list = LISTS[languageOf(language)?.code ?? ''];
  if (!list) return 0;
  const following = (list.get(key) ?? []).filter((rest) => rest.every((word, n) => tokens[at + 1 + n]?.key === word));
  const longest = Math.max(-1, ...following.map((rest) => rest.length));
  if (longest >= 0) return longest + 1;
  return key.split(JOINTS).some((part) => isWord(list, part)) ? 1 : 0;
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
