// Turns spoken enumerations into numbered lists if their items are in order, and announced or at clause starts.
import { type ChangeRecord, type Pass, unchanged } from '../rewrite.ts';
import {
  breaksLine,
  capitalised,
  endsSentence,
  merge,
  pauseMsBefore,
  reword,
  type Token,
  withGap,
  withTrail,
} from '../token.ts';
import * as words from './words/lists.ts';
import { NEVER_LAST } from './words/sentence-ends.ts';

/** The words that announce an item: "first", "number one". */
interface Marker {
  readonly index: number;
  readonly length: number;
  readonly rank: number;
}

const ITEM_WORDS_MAX = 60;
/** A list may be announced at most this many words before its first item. */
const ANNOUNCED_WITHIN = 9;

const markerAt = (tokens: readonly Token[], index: number): Marker | null => {
  const { key, trail } = tokens[index]!;
  const next = tokens[index + 1];
  if (!next) return null;
  if (key === 'number' && trail === '' && words.NUMBERS.includes(next.key))
    return tokens[index + 2] ? { index, length: 2, rank: words.NUMBERS.indexOf(next.key) + 1 } : null;
  const rank = Math.max(words.ORDINALS.indexOf(key), words.ADVERBS.indexOf(key)) + 1;
  if (rank === 0 || (trail !== '' && trail !== ',') || (trail === '' && words.NOUNS_AFTER_ORDINAL.has(next.key)))
    return null;
  return { index, length: 1, rank };
};

const startsClause = (tokens: readonly Token[], index: number): boolean => {
  const before = tokens[index - 1];
  return !before || endsSentence(before) || /[:;]$/u.test(before.trail) || breaksLine(tokens[index]!);
};

const countOf = (key: string): number | null =>
  /^\d$/u.test(key) ? Number(key) : words.NUMBERS.includes(key) ? words.NUMBERS.indexOf(key) + 1 : null;

/** "three things": the number of items that the speaker announced, or null. */
const announcedCount = (tokens: readonly Token[], index: number): number | null => {
  for (let n = index - 1; n >= Math.max(1, index - ANNOUNCED_WITHIN); n--)
    if (words.LISTED_NOUNS.has(tokens[n]!.key)) return countOf(tokens[n - 1]!.key);
  return null;
};

/** Finds markers that count up from 1: as many as announced, or at least three that start clauses or say "number". */
const findList = (tokens: readonly Token[], markers: readonly Marker[]): Marker[] | null => {
  const list: Marker[] = [];
  for (const marker of markers) {
    if (marker.rank !== list.length + 1) {
      if (marker.rank === 1) break;
      continue;
    }
    const last = list.at(-1);
    const before = tokens[marker.index - 1];
    if (last && (marker.index - last.index > ITEM_WORDS_MAX || (before && words.DETERMINERS.has(before.key)))) break;
    list.push(marker);
  }
  const first = list[0];
  if (!first || list.length < 2) return null;
  if (announcedCount(tokens, first.index) === list.length) return list;
  const saysNumber = tokens[first.index]!.key === 'number';
  const areClauses = list.every((marker) => startsClause(tokens, marker.index));
  return list.length >= 3 && (areClauses || saysNumber) ? list : null;
};

/** A pause of this length ends the last item. */
const ITEM_PAUSE_MS = 2000;

/** Ends the last item at the first long pause from index `from` on, and starts a new paragraph there. */
const endLastItem = (tokens: readonly Token[], from: number): readonly Token[] => {
  const end = tokens.findIndex(
    (token, n) =>
      n >= from && pauseMsBefore(token, tokens[n - 1]) >= ITEM_PAUSE_MS && !NEVER_LAST.has(tokens[n - 1]!.key),
  );
  if (end < 0) return tokens;
  const last = tokens[end - 1]!;
  const trail = endsSentence(last) ? last.trail : `${last.trail.replace(/[,;]$/u, '')}.`;
  return [...tokens.slice(0, end - 1), withTrail(last, trail), withGap(tokens[end]!, '\n\n'), ...tokens.slice(end + 1)];
};

export const lists: Pass = {
  name: 'lists',
  run: (tokens, { language }) => {
    if (language?.code !== 'en') return unchanged(tokens);
    const markers = tokens.map((_, index) => markerAt(tokens, index)).filter((marker) => marker !== null);
    const start = markers.findIndex((marker) => marker.rank === 1);
    const items = start < 0 ? null : findList(tokens, markers.slice(start));
    if (!items) return unchanged(tokens);
    const out: Token[] = [];
    const records: ChangeRecord[] = [];
    let index = 0;
    for (const [place, marker] of items.entries()) {
      let end = marker.index;
      const joint = tokens[end - 1];
      if (place > 0 && joint && words.CONNECTORS.has(joint.key) && joint.trail === '') end -= 1;
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
      records.push({
        pass: 'lists',
        reason: 'an enumeration as a list',
        rawStart: number.rawStart,
        rawEnd: body.rawEnd,
      });
      index += 1;
    }
    return { tokens: endLastItem([...out, ...tokens.slice(index)], out.length), records };
  },
};
