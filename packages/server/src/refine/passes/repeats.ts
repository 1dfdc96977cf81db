// Removes stutters and repeated words or phrases, and keeps intentional repeats.
import type { Cursor } from '../cursor.ts';
import type { Language } from '../language.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Pass, type Rewritten, type Rule, rewrite, unchanged } from '../rewrite.ts';
import { breaksLine, capitalised, endsSentence, isCapitalised, isNameLike, reword, type Token } from '../token.ts';
import * as words from './words/repeats.ts';

const isSpelledLetter = (key: string): boolean => /^\p{L}$/u.test(key) && key !== 'i' && key !== 'a';
const mayBreakOff = (token: Token): boolean => /^(?:,|-|–|—|\.{3}|…)?$/u.test(token.trail);

/** Whether an English word that is followed by its copy is a stutter. */
const isEnglishStutter = (at: Cursor, token: Token, collapsible: ReadonlySet<string>): boolean => {
  const { key } = token;
  const hasComma = token.trail === ',';
  // "he he" is laughter.
  if (key === 'he' && (at.key(2) === 'he' || at.key(-1) === 'he')) return false;
  if (key === 'so') return words.AFTER_STUTTERED_SO.has(at.key(2));
  if (words.COPULAS.has(key)) {
    if (at.someBehind(5, (word) => words.BEFORE_COPULA.has(word))) return false;
    return (key !== 'do' && key !== 'did') || !words.PRONOUNS.has(at.key(-1));
  }
  if (words.OBJECT_PRONOUNS.has(key)) return at.atStart() || (!hasComma && words.BEFORE_SUBJECT.has(at.key(-1)));
  if (words.MODALS.has(key) && words.BEFORE_REPEATED_MODAL.has(at.key(-1))) return false;
  if (words.PARTICLES.has(key)) return !words.PARTICLE_VERBS.has(at.key(-1)) && (key === 'in' || key === 'on');
  if (collapsible.has(key)) return true;
  if (hasComma || words.REPEATED_ON_PURPOSE.has(key) || key.length < 3) return false;
  // "location location location": three copies are intentional, and at the start the word may be a name.
  if (at.key(2) === key || at.key(-1) === key || at.atStart()) return false;
  return !isCapitalised(token) && !isCapitalised(at.ahead(1)!) && /^[a-z']+$/u.test(key) && !key.endsWith('ly');
};

const ARTICLE_COPIES_MAX = 3;

/** "zéro un un deux": whether an article at word n is a number. */
const isNumberArticle = (at: Cursor, n: number, code: string): boolean => {
  const key = at.key(n);
  let [before, after] = [n - 1, n + 1];
  while (at.key(before) === key && n - before <= ARTICLE_COPIES_MAX) before -= 1;
  while (at.key(after) === key && after - n <= ARTICLE_COPIES_MAX) after += 1;
  if (isNumberWord(at.key(before), code) || isNumberWord(at.key(after), code)) return true;
  // An article precedes a word. Three in a row are more likely digits than a stutter.
  const leadsToWord = at.ahead(after) !== undefined && at.ahead(after - 1)!.trail === '';
  if (!leadsToWord || after - before > ARTICLE_COPIES_MAX) return true;
  return at.someBehind(3, (word) => words.BEFORE_DIGITS.test(word));
};

/** Repeats of digits, number words and spelled letters are intentional. */
const isCounted = (at: Cursor, n: number, code: string): boolean => {
  const key = at.key(n);
  if (isNumberWord(key, code)) return true;
  if (isArticleOne(key, code)) return isNumberArticle(at, n, code);
  if (!/^\p{L}$/u.test(key)) return false;
  return isSpelledLetter(key) || isSpelledLetter(at.key(n - 1)) || isSpelledLetter(at.key(n + 1));
};

/** Tagger probabilities from which one of two equal words or phrases counts as disfluent. */
const WORD_DISFLUENCY_MIN = 0.02;
const PHRASE_DISFLUENCY_MIN = 0.1;

/** True when the tagger rated all of these words, each below `least`. */
const areFluent = (tokens: readonly Token[], least: number): boolean =>
  tokens.every(({ disfluency }) => disfluency !== undefined && disfluency < least);

/** The last copy with the gap, the opening marks and the capital of the first. */
const inPlaceOf = (first: Token, last: Token): Token => ({
  ...(isCapitalised(first) && !isCapitalised(last) ? reword(last, capitalised(last.core)) : last),
  gap: first.gap,
  lead: first.lead,
});

/** "the the", "I, I, I" */
const repeatedWord = (at: Cursor, { code, collapsible }: Language): Change | null => {
  const first = at.ahead(0)!;
  const second = at.ahead(1);
  if (first.key === '' || second?.key !== first.key || !mayBreakOff(first)) return null;
  // "LA MUSIQUE La musique souvent": a capital starts a new line after a title.
  if (breaksLine(second) || isNameLike(second) || second.lead !== '') return null;
  const isStutter = code === 'en' ? isEnglishStutter(at, first, collapsible) : collapsible.has(first.key);
  if (!isStutter || isCounted(at, 0, code)) return null;
  // "Wenn er nicht kann, kann ich": one clause ends with its verb, the next starts with it.
  if (first.trail === ',' && (code === 'de' || code === 'nl') && words.VERBS_LAST.has(first.key)) return null;
  let n = 1;
  while (at.key(n) === first.key && mayBreakOff(at.ahead(n - 1)!)) n += 1;
  const last = at.ahead(n - 1)!;
  if (areFluent(at.span(0, n), WORD_DISFLUENCY_MIN)) return null;
  // A quoted repeat is mentioned, not stuttered.
  if (first.lead !== '' && /["”»'’]/u.test(last.trail)) return null;
  return { take: n, put: [inPlaceOf(first, last)], reason: 'a repeated word' };
};

/** "b-b-but" */
const stutterInside = (token: Token): Change | null => {
  if (!/^(?:\p{L}{1,2}-)+\p{L}{2,}$/u.test(token.core)) return null;
  const parts = token.key.split('-');
  const whole = parts.at(-1)!;
  const cut = parts.slice(0, -1);
  const first = cut[0]!;
  if (!cut.every((part) => whole.startsWith(part)) || whole.length <= first.length) return null;
  if (cut.length === 1 && (first.length >= whole.length - 1 || words.LETTER_PREFIXES.has(first))) return null;
  const core = token.core.slice(token.core.lastIndexOf('-') + 1);
  const cased = isCapitalised(token) ? core[0]!.toUpperCase() + core.slice(1) : core;
  return { take: 1, put: [{ ...token, core: cased, key: whole }], reason: 'a stutter' };
};

/** "b-b-but", "w- we", "th- the" */
const stutter = (at: Cursor, code: string): Change | null => {
  const token = at.ahead(0)!;
  if (isNumberWord(token.key, code)) return null;
  const inside = stutterInside(token);
  if (inside) return inside;
  const next = at.ahead(1);
  if (!next || breaksLine(next) || !/^[-–—]$/u.test(token.trail)) return null;
  return next.key.startsWith(token.key) && token.key.length < next.key.length
    ? { take: 1, put: [], reason: 'a cut-off word that was repeated' }
    : null;
};

const PHRASE_MAX = 6;

const same = (a: string, b: string): boolean => a === b || (a === 'a' && b === 'an') || (a === 'an' && b === 'a');

/** Whether a phrase, spoken twice in `span`, is repeated on purpose. */
const isMeantPhrase = (at: Cursor, span: readonly Token[], code: string): boolean => {
  const n = span.length / 2;
  const keys = span.slice(0, n).map(({ key }) => key);
  const middle = span[n - 1]!;
  if (isNameLike(span[n]!) || keys.some((_, index) => isCounted(at, index, code))) return true;
  if (n === 2 && (areFluent(span, PHRASE_DISFLUENCY_MIN) || keys.some((key) => words.PHRASE_JOINTS.has(key))))
    return true;
  if (n === 2 && (keys.every((key) => words.DIRECTIONS.has(key)) || keys.includes('please'))) return true;
  if (words.PHRASES_ON_PURPOSE.has(keys.join(' ')) || new Set(keys).size === 1) return true;
  if (words.NEVER_LAST_IN_PHRASE.has(keys.at(-1)!)) return false;
  // A long, complete phrase without punctuation after it.
  if (n > 3 && middle.trail === '') return true;
  // A list item that starts like the one before it: "du lait, du lait en poudre".
  return middle.trail === ',' && at.behind(1)?.trail === ',';
};

/** "I want to, I want to go": a phrase repeated inside a sentence. */
const repeatedPhrase = (at: Cursor, code: string): Change | null => {
  for (let n = PHRASE_MAX; n >= 2; n--) {
    const next = at.ahead(2 * n);
    if (!next || !same(at.key(0), at.key(n))) continue;
    const span = at.span(0, 2 * n);
    if (span.slice(0, n).some(({ key }, k) => !same(key, span[n + k]!.key))) continue;
    const isBroken = span
      .slice(0, -1)
      .some((token, index) => (index === n - 1 ? !mayBreakOff(token) : token.trail !== ''));
    if (isBroken || span.slice(1).some(breaksLine) || isMeantPhrase(at, span, code)) continue;
    const last = span.at(-1)!;
    if (endsSentence(last) || breaksLine(next) || last.trail.startsWith(',')) continue;
    const [opening, ...rest] = span.slice(n);
    return { take: 2 * n, put: [inPlaceOf(span[0]!, opening!), ...rest], reason: 'a repeated phrase' };
  }
  return null;
};

/** Runs the rule again on its own output, so that "we we had a we had a" becomes "we had a". */
const rewriteRepeatedly = (tokens: readonly Token[], rule: Rule): Rewritten => {
  let result = rewrite(tokens, 'repeats', rule);
  for (let round = 0; round < 2; round++) {
    const again = rewrite(result.tokens, 'repeats', rule);
    if (again.records.length === 0) break;
    result = { tokens: again.tokens, records: [...result.records, ...again.records] };
  }
  return result;
};

/** Stutters and repeated words, without phrases. */
export const stutters: Pass = {
  name: 'repeats',
  run: (tokens, { language }) =>
    language
      ? rewriteRepeatedly(tokens, (at) => stutter(at, language.code) ?? repeatedWord(at, language))
      : unchanged(tokens),
};

export const repeats: Pass = {
  name: 'repeats',
  run: (tokens, { language }) => {
    if (!language) return unchanged(tokens);
    const { code } = language;
    return rewriteRepeatedly(
      tokens,
      (at) => stutter(at, code) ?? repeatedPhrase(at, code) ?? repeatedWord(at, language),
    );
  },
};
