// Joins recognised windows: words recognised twice go once, and case and marks are mended where one window ends and the next begins.
import { words } from '../languages/entry.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { DANGLING } from '../sentence-breaks.ts';
import { endsSentence, isCapitalised, reword, withTrail } from '../token.ts';

const OVERLAP_WORDS_MAX = 12;
/** Windows may touch or share their padding; only this much means that both recognised the same word. */
const OVERLAP_MS_MIN = 120;
/** A number word takes at least this long, so an overlap says how many both windows can have. */
const NUMBER_WORD_MS_MIN = 120;
/** A pause this long ends a sentence more often than not. */
const SENTENCE_PAUSE_MS = 700;

const PLAIN =
  words(`the a an of to and or but in on at for with from by my your our his her their its this these those that which who
  because if than into about we you he she they it is are was were be been have has had do does did will would can could should so then
  when where what how not just also some any all more most other there here go going get make take`);

const overlap = (at: Cursor): number => {
  for (let n = Math.min(OVERLAP_WORDS_MAX, at.written); n >= 1; n--) {
    let k = 0;
    while (k < n && at.key(k) === at.key(-(n - k)) && at.key(k) !== '') k += 1;
    if (k < n) continue;
    const before = at.behind(1)!;
    const here = at.ahead(0)!;
    const overlapMs = before.endMs - here.startMs;
    const counted = at
      .span(0, n)
      .filter((token) => /\d/u.test(token.core) || isNumberWord(token.key, token.language)).length;
    // A number said twice stays twice, unless the windows overlap by as much as it takes to say it.
    if (counted > 0 && overlapMs < Math.max(OVERLAP_MS_MIN, counted * NUMBER_WORD_MS_MIN)) continue;
    // Without an overlap in time, three words in a row are needed to believe it.
    if (overlapMs >= OVERLAP_MS_MIN || (n >= 3 && -overlapMs < SENTENCE_PAUSE_MS)) return n;
  }
  return 0;
};

const join = (at: Cursor): Change | null => {
  const before = at.behind(1);
  const here = at.ahead(0)!;
  if (!before || before.piece === here.piece) return null;
  const repeated = overlap(at);
  // The later window had more audio after these words: its marks are the better ones.
  if (repeated > 0) {
    const copies = at.span(0, repeated);
    const kept = Array.from({ length: repeated }, (_, k) => {
      const old = at.behind(repeated - k)!;
      return { ...withTrail(old, copies[k]!.trail), rawEnd: old.rawEnd };
    });
    return { back: repeated, take: repeated, put: kept, reason: 'recognised in both windows' };
  }
  const pauseMs = here.startMs - before.endMs;
  const cut = /^(?:\.|\.{3}|…|-|–|—)$/u.test(before.trail);
  const dangling = DANGLING.has(before.key);
  const lower = /^\p{Ll}/u.test(here.core);
  if (cut && (dangling || (lower && pauseMs < SENTENCE_PAUSE_MS))) {
    const next = dangling && isCapitalised(here) && PLAIN.has(here.key) ? reword(here, here.key) : here;
    return { back: 1, take: 1, put: [withTrail(before, ''), next], reason: 'one sentence across two windows' };
  }
  if (
    before.trail === '' &&
    isCapitalised(here) &&
    PLAIN.has(here.key) &&
    (dangling || pauseMs < SENTENCE_PAUSE_MS / 2)
  ) {
    return { take: 1, put: [reword(here, here.key)], reason: 'one sentence across two windows' };
  }
  const ended =
    !endsSentence(before) &&
    before.trail === '' &&
    !dangling &&
    pauseMs >= SENTENCE_PAUSE_MS &&
    /\p{L}|\p{N}/u.test(before.core);
  // German writes its nouns with a capital: "drei | Euro" goes on.
  const counts = here.language === 'de' && isNumberWord(before.key, 'de');
  if (ended && !counts && isCapitalised(here))
    return { back: 1, take: 1, put: [withTrail(before, '.'), here], reason: 'a pause ends the sentence' };
  return null;
};

/** Scripts without capitals show nothing here, so the pass fits every language. */
export const windowJoins: Pass = { name: 'window-joins', run: (tokens) => rewrite(tokens, 'window-joins', join) };
