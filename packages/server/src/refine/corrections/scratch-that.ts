// "Scratch that": an order to strike out the sentence before it, when it is an order.
import { words } from '../languages/entry.ts';
import type { Change, Cursor } from '../rewrite.ts';
import { breaksLine, endsSentence } from '../token.ts';

const ORDERS = [
  ['scratch', 'that'],
  ['strike', 'that'],
  ['delete', 'that'],
  ['never', 'mind', 'that'],
  ['ignore', 'that'],
  ['forget', 'that'],
] as const;
/** Before these the words are part of a sentence: "please delete that". */
const IN_SENTENCE =
  words(`to can could should would will please just we you i they he she let's not don't didn't never must
  and then or cannot can't if when i'll we'll you'll`);
const RESTARTS =
  words(`i we you he she they it let's let make the actually instead please i'll we'll you'll it's i'm we're send call tell ask
  schedule move put add my our there there's what how can could do`);

const start = (at: Cursor): number => {
  let n = 1;
  while (at.behind(n + 1) && !endsSentence(at.behind(n + 1)!) && !breaksLine(at.behind(n)!)) n += 1;
  return n;
};

const TURNS = [
  ['no', 'wait'],
  ['wait', 'no'],
  ['no', 'sorry'],
  ['sorry', 'no'],
  ['actually', 'no'],
  ['oh', 'wait'],
  ['let', 'me', 'rephrase'],
  ['let', 'me', 'rephrase', 'that'],
] as const;

/** "Tell her I'm late. No wait, tell her I'm on time.": the sentence is said again from its start. */
export const saidAgain = (at: Cursor): Change | null => {
  if (!at.atStart() || at.written === 0) return null;
  const turn = TURNS.findLast((words) => words.every((word, n) => at.key(n) === word));
  if (!turn || !/^[,.]?$/u.test(at.ahead(turn.length - 1)!.trail)) return null;
  const back = start(at);
  const [first, second] = [at.key(-back), at.key(-(back - 1))];
  if (back < 3 || first !== at.key(turn.length) || second !== at.key(turn.length + 1)) return null;
  return { back, take: turn.length, put: [], reason: 'said again from the start' };
};

export const scratchThat = (at: Cursor): Change | null => {
  const order = ORDERS.find((order) => order.every((word, n) => at.key(n) === word));
  if (!order || !at.unbroken(order.length)) return null;
  const length = order.length;
  const previous = at.behind(1)!;
  const last = at.ahead(length - 1)!;
  const next = at.ahead(length);
  const apart = endsSentence(previous) || previous.trail === ',' || breaksLine(at.ahead(0)!);
  const alone = last.trail !== '' || !next || breaksLine(next);
  if (!apart && IN_SENTENCE.has(previous.key)) return null;
  // "Scratch" and "strike" are rarely meant otherwise; the rest must stand apart on both sides.
  const usual = order[0] === 'scratch' || order[0] === 'strike';
  if (!(apart && alone) && !(usual && (alone || RESTARTS.has(next!.key)))) return null;
  const back = start(at);
  if (back >= at.written && !next) return null;
  return { back, take: length, put: [], reason: 'struck out by the speaker' };
};
