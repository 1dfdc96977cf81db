// Moves the edges of a cut to where a careful editor puts them: the network is surest in the middle.
import { words } from '../languages/entry.ts';
import { isNumberWord } from '../numbers/number-words.ts';
import type { Token } from '../token.ts';
import type { Cut } from './decode.ts';

const GROUPS = [
  words('monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight yesterday'),
  words('january february march april may june july august september october november december'),
  words('morning afternoon evening noon midnight'),
];
const AUXILIARIES = words('am is are was were will would can could should have has had do does did');

/** Days, months, numbers: one stands for another of its group. */
const groupOf = ({ key }: Token): number => {
  if (/^\d/u.test(key) || isNumberWord(key, 'en')) return GROUPS.length;
  return GROUPS.findIndex((group) => group.has(key));
};

/** "meet at [five no make that] six", "call mom [tomorrow, no] tonight": only what is replaced by its like goes. */
const startOfLike = (tokens: readonly Token[], cut: Cut, cueStart: number): number => {
  const next = tokens[cut.end];
  const group = next ? groupOf(next) : -1;
  if (group < 0 || cueStart <= cut.start || cueStart >= cut.end) return cut.start;
  let start = cueStart;
  while (start > cut.start && groupOf(tokens[start - 1]!) === group) start -= 1;
  return start < cueStart ? start : cut.start;
};

/** `cueStart`: the first word of the cue at the end of the cut, or its end. */
export const withEdges = (tokens: readonly Token[], cut: Cut, cueStart: number): Cut => {
  const start = startOfLike(tokens, cut, cueStart);
  // "can [you could] you send": the first verb goes with its person, not the second.
  const before = tokens[start - 1];
  const turned =
    before !== undefined &&
    cut.kind === 'restart' &&
    cut.end - start === 2 &&
    tokens[start]!.key === tokens[cut.end]?.key &&
    AUXILIARIES.has(before.key) &&
    AUXILIARIES.has(tokens[cut.end - 1]!.key);
  return turned ? { ...cut, start: start - 1, end: cut.end - 1 } : { ...cut, start };
};

/** "We have [twenty, actually] thirty, people": the comma after the new word only set off the correction. */
export const losesComma = (tokens: readonly Token[], { start, end, kind }: Cut, cueStart: number): boolean => {
  const next = tokens[end];
  const after = tokens[end + 1];
  if (kind !== 'correction' || cueStart <= start || next?.trail !== ',' || !after) return false;
  return tokens[cueStart - 1]!.trail === ',' && !/^(?:and|but|or|so|then|which|because)$/u.test(after.key);
};
