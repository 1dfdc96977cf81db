// Applies corrections that repeat the first word of the phrase: "to John, no, to Mary".
import type { Cursor } from '../../cursor.ts';
import type { Change } from '../../rewrite.ts';
import { breaksLine, endsSentence } from '../../token.ts';
import * as words from './words.ts';

const SPAN_MAX = 5;
const RESTART_WORDS_MAX = 12;
const REASON = 'corrected by the speaker';

const keysBehind = (at: Cursor, n: number): string => Array.from({ length: n }, (_, k) => at.key(-(n - k))).join(' ');

/** The number of words in the new phrase, up to the next mark. */
const phraseLength = (at: Cursor, from: number): number => {
  let length = 1;
  while (
    length < SPAN_MAX + 2 &&
    at.ahead(from + length) &&
    at.ahead(from + length - 1)!.trail === '' &&
    !breaksLine(at.ahead(from + length)!)
  )
    length += 1;
  return length;
};

/** "Turn left, wait, no, turn right": the number of words since the repeated start of the clause, or 0. */
const restartLength = (at: Cursor, cueLength: number): number => {
  for (let n = 2; n <= RESTART_WORDS_MAX; n++) {
    const token = at.behind(n);
    const before = at.behind(n + 1);
    if (!token || endsSentence(token)) return 0;
    if (before && !endsSentence(before) && !breaksLine(token)) continue;
    return token.key === at.key(cueLength) && at.ahead(cueLength + 1) !== undefined ? n : 0;
  }
  return 0;
};

/** Replaces the phrase of n words before the cue by the phrase after it. */
const replacePhrase = (at: Cursor, cueLength: number, cue: string, n: number): Change | null => {
  const previous = at.behind(1)!;
  const hasComma = /^[,\-–—]$/u.test(previous.trail);
  const first = at.key(cueLength);
  const length = words.TITLES.has(first) ? n : phraseLength(at, cueLength);
  const end = cueLength + length;
  const last = at.ahead(end - 1);
  const isEnd = !at.ahead(end) || (last !== undefined && last.trail !== '');
  if (keysBehind(at, n) === at.keysOf(cueLength, cueLength + n).join(' ')) return null;
  if (!words.STRONG_CUES.has(cue) && !hasComma && !(words.LIGHT_CUES.has(cue) && n === length && isEnd)) return null;
  if (length > n + 1 && at.key(cueLength + n - 1) !== previous.key) return null;
  const follows = at.key(end);
  // "the cat, I mean the dog, is outside": the comma only closed the correction.
  const closes = hasComma && last?.trail === ',' && follows !== '' && !words.CLAUSE_JOINTS.has(follows);
  if (!closes) return { back: n, take: cueLength, put: [], reason: REASON };
  const put = at.span(cueLength, end).map((word) => (word === last ? { ...word, trail: '' } : word));
  return { back: n, take: end, put: [{ ...put[0]!, gap: at.behind(n)!.gap }, ...put.slice(1)], reason: REASON };
};

export const phraseCorrection = (at: Cursor, cueLength: number): Change | null => {
  const cue = at.keysOf(0, cueLength).join(' ');
  const isStrong = words.STRONG_CUES.has(cue);
  if (!isStrong && words.TALKATIVE_CUE.test(cue) && at.ahead(cueLength - 1)!.trail !== '') return null;
  const first = at.key(cueLength);
  if (words.PHRASE_STARTS.has(first) || words.TITLES.has(first)) {
    for (let n = 2; n <= SPAN_MAX; n++) {
      const token = at.behind(n);
      if (!token || (token.trail !== '' && !words.TITLES.has(token.key))) break;
      if (token.key === first) return replacePhrase(at, cueLength, cue, n);
    }
  }
  const back = isStrong ? restartLength(at, cueLength) : 0;
  return back > 0 ? { back, take: cueLength, put: [], reason: REASON } : null;
};
