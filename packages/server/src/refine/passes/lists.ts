// Enumerations become lists when they clearly are lists: announced, in order, each item at the start of a clause.
import { words } from '../languages/entry.ts';
import type { Mark, Pass } from '../rewrite.ts';
import { breaksLine, capitalised, endsSentence, merge, reword, type Token, withGap, withTrail } from '../token.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const ADVERBS = ['firstly', 'secondly', 'thirdly', 'fourthly', 'fifthly', 'sixthly', 'seventhly', 'eighthly'];
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const COUNTS = new Map(NUMBERS.map((word, n) => [word, n + 1]));
const THINGS = words(
  'things steps items points reasons tasks ways questions topics goals options priorities issues ideas rules parts changes updates problems',
);
/** After these an ordinal is an adjective: "first time", "second floor". */
const ADJECTIVE_NEXT =
  words(`time thing day week month year floor place one quarter half person step item of and or to name grade class draft
  version party hand look thought round chance second meeting part option question reason point`);

interface Marker {
  readonly index: number;
  readonly length: number;
  readonly rank: number;
}

const markerAt = (tokens: readonly Token[], index: number): Marker | null => {
  const { key, trail } = tokens[index]!;
  const next = tokens[index + 1];
  if (!next) return null;
  if (key === 'number' && trail === '' && NUMBERS.includes(next.key))
    return tokens[index + 2] ? { index, length: 2, rank: NUMBERS.indexOf(next.key) + 1 } : null;
  const rank = Math.max(ORDINALS.indexOf(key), ADVERBS.indexOf(key)) + 1;
  if (rank === 0 || (trail !== '' && trail !== ',') || (trail === '' && ADJECTIVE_NEXT.has(next.key))) return null;
  return { index, length: 1, rank };
};

const startsClause = (tokens: readonly Token[], index: number): boolean => {
  const before = tokens[index - 1];
  return !before || endsSentence(before) || /[:;]$/u.test(before.trail) || breaksLine(tokens[index]!);
};

/** "three things": how many items the speaker announced just before. */
const announced = (tokens: readonly Token[], index: number): number | null => {
  for (let n = index - 1; n >= Math.max(1, index - 9); n--) {
    if (THINGS.has(tokens[n]!.key))
      return COUNTS.get(tokens[n - 1]!.key) ?? (/^\d$/u.test(tokens[n - 1]!.key) ? Number(tokens[n - 1]!.key) : null);
  }
  return null;
};

/** Rising markers from 1 on; each begins a clause, or all were announced by number. */
const findList = (tokens: readonly Token[], markers: readonly Marker[], from: number): Marker[] | null => {
  const list: Marker[] = [];
  for (const marker of markers.slice(from)) {
    if (marker.rank !== list.length + 1) {
      if (marker.rank === 1) break;
      continue;
    }
    const before = tokens[marker.index - 1];
    if (list.length > 0 && marker.index - list.at(-1)!.index > 60) break;
    if (list.length > 0 && before && /^(?:the|a|my|your|our|his|her|their|this|that|every|each)$/u.test(before.key))
      break;
    list.push(marker);
  }
  const first = list[0];
  if (!first || list.length < 2) return null;
  const count = announced(tokens, first.index);
  if (count !== null && count === list.length) return list;
  const spoken = tokens[first.index]!.key === 'number';
  const clauses = list.every((marker) => startsClause(tokens, marker.index));
  return list.length >= 3 && (clauses || spoken) ? list : null;
};

const CONNECTING = words('and then finally lastly');

export const lists: Pass = {
  name: 'lists',
  run: (tokens, { language }) => {
    if (language?.code !== 'en') return { tokens, marks: [] };
    const markers = tokens.map((_, index) => markerAt(tokens, index)).filter((marker) => marker !== null);
    const start = markers.findIndex((marker) => marker.rank === 1);
    const items = start < 0 ? null : findList(tokens, markers, start);
    if (!items) return { tokens, marks: [] };
    const out: Token[] = [];
    const marks: Mark[] = [];
    let index = 0;
    for (const [place, marker] of items.entries()) {
      let end = marker.index;
      const joint = tokens[end - 1];
      if (place > 0 && joint && CONNECTING.has(joint.key) && joint.trail === '') end -= 1;
      for (; index < end; index++) out.push(tokens[index]!);
      const last = out.at(-1);
      if (last && place === 0)
        out[out.length - 1] = withTrail(last, last.trail.replace(/[,.;]$/u, '').replace(/:?$/u, ':'));
      else if (last && !endsSentence(last))
        out[out.length - 1] = withTrail(last, `${last.trail.replace(/[,;]$/u, '')}.`);
      const span = tokens.slice(index, marker.index + marker.length);
      const number = withGap(withTrail(merge(span, `${place + 1}.`), ''), last ? '\n' : '');
      out.push(number);
      index = marker.index + marker.length;
      const body = tokens[index]!;
      out.push(reword(body, capitalised(body.core)));
      marks.push({ pass: 'lists', reason: 'an enumeration as a list', rawStart: number.rawStart, rawEnd: body.rawEnd });
      index += 1;
    }
    return { tokens: [...out, ...tokens.slice(index)], marks };
  },
};
