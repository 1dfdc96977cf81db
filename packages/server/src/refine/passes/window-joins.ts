// Joins recognised windows: removes words that both windows recognised, and corrects case and marks between them.
import type { Cursor } from '../cursor.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Pass, rewrite } from '../rewrite.ts';
import { isCapitalised, reword, withTrail } from '../token.ts';
import { NEVER_LAST } from './words/sentence-ends.ts';
import { LOWER_CASE_WORDS } from './words/window-joins.ts';

const OVERLAP_WORDS_MAX = 12;
/** Windows may touch or share their padding. From this overlap on, both recognised the same word. */
const OVERLAP_MS_MIN = 120;
/** The minimum duration of a number word; limits how many number words two windows can share. */
const NUMBER_WORD_MS_MIN = 120;
/** Without an overlap in time, this many equal words count as recognised twice. */
const EQUAL_WORDS_MIN = 3;
/** A pause of this length usually ends a sentence. */
const SENTENCE_PAUSE_MS = 700;

/** The number of words that both windows recognised. */
const overlapLength = (at: Cursor): number => {
  const overlapMs = at.behind(1)!.endMs - at.ahead(0)!.startMs;
  for (let n = Math.min(OVERLAP_WORDS_MAX, at.written); n >= 1; n--) {
    let k = 0;
    while (k < n && at.key(k) === at.key(-(n - k)) && at.key(k) !== '') k += 1;
    if (k < n) continue;
    const numbers = at
      .span(0, n)
      .filter((token) => /\d/u.test(token.core) || isNumberWord(token.key, token.language)).length;
    // Keep a repeated number unless the overlap is long enough to contain it.
    if (numbers > 0 && overlapMs < Math.max(OVERLAP_MS_MIN, numbers * NUMBER_WORD_MS_MIN)) continue;
    if (overlapMs >= OVERLAP_MS_MIN || (n >= EQUAL_WORDS_MIN && -overlapMs < SENTENCE_PAUSE_MS)) return n;
  }
  return 0;
};

const ONE_SENTENCE = 'one sentence across two windows';

const join = (at: Cursor): Change | null => {
  const before = at.behind(1);
  const here = at.ahead(0)!;
  if (!before || before.piece === here.piece) return null;
  const repeated = overlapLength(at);
  if (repeated > 0) {
    // The later window has the context after these words, so its punctuation is better.
    const put = at.span(0, repeated).map(({ trail }, k) => withTrail(at.behind(repeated - k)!, trail));
    return { back: repeated, take: repeated, put, reason: 'recognised in both windows' };
  }
  const pauseMs = here.startMs - before.endMs;
  const isCutOff = /^(?:\.|\.{3}|…|-|–|—)$/u.test(before.trail);
  const isIncomplete = NEVER_LAST.has(before.key);
  const isLower = /^\p{Ll}/u.test(here.core);
  const mayBeLower = isCapitalised(here) && LOWER_CASE_WORDS.has(here.key);
  if (isCutOff && (isIncomplete || (isLower && pauseMs < SENTENCE_PAUSE_MS))) {
    const next = isIncomplete && mayBeLower ? reword(here, here.key) : here;
    return { back: 1, take: 1, put: [withTrail(before, ''), next], reason: ONE_SENTENCE };
  }
  if (before.trail !== '') return null;
  if (mayBeLower && (isIncomplete || pauseMs < SENTENCE_PAUSE_MS / 2))
    return { take: 1, put: [reword(here, here.key)], reason: ONE_SENTENCE };
  const isEnd = !isIncomplete && pauseMs >= SENTENCE_PAUSE_MS && /\p{L}|\p{N}/u.test(before.core);
  // German nouns are capitalised: "drei | Euro" is one phrase.
  const isCount = here.language === 'de' && isNumberWord(before.key, 'de');
  return isEnd && !isCount && isCapitalised(here)
    ? { back: 1, take: 1, put: [withTrail(before, '.'), here], reason: 'a pause ends the sentence' }
    : null;
};

/** Works in every language: scripts without capitals have nothing to correct. */
export const windowJoins: Pass = { name: 'window-joins', run: (tokens) => rewrite(tokens, 'window-joins', join) };
