// Takes out fillers and hesitations, and the commas that only set them off.

import { keepsComma } from '../commas.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { capitalised, endsSentence, isCapitalised, reword, type Token, withTrail } from '../token.ts';

/** Sounds that are also words or answers: gone only where they plainly hesitate. */
const INTERJECTIONS = new Set(['ah', 'ahh', 'eh', 'hm', 'hmm', 'hmmm', 'mm', 'mmm', 'mhm']);

/** What a tagger must reach for such a sound to go. */
const SLIP_MIN = 0.99;

const isAbbreviation = (token: Token): boolean => token.core.length > 1 && token.core === token.core.toUpperCase();

const hesitates = (at: Cursor, token: Token): boolean => {
  if (isAbbreviation(token)) return false;
  // "go to the er": in lower case only the article tells the ward from the sound.
  if (token.key === 'er' && /^(?:the|an)$/u.test(at.key(-1)) && !token.trail.startsWith(',')) return false;
  if (!INTERJECTIONS.has(token.key)) return true;
  // "Hmm hmm", "mm, yeah": an answer as often as a hesitation.
  if (token.slip !== undefined && token.slip < SLIP_MIN) return false;
  const alone = at.atStart() && (!at.ahead(1) || endsSentence(token));
  const opens = at.atStart() && /^a/u.test(token.key);
  return !alone && !opens && (token.trail === '' || /^,|^\.{2,}|^…/u.test(token.trail) || endsSentence(token));
};

/** "uh huh", "mm hmm": a yes in two sounds. */
const isAnswer = (at: Cursor): boolean =>
  (/^(?:uh|um|mm|mhm)$/u.test(at.key(0)) && at.ahead(0)!.trail === '' && /^(?:huh|hmm|hm)$/u.test(at.key(1))) ||
  (/^(?:hmm|hm)$/u.test(at.key(0)) && /^(?:uh|um|mm|mhm)$/u.test(at.key(-1)) && at.behind(1)!.trail === '');

const filler =
  (fillers: ReadonlySet<string>) =>
  (at: Cursor): Change | null => {
    if (!fillers.has(at.key(0)) || isAnswer(at)) return null;
    let n = 0;
    const started = at.atStart();
    for (let token = at.ahead(0); token && fillers.has(token.key) && hesitates(at, token); token = at.ahead(++n)) {
      if (token.key.includes('-')) break;
      if (endsSentence(token)) {
        n += 1;
        break;
      }
    }
    if (n === 0) return null;
    const reason = 'a hesitation';
    const previous = at.behind(1);
    const gone = at.span(0, n);
    const next = at.ahead(n);
    // "I was, um, thinking": the commas go with the sound unless the sentence needs one there.
    if (previous && !started && /[,\-–—]$|\.{3}$|…$/u.test(previous.trail) && next && !endsSentence(gone.at(-1)!)) {
      const bare = previous.trail.replace(/(?:[,\-–—]|\.{3}|…)+$/u, '');
      const kept = previous.trail.endsWith(',') && keepsComma(at, next) ? previous.trail : bare;
      const merged = { ...withTrail(previous, kept) };
      return { back: 1, take: n, put: [merged], reason };
    }
    // "at 1 p.m. Um, is there": the capital of the sound is all that tells the end of the sentence.
    if (previous && next && /\.m\.$/u.test(previous.core) && previous.trail === '' && isCapitalised(gone[0]!)) {
      return { take: n + 1, put: [reword(next, capitalised(next.core))], reason };
    }
    // "Um, so": the capital of the sentence moves on.
    const capital = started && next !== undefined && isCapitalised(gone[0]!) && /^\p{Ll}+$/u.test(next.core);
    if (capital && !fillers.has(next.key) && gone.every(({ lead, trail }) => lead === '' && /^,?$/u.test(trail)))
      return { take: n + 1, put: [{ ...reword(next, capitalised(next.core)), gap: gone[0]!.gap }], reason };
    return { take: n, put: [], reason };
  };

const SOFT = [['you', 'know'], ['like'], ['sort', 'of'], ['kind', 'of']] as const;

/** "it was, like, huge": an English soft filler goes only when commas set it off on both sides. */
const soft = (at: Cursor): Change | null => {
  const previous = at.behind(1);
  if (!previous?.trail.endsWith(',')) return null;
  for (const phrase of SOFT) {
    const last = at.ahead(phrase.length - 1);
    if (last?.trail !== ',' || !phrase.every((word, n) => at.key(n) === word)) continue;
    if (!at.unbroken(phrase.length)) continue;
    const next = at.ahead(phrase.length);
    if (!next) return null;
    // A list of verbs or nouns ("we share, like, and comment") is no hesitation.
    if (phrase.length === 1 && /^(?:and|or|comment|share|subscribe)$/u.test(next.key)) return null;
    const kept = keepsComma(at, next) ? previous.trail : previous.trail.slice(0, -1);
    return { back: 1, take: phrase.length, put: [withTrail(previous, kept)], reason: 'a filler set off by commas' };
  }
  return null;
};

export const fillers: Pass = {
  name: 'fillers',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const rule = filler(language.fillers);
    const english = language.code === 'en';
    const result = rewrite(tokens, 'fillers', (at) => rule(at) ?? (english ? soft(at) : null));
    // Someone who said nothing else said that.
    return result.tokens.length === 0 ? { tokens, marks: [] } : result;
  },
};
