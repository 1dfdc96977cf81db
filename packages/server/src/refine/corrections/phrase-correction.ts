// Corrections that begin again with the same small word: "to John, no, to Mary".
import { words } from '../languages/entry.ts';
import type { Change, Cursor } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../token.ts';

const ANCHORS =
  words(`to at in on by for from with the a an my your his her our their option room page section gate number doctor
  zu zum nach mit an en con por para dans avec chez pour per da em com na no naar met bij voor`);
const TITLES = words('dr mr mrs ms prof');
const STRONG = new Set([
  'no wait',
  'wait no',
  'no sorry',
  'sorry no',
  'or rather',
  'no wait sorry',
  'oh wait no',
  'oh no sorry',
  'i meant to say',
  'sorry i meant',
  'sorry i mean',
  'no i mean',
  'nein warte',
  'nein moment',
  'no perdón',
  'no espera',
  'non pardon',
  'no scusa',
  'não desculpa',
  'nee sorry',
  'nee wacht',
  'ou plutôt',
  'mejor dicho',
  'ou melhor',
  'besser gesagt',
  'correction',
]);
/** Cues that may do without a comma when both phrases are of one length and the sentence ends there. */
const LIGHT = new Set(['actually', 'i mean', 'sorry', 'no', 'wait']);
const SPAN_MAX = 5;
const RESTART_WORDS_MAX = 12;

const keysBack = (at: Cursor, n: number): string => Array.from({ length: n }, (_, k) => at.key(-(n - k))).join(' ');
const keysAhead = (at: Cursor, from: number, n: number): string =>
  at
    .span(from, from + n)
    .map(({ key }) => key)
    .join(' ');

/** Words of the new phrase up to the next mark. */
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

/** "Turn left, wait, no, turn right": the whole clause said again. */
const restarted = (at: Cursor, cue: number): number => {
  for (let n = 2; n <= RESTART_WORDS_MAX; n++) {
    const token = at.behind(n);
    const before = at.behind(n + 1);
    if (!token || endsSentence(token)) return 0;
    if (before && !endsSentence(before) && !breaksLine(token)) continue;
    return token.key === at.key(cue) && at.ahead(cue + 1) !== undefined ? n : 0;
  }
  return 0;
};

const REASON = 'taken back by the speaker';

export const phraseCorrection = (at: Cursor, cue: number): Change | null => {
  const cueText = keysAhead(at, 0, cue);
  const previous = at.behind(1)!;
  const comma = /^(?:,|-|–|—)$/u.test(previous.trail);
  const strong = STRONG.has(cueText);
  // "I mean," with a comma after it is a way of talking, not a correction.
  if (!strong && /mean|actually|rather|enfin|digo|cioè/u.test(cueText) && at.ahead(cue - 1)!.trail !== '') return null;
  const first = at.key(cue);
  if (ANCHORS.has(first) || TITLES.has(first)) {
    for (let n = 2; n <= SPAN_MAX; n++) {
      const token: Token | undefined = at.behind(n);
      if (!token || (token.trail !== '' && !TITLES.has(token.key))) break;
      if (token.key !== first) continue;
      const length = TITLES.has(first) ? n : phraseLength(at, cue);
      const last = at.ahead(cue + length - 1);
      const ends = !at.ahead(cue + length) || (last !== undefined && last.trail !== '');
      if (keysBack(at, n) === keysAhead(at, cue, n)) return null;
      if (!strong && !comma && !(LIGHT.has(cueText) && n === length && ends)) return null;
      if (!(length <= n + 1 || at.key(cue + n - 1) === previous.key)) return null;
      // The commas set off the correction: "the cat, I mean the dog, is outside".
      const follows = at.key(cue + length);
      const set = comma && last?.trail === ',' && follows !== '' && !/^(?:and|but|or|so|then|which)$/u.test(follows);
      if (!set) return { back: n, take: cue, put: [], reason: REASON };
      const put = at.span(cue, cue + length).map((word) => (word === last ? { ...word, trail: '' } : word));
      return { back: n, take: cue + length, put: [{ ...put[0]!, gap: token.gap }, ...put.slice(1)], reason: REASON };
    }
  }
  const clause = strong ? restarted(at, cue) : 0;
  return clause > 0 ? { back: clause, take: cue, put: [], reason: REASON } : null;
};
