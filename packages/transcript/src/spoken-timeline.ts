// Maps offsets in the raw text to times in the recording.
import type { TimedText } from './types.ts';

/** An item and its place in the text. */
export interface Located<Item> {
  readonly item: Item;
  /** Index of the item in the list. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

type SpokenSpan = Located<TimedText>;

/** How far after the previous item to search for the next one: past punctuation, spaces, or a few missing words. */
const SEARCH_CHARACTERS_MAX = 200;

/** Finds items, which must be in order, in the text. Drops items that are not in the text. */
export const locate = <Item extends { readonly text: string }>(
  rawText: string,
  items: readonly Item[],
): Located<Item>[] => {
  const found: Located<Item>[] = [];
  let from = 0;
  items.forEach((item, index) => {
    const text = item.text.trim();
    const at = text === '' ? -1 : rawText.slice(from, from + SEARCH_CHARACTERS_MAX + text.length).indexOf(text);
    if (at === -1) return;
    found.push({ item, index, start: from + at, end: from + at + text.length });
    from += at + text.length;
  });
  return found;
};

export class SpokenTimeline {
  readonly #spans: readonly SpokenSpan[];

  constructor(rawText: string, words: readonly TimedText[]) {
    this.#spans = locate(rawText, words);
  }

  /** The time of a span of the raw text. Offsets may lie within words. */
  of(start: number, end: number): Omit<TimedText, 'text'> {
    const spans = this.#spans;
    if (spans.length === 0) return { startMs: 0, endMs: 0, confidence: 0 };
    const first = this.#firstEndingAfter(start);
    let last = first;
    while (last < spans.length && spans[last]!.start < end) last += 1;
    const inside = spans.slice(first, last);
    if (inside.length === 0) {
      // Nothing was spoken here: use the end of the previous word.
      const before = spans[first - 1]?.item;
      const atMs = before?.endMs ?? spans[0]!.item.startMs;
      const { confidence, speaker } = before ?? spans[0]!.item;
      return { startMs: atMs, endMs: atMs, confidence, ...(speaker !== undefined && { speaker }) };
    }
    return {
      startMs: timeAt(inside[0]!, start),
      endMs: timeAt(inside.at(-1)!, end),
      confidence: inside.reduce((sum, { item }) => sum + item.confidence, 0) / inside.length,
      ...speakerOf(inside, start, end),
    };
  }

  #firstEndingAfter(position: number): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#spans[middle]!.end > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The speaker of the word that covers most of the span. */
const speakerOf = (spans: readonly SpokenSpan[], start: number, end: number): Pick<TimedText, 'speaker'> => {
  let most = -1;
  let speaker: TimedText['speaker'];
  for (const span of spans) {
    const characters = Math.min(end, span.end) - Math.max(start, span.start);
    if (span.item.speaker === undefined || characters <= most) continue;
    most = characters;
    speaker = span.item.speaker;
  }
  return speaker === undefined ? {} : { speaker };
};

/** Within a word, time is proportional to the letters. */
const timeAt = ({ start, end, item: { startMs, endMs } }: SpokenSpan, position: number): number => {
  const share = Math.min(1, Math.max(0, (position - start) / (end - start)));
  return startMs + share * (endMs - startMs);
};
