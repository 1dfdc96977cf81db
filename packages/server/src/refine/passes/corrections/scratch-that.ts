// Applies English corrections of whole sentences: "scratch that", and a sentence that is repeated.
import type { Cursor } from '../../cursor.ts';
import type { Change } from '../../rewrite.ts';
import { breaksLine, endsSentence } from '../../token.ts';
import * as words from './words.ts';

/** The number of words since the start of the last sentence. */
const lastSentenceLength = (at: Cursor): number => {
  let n = 1;
  while (at.behind(n + 1) && !endsSentence(at.behind(n + 1)!) && !breaksLine(at.behind(n)!)) n += 1;
  return n;
};

/** "Tell her I'm late. No wait, tell her I'm on time." */
export const repeatedSentence = (at: Cursor): Change | null => {
  if (!at.atStart() || at.written === 0) return null;
  const cue = words.RESTART_CUES.findLast((phrase) => at.says(phrase));
  if (!cue || !/^[,.]?$/u.test(at.ahead(cue.length - 1)!.trail)) return null;
  const back = lastSentenceLength(at);
  if (back < 3 || at.key(-back) !== at.key(cue.length) || at.key(-(back - 1)) !== at.key(cue.length + 1)) return null;
  return { back, take: cue.length, put: [], reason: 'a repeated sentence' };
};

/** "Scratch that": deletes the previous sentence if the phrase is an order. */
export const scratchThat = (at: Cursor): Change | null => {
  const order = words.DELETE_ORDERS.find((phrase) => at.says(phrase));
  if (!order || !at.unbroken(order.length)) return null;
  const { length } = order;
  const previous = at.behind(1)!;
  const next = at.ahead(length);
  const startsApart = endsSentence(previous) || previous.trail === ',' || breaksLine(at.ahead(0)!);
  const endsApart = at.ahead(length - 1)!.trail !== '' || !next || breaksLine(next);
  if (!startsApart && words.BEFORE_MENTIONED_ORDER.has(previous.key)) return null;
  const isSure = words.SURE_ORDERS.has(order[0]!) && (endsApart || words.NEW_STARTS.has(next.key));
  if (!(startsApart && endsApart) && !isSure) return null;
  const back = lastSentenceLength(at);
  // Never delete the whole text.
  if (back >= at.written && !next) return null;
  return { back, take: length, put: [], reason: 'deleted by the speaker' };
};
