// Moves the edges of a cut, where the network is least certain, to where an editor would put them.
import { isNumberWord } from '../numbers/number-words.ts';
import type { Token } from '../token.ts';
import type { Cut } from './decode.ts';
import { ALTERNATIVES, AUXILIARIES, CLAUSE_JOINTS } from './words.ts';

/** The group of a day, month, time of day or number; -1 for other words. */
const groupOf = ({ key }: Token): number => {
  if (/^\d/u.test(key) || isNumberWord(key, 'en')) return ALTERNATIVES.length;
  return ALTERNATIVES.findIndex((group) => group.has(key));
};

/** "meet at [five no make that] six": cuts only the words that the next word, of the same group, replaces. */
const startOfGroup = (tokens: readonly Token[], cut: Cut, cueStart: number): number => {
  const next = tokens[cut.end];
  const group = next ? groupOf(next) : -1;
  if (group < 0 || cueStart <= cut.start || cueStart >= cut.end) return cut.start;
  let start = cueStart;
  while (start > cut.start && groupOf(tokens[start - 1]!) === group) start -= 1;
  return start < cueStart ? start : cut.start;
};

/** `cueStart`: the first word of the cue that ends the cut, or the end of the cut. */
export const withEdges = (tokens: readonly Token[], cut: Cut, cueStart: number): Cut => {
  const start = startOfGroup(tokens, cut, cueStart);
  // "can [you could] you send": cut "can you" instead.
  const before = tokens[start - 1];
  const isInverted =
    before !== undefined &&
    cut.kind === 'restart' &&
    cut.end - start === 2 &&
    tokens[start]!.key === tokens[cut.end]?.key &&
    AUXILIARIES.has(before.key) &&
    AUXILIARIES.has(tokens[cut.end - 1]!.key);
  return isInverted ? { ...cut, start: start - 1, end: cut.end - 1 } : { ...cut, start };
};

/** "We have [twenty, actually] thirty, people": true when the comma after the new word only closed the correction. */
export const closesWithComma = (tokens: readonly Token[], { start, end, kind }: Cut, cueStart: number): boolean => {
  const next = tokens[end];
  const after = tokens[end + 1];
  if (kind !== 'correction' || cueStart <= start || next?.trail !== ',' || !after) return false;
  return tokens[cueStart - 1]!.trail === ',' && !CLAUSE_JOINTS.has(after.key);
};
