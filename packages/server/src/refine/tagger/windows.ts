// Cuts the words into windows for the tagger: never across a long pause or a line break, a sentence at a time.
import { breaksLine, endsSentence, type Token } from '../token.ts';
import { pauseBefore } from './signals.ts';

/** Silence that ends an utterance. */
const UTTERANCE_PAUSE_MS = 1500;
const WINDOW_WORDS_MAX = 60;
/** Words that two windows of one long sentence share, so that what stands at the edge is seen whole by one of them. */
const OVERLAP_WORDS = 14;
const OPENS_WITH_CUE = /^(?:no|nope|sorry|wait|actually|or|oops|rather|scratch|strike|oh|i|make)$/u;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One window, and the part of it whose answer counts. */
export interface Window extends Span {
  readonly from: number;
  readonly to: number;
}

/** Sentences; one that opens like a correction goes with the sentence before it. */
const sentences = (tokens: readonly Token[]): Span[] => {
  const spans: { start: number; end: number }[] = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const last = spans.at(-1);
    const apart = breaksLine(token) || (pauseBefore(token, before) ?? 0) > UTTERANCE_PAUSE_MS;
    const fresh = !before || !last || apart || (endsSentence(before) && !before.trail.startsWith('...'));
    const joins =
      fresh && last && !apart && OPENS_WITH_CUE.test(token.key) && index - last.start < WINDOW_WORDS_MAX / 2;
    if (fresh && !joins) spans.push({ start: index, end: index + 1 });
    else last!.end = index + 1;
  });
  return spans;
};

export const windowsOf = (tokens: readonly Token[]): Window[] =>
  sentences(tokens).flatMap(({ start, end }) => {
    if (end - start <= WINDOW_WORDS_MAX) return [{ start, end, from: start, to: end }];
    const windows: Window[] = [];
    for (let at = start; ; at += WINDOW_WORDS_MAX - OVERLAP_WORDS) {
      const stop = Math.min(end, at + WINDOW_WORDS_MAX);
      const last = stop === end;
      windows.push({
        start: at,
        end: stop,
        from: at === start ? at : at + OVERLAP_WORDS / 2,
        to: last ? stop : stop - OVERLAP_WORDS / 2,
      });
      if (last) return windows;
    }
  });
