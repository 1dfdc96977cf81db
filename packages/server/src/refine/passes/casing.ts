// Corrects capitals: sentence starts, the pronoun I, days and months, known names and abbreviations.

import { looksLikeCode } from '../code-like.ts';
import type { Language } from '../language.ts';
import { properForm } from '../names/proper-form.ts';
import { FAMILY_NAMES, FIRST_NAMES, PLACE_PHRASES } from '../names/words.ts';
import { WORDY_MONTHS } from '../numbers/english/words.ts';
import { mapTokens, type Pass, unchanged } from '../rewrite.ts';
import {
  breaksLine,
  capitalised,
  endsSentence,
  isCapitalised,
  reword,
  type Token,
  withoutPossessive,
} from '../token.ts';
import * as words from './words/casing.ts';

/** A word with its neighbours. */
interface Place {
  readonly token: Token;
  readonly before: Token | undefined;
  readonly next: Token | undefined;
  readonly afterNext: Token | undefined;
}

const isAddress = (token: Token): boolean => /[@/]|\.\p{Ll}{2,}/u.test(token.core);
const hasOwnCase = (token: Token): boolean => /\p{Lu}/u.test(token.core) || isAddress(token);

/** True when a verb such as "said" ends its clause. "he said." names the speaker; "he said yes" starts a report. */
const closesSpeech = (verb: Token | undefined): boolean =>
  verb !== undefined && verb.trail !== '' && words.REPORTING_VERBS.has(verb.key);

/** True when the words name the speaker of the sentence before: "fragte sie", "she asked him", "demanda-t-elle". */
const reportsSpeech = ({ token, next, afterNext }: Place): boolean => {
  if (words.REPORTING_VERBS.has(token.core.split('-')[0]!)) return true;
  if (words.SPEAKERS.has(token.core)) return words.ASKING_VERBS.has(next?.key ?? '') || closesSpeech(next);
  return words.DETERMINERS.has(token.core) && closesSpeech(afterNext);
};

const startsSentence = (place: Place, before: Token, language: Language): boolean => {
  const { token } = place;
  // "please" starts a sentence in "at 3 p.m. Please bring it", but not in "at 3 p.m. please."
  if (/\.m\.$/u.test(before.core) && before.trail === '' && token.key === 'please' && !endsSentence(token)) return true;
  if (!endsSentence(before)) return false;
  if (/^[!?]/u.test(before.trail) && reportsSpeech(place)) return false;
  // "Stop!" he cried.
  if (/[!?.]["”’»]$/u.test(before.trail) && /^\p{Ll}/u.test(token.core)) return false;
  if (!before.trail.startsWith('.')) return true;
  if (/^\.{2,}/u.test(before.trail)) return false;
  return !language.abbreviations.has(before.key) && !/^\p{L}$/u.test(before.core);
};

const isTitle = (key: string): boolean => words.TITLES.has(key.replace('.', ''));

/** "sarah miller", "doctor lee's" */
const isFamilyName = (token: Token, before: Token | undefined): boolean => {
  if (before?.trail !== '' || !FAMILY_NAMES.has(withoutPossessive(token.key))) return false;
  return isTitle(before.key) || (FIRST_NAMES.has(before.key) && isCapitalised(before));
};

/** "doctor lee", "mister jones", "saint mary's": the written title, or null. */
const titleOf = ({ token, before, next }: Place): string | null => {
  if (!next || token.trail !== '' || (before?.trail === '' && words.DETERMINERS.has(before.key))) return null;
  if (token.key === 'saint') return words.SAINTS.has(withoutPossessive(next.key)) ? 'St.' : null;
  const isNamed = isFamilyName(next, token) || (isCapitalised(next) && next.core !== next.core.toUpperCase());
  // "mister" almost always precedes a name.
  const isMister = token.key === 'mister' && /^\p{L}{3,}$/u.test(next.key) && !words.NOT_A_NAME.has(next.key);
  if (!isTitle(token.key) || !(isNamed || isMister)) return null;
  return words.SHORT_TITLES.get(token.key) ?? capitalised(token.core);
};

const isHouseNumber = (key: string): boolean => /^\d+(?:st|nd|rd|th)?$/u.test(key) || words.STREET_ORDINALS.has(key);

/** "123 main street", "fifth avenue": a word of a street name. */
const isStreet = ({ token, before, next }: Place): boolean => {
  // "The road was open": after a determiner the word is a common noun, even if the determiner is capitalised.
  if (words.STREETS.has(token.key) && words.DETERMINERS.has(before?.key ?? '')) return false;
  if (words.STREETS.has(token.key)) return before?.trail === '' && (isHouseNumber(before.key) || isCapitalised(before));
  if (!next || !words.STREETS.has(next.key) || token.trail !== '') return false;
  if (words.STREET_ORDINALS.has(token.key)) return true;
  return /^\d+$/u.test(before?.key ?? '') && /^[a-z]{3,}$/u.test(token.key) && !words.MEASURED.has(token.key);
};

/** Whether "march" or "may" is a month here. */
const isMonth = ({ token: { key }, before, next }: Place): boolean => {
  if (/^\d/u.test(next?.key ?? '')) return true;
  if (!before) return false;
  if (key === 'may' && /^\d+(?:st|nd|rd|th)?$/u.test(before.key)) return true;
  if (before.trail === '' && words.BEFORE_MONTH.has(before.key)) return true;
  const isWeak = words.WEAK_BEFORE_MONTH.has(before.key) && (key === 'may' || before.key === 'in');
  return isWeak && !words.VERB_AFTER_MAY.has(next?.key ?? '');
};

/** The word with the capitals of a name, or null if it is not a name. */
const nameOf = (place: Place, language: Language): string | null => {
  const { token, before } = place;
  const { key } = token;
  if (language.weekdays.has(key) || language.weekdays.has(key.replace(/'?s$/u, '')))
    return language.namesAreCapitalised ? capitalised(token.core) : null;
  if (language.months.has(key) && language.namesAreCapitalised) {
    const isWordy = language.code === 'en' && WORDY_MONTHS.has(key);
    return !isWordy || isMonth(place) ? capitalised(token.core) : null;
  }
  if (language.code !== 'en') return null;
  if (isStreet(place)) return capitalised(token.core);
  if (/^i(?:'(?:m|ll|ve|d))?$/u.test(key)) return `I${token.core.slice(1)}`;
  if (
    isFamilyName(token, before) ||
    (before?.core === 'St.' && words.SAINTS.has(withoutPossessive(key))) ||
    (before?.core === 'Mr.' && before.trail === '' && !words.NOT_A_NAME.has(key))
  )
    return capitalised(token.core);
  return titleOf(place) ?? properForm(key);
};

/** Text in capitals has no case to correct. */
const isAllCapitals = (tokens: readonly Token[]): boolean => {
  const lettered = tokens.filter((token) => /\p{L}/u.test(token.core));
  const upper = lettered.filter((token) => token.core.length > 1 && token.core === token.core.toUpperCase());
  return lettered.length > 3 && upper.length / lettered.length > 0.7;
};

const PLACE_STARTS = new Set([...PLACE_PHRASES.keys()].map((name) => name.split(' ')[0]!));

/** Multi-word place names, keyed by the index of each of their words. */
const placesIn = (tokens: readonly Token[]): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  tokens.forEach((token, index) => {
    if (!PLACE_STARTS.has(token.key) || found.has(index)) return;
    for (const length of [3, 2]) {
      const span = tokens.slice(index, index + length);
      const name = PLACE_PHRASES.get(span.map(({ key }) => withoutPossessive(key)).join(' '));
      if (!name || span.slice(0, -1).some(({ trail }) => trail !== '')) continue;
      for (const [n, part] of span.entries()) found.set(index + n, capitalised(part.core));
      return;
    }
  });
  return found;
};

export const casing: Pass = {
  name: 'casing',
  run: (tokens, { language }) => {
    if (!language || isAllCapitals(tokens) || looksLikeCode(tokens)) return unchanged(tokens);
    const places = language.code === 'en' ? placesIn(tokens) : new Map<number, string>();
    return mapTokens(tokens, 'casing', 'capitals', (token, index, before) => {
      const place: Place = { token, before, next: tokens[index + 1], afterNext: tokens[index + 2] };
      const name = hasOwnCase(token) ? null : (places.get(index) ?? nameOf(place, language));
      if (name !== null) return reword(token, name);
      const isStart = !before || breaksLine(token) || startsSentence(place, before, language);
      // Addresses and words such as "iPhone" keep their lower-case first letter.
      if (!isStart || isAddress(token) || /^\p{Ll}+\p{Lu}/u.test(token.core)) return token;
      if (!/^\p{Ll}/u.test(token.core) || /^[<{\\]/u.test(token.lead)) return token;
      return reword(token, capitalised(token.core));
    });
  },
};
