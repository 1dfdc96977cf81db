// Capitals: sentence starts, the pronoun I, days and months, known names and abbreviations.

import type { Language } from '../language.ts';
import { words } from '../languages/entry.ts';
import { FAMILY_NAMES, FIRST_NAMES, PLACE_PHRASES, properForm } from '../names.ts';
import { looksLikeCode } from '../program-text.ts';
import { mapTokens, type Pass } from '../rewrite.ts';
import { breaksLine, capitalised, endsSentence, hasLetter, isCapitalised, reword, type Token } from '../token.ts';

const TITLES = words('mr mrs ms dr doctor professor prof captain mister missus');
const DATE_BEFORE = words(
  'in of since until by last next this early late mid from before after on every during through',
);
/** Months that are also words: only next to a number, or after a word that dates. */
const WORDY_MONTHS = words('march may');

const isAddress = (token: Token): boolean => /[@/]|\.\p{Ll}{2,}/u.test(token.core);
const hasOwnCase = (token: Token): boolean => /\p{Lu}/u.test(token.core) || isAddress(token);

const endsHere = (before: Token, token: Token, language: Language | null): boolean => {
  // "at 3 p.m. Please bring it" begins a sentence, "at 3 p.m. please." ends one.
  if (/\.m\.$/u.test(before.core) && before.trail === '' && token.key === 'please' && !endsSentence(token)) return true;
  if (!endsSentence(before)) return false;
  // "Stop!" he cried.
  if (/[!?.]["”’»]$/u.test(before.trail) && /^\p{Ll}/u.test(token.core)) return false;
  if (!before.trail.startsWith('.')) return true;
  if (/^\.{2,}/u.test(before.trail)) return false;
  return !(language?.abbreviations.has(before.key) ?? false) && !/^\p{L}$/u.test(before.core);
};

/** "sarah miller", "doctor lee's". */
const isFamilyName = (token: Token, before: Token | undefined): boolean => {
  if (before?.trail !== '' || !FAMILY_NAMES.has(token.key.replace(/'s$/u, ''))) return false;
  return TITLES.has(before.key.replace('.', '')) || (FIRST_NAMES.has(before.key) && isCapitalised(before));
};

/** Titles that are written short before a name. */
const SHORT_TITLES: ReadonlyMap<string, string> = new Map([
  ['mr', 'Mr.'],
  ['mister', 'Mr.'],
  ['mrs', 'Mrs.'],
  ['missus', 'Mrs.'],
  ['ms', 'Ms.'],
  ['dr', 'Dr.'],
  ['doctor', 'Dr.'],
]);
const SAINTS =
  words(`andrew andrews anthony augustine bernard catherine claire clair cloud denis francis george helena helens ives james
  john joseph kitts lawrence louis lucia luke mark martin mary matthew michael nicholas patrick paul peter petersburg pierre stephen
  thomas tropez vincent`);
/** "my doctor John said": whose doctor it is makes it a noun. */
const OWNED = words('the a an my your his her our their this that no any every another which what');

const NOT_A_NAME = words(
  'and but the can could please right president speaker chairman you who what is was has had will',
);

/** "doctor lee", "mister jones", "saint mary's". */
const titleOf = (token: Token, before: Token | undefined, next: Token): string | null => {
  if (before?.trail === '' && OWNED.has(before.key)) return null;
  const name = next.key.replace(/'s$/u, '');
  if (token.key === 'saint') return SAINTS.has(name) ? 'St.' : null;
  const named = isFamilyName(next, token) || (isCapitalised(next) && next.core !== next.core.toUpperCase());
  // "mister" is said before a name, and hardly ever before anything else.
  const called = token.key === 'mister' && /^\p{L}{3,}$/u.test(next.key) && !NOT_A_NAME.has(next.key);
  if (!TITLES.has(token.key.replace('.', '')) || !(named || called)) return null;
  return SHORT_TITLES.get(token.key) ?? capitalised(token.core);
};

const MEASURED = words('minute hour mile day second week month year dollar page person lane foot meter');
const STREETS = words('street avenue road drive lane boulevard court');
const isHouse = (key: string): boolean =>
  /^\d+(?:st|nd|rd|th)?$/u.test(key) ||
  /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$/u.test(key);
/** "123 main street", "fifth avenue": both words of a street after a number, the rank of one before it. */
const isStreet = (token: Token, before: Token | undefined, next: Token | undefined): boolean => {
  if (STREETS.has(token.key))
    return (
      before !== undefined &&
      (isHouse(before.key) || (isCapitalised(before) && !endsSentence(before))) &&
      before.trail === ''
    );
  if (!next || !STREETS.has(next.key) || token.trail !== '') return false;
  return (
    (isHouse(token.key) && /^[a-z]/u.test(token.key)) ||
    (before !== undefined && /^\d+$/u.test(before.key) && /^[a-z]{3,}$/u.test(token.key) && !MEASURED.has(token.key))
  );
};

const nameOf = (
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
  language: Language,
): string | null => {
  const { key } = token;
  if (language.weekdays.has(key) || language.weekdays.has(key.replace(/'?s$/u, '')))
    return language.namesAreCapitalised ? capitalised(token.core) : null;
  if (language.months.has(key) && language.namesAreCapitalised) {
    if (language.code !== 'en' || !WORDY_MONTHS.has(key)) return capitalised(token.core);
    const dated =
      /^\d/u.test(next?.key ?? '') ||
      (/^\d+(?:st|nd|rd|th)?$/u.test(before?.key ?? '') && key === 'may') ||
      (before !== undefined &&
        before.trail === '' &&
        DATE_BEFORE.has(before.key) &&
        !/^(?:this|on|next|last|in)$/u.test(before.key)) ||
      (/^(?:in|last|next|this)$/u.test(before?.key ?? '') &&
        (key === 'may' || before?.key === 'in') &&
        !/^(?:be|have|not|the)$/u.test(next?.key ?? ''));
    return dated ? capitalised(token.core) : null;
  }
  if (language.code !== 'en') return null;
  if (isStreet(token, before, next)) return capitalised(token.core);
  if (/^i(?:'(?:m|ll|ve|d))?$/u.test(key)) return `I${token.core.slice(1)}`;
  if (
    isFamilyName(token, before) ||
    (before?.core === 'St.' && SAINTS.has(key.replace(/'s$/u, ''))) ||
    (before?.core === 'Mr.' && before.trail === '' && !NOT_A_NAME.has(key))
  )
    return capitalised(token.core);
  const title = next && token.trail === '' ? titleOf(token, before, next) : null;
  if (title !== null) return title;
  return properForm(key);
};

/** A text set in capitals throughout is left as it is: it has no case to mend. */
const shouts = (tokens: readonly Token[]): boolean => {
  const lettered = tokens.filter((token) => hasLetter(token.core));
  const upper = lettered.filter((token) => token.core.length > 1 && token.core === token.core.toUpperCase());
  return lettered.length > 3 && upper.length / lettered.length > 0.7;
};

const PLACE_STARTS = new Set([...PLACE_PHRASES.keys()].map((name) => name.split(' ')[0]!));

/** Places of several words, written before the single words are looked at. */
const placesIn = (tokens: readonly Token[]): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  tokens.forEach((token, index) => {
    if (!PLACE_STARTS.has(token.key) || found.has(index)) return;
    for (const length of [3, 2]) {
      const span = tokens.slice(index, index + length);
      const name = PLACE_PHRASES.get(span.map(({ key }) => key.replace(/'s$/u, '')).join(' '));
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
    if (!language || shouts(tokens) || looksLikeCode(tokens)) return { tokens, marks: [] };
    const places = language.code === 'en' ? placesIn(tokens) : new Map<number, string>();
    return mapTokens(tokens, 'casing', 'capitals', (token, index, before) => {
      const starts = !before || breaksLine(token) || endsHere(before, token, language);
      const named = hasOwnCase(token)
        ? null
        : (places.get(index) ?? nameOf(token, before, tokens[index + 1], language));
      if (named !== null) return reword(token, named);
      // A known spelling such as iPhone, or an address, keeps its small letter.
      if (!starts || isCapitalised(token) || isAddress(token) || /^\p{Ll}+\p{Lu}/u.test(token.core)) return token;
      if (!/^\p{Ll}/u.test(token.core) || /^[<{\\]/u.test(token.lead)) return token;
      return reword(token, capitalised(token.core));
    });
  },
};
