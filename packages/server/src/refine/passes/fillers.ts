// Removes fillers and hesitations, and the commas that only set them off.
import type { Cursor } from '../cursor.ts';
import { type Change, type Pass, rewrite, unchanged } from '../rewrite.ts';
import { capitalised, endsSentence, isCapitalised, reword, type Token, withTrail } from '../token.ts';
import type { WordSet } from '../words.ts';
import { keepsComma } from './keeps-comma.ts';
import { AFTER_VERB_LIKE, ANSWER_FIRST, ANSWER_SECOND, INTERJECTIONS, SOFT_FILLERS } from './words/fillers.ts';

/** An interjection that the tagger rated is removed only from this probability on. */
const DISFLUENCY_MIN = 0.99;

const isAbbreviation = (token: Token): boolean => token.core.length > 1 && token.core === token.core.toUpperCase();

const isBetweenMarks = (at: Cursor, { lead, trail }: Token): boolean =>
  lead === '' && /^(?:,|-|–|—|\.{3}|…)$/u.test(trail) && (at.atStart() || at.behind(1)!.trail !== '');

const isHesitation = (at: Cursor, token: Token): boolean => {
  if (isAbbreviation(token)) return false;
  // "go to the er": the article makes it the emergency room.
  if (token.key === 'er' && (at.key(-1) === 'the' || at.key(-1) === 'an') && !token.trail.startsWith(',')) return false;
  // "get 'em", "Aunt Em", "the em dash"
  if (token.key === 'em' && token.language === 'en') return isBetweenMarks(at, token);
  if (!INTERJECTIONS.has(token.key)) return true;
  // "Hmm hmm", "mm, yeah": often an answer.
  if (token.disfluency !== undefined && token.disfluency < DISFLUENCY_MIN) return false;
  const isAlone = at.atStart() && (!at.ahead(1) || endsSentence(token));
  const isExclamation = at.atStart() && token.key.startsWith('a');
  const isSetOff = token.trail === '' || /^,|^\.{2,}|^…/u.test(token.trail) || endsSentence(token);
  return !isAlone && !isExclamation && isSetOff;
};

/** "uh huh", "mm hmm" */
const isAnswer = (at: Cursor): boolean =>
  (ANSWER_FIRST.has(at.key(0)) && at.ahead(0)!.trail === '' && ANSWER_SECOND.has(at.key(1))) ||
  (ANSWER_SECOND.has(at.key(0)) && ANSWER_FIRST.has(at.key(-1)) && at.behind(1)!.trail === '');

/** The number of consecutive fillers at the cursor. */
const fillersAhead = (at: Cursor, fillers: WordSet): number => {
  for (let n = 0; ; n++) {
    const token = at.ahead(n);
    if (!token || !fillers.has(token.key) || !isHesitation(at, token)) return n;
    if (endsSentence(token)) return n + 1;
  }
};

const REASON = 'a hesitation';

const filler = (at: Cursor, fillers: WordSet): Change | null => {
  if (!fillers.has(at.key(0)) || isAnswer(at)) return null;
  const n = fillersAhead(at, fillers);
  if (n === 0) return null;
  const isStart = at.atStart();
  const previous = at.behind(1);
  const removed = at.span(0, n);
  const next = at.ahead(n);
  // "I was, um, thinking": the commas are removed too, unless the sentence needs one.
  if (previous && !isStart && /[,\-–—]$|\.{3}$|…$/u.test(previous.trail) && next && !endsSentence(removed.at(-1)!)) {
    const bare = previous.trail.replace(/(?:[,\-–—]|\.{3}|…)+$/u, '');
    const trail = previous.trail.endsWith(',') && keepsComma(at, next) ? previous.trail : bare;
    return { back: 1, take: n, put: [{ ...previous, trail }], reason: REASON };
  }
  // "at 1 p.m. Um, is there": only the filler's capital shows the end of the sentence.
  if (previous && next && /\.m\.$/u.test(previous.core) && previous.trail === '' && isCapitalised(removed[0]!))
    return { take: n + 1, put: [reword(next, capitalised(next.core))], reason: REASON };
  // "Um, so": the next word takes the capital.
  const leavesCapital = isStart && next !== undefined && isCapitalised(removed[0]!) && /^\p{Ll}+$/u.test(next.core);
  if (leavesCapital && !fillers.has(next.key) && removed.every(({ lead, trail }) => lead === '' && /^,?$/u.test(trail)))
    return {
      take: n + 1,
      put: [{ ...reword(next, capitalised(next.core)), gap: removed[0]!.gap }],
      reason: REASON,
    };
  return { take: n, put: [], reason: REASON };
};

/** "it was, like, huge" */
const softFiller = (at: Cursor): Change | null => {
  const previous = at.behind(1);
  if (!previous?.trail.endsWith(',')) return null;
  for (const phrase of SOFT_FILLERS) {
    const { length } = phrase;
    if (at.ahead(length - 1)?.trail !== ',' || !at.says(phrase) || !at.unbroken(length)) continue;
    const next = at.ahead(length);
    if (!next || (length === 1 && AFTER_VERB_LIKE.has(next.key))) return null;
    const trail = keepsComma(at, next) ? previous.trail : previous.trail.slice(0, -1);
    return { back: 1, take: length, put: [withTrail(previous, trail)], reason: 'a filler set off by commas' };
  }
  return null;
};

export const fillers: Pass = {
  name: 'fillers',
  run: (tokens, { language }) => {
    if (!language) return unchanged(tokens);
    const result = rewrite(tokens, 'fillers', (at) => {
      const change = filler(at, language.fillers);
      return change ?? (language.code === 'en' ? softFiller(at) : null);
    });
    // Keep a text that consists only of fillers.
    return result.tokens.length === 0 ? unchanged(tokens) : result;
  },
};
