// Splits the words into windows for the tagger: one sentence each, never across a long pause or a line break.
import { breaksLine, endsSentence, type Token } from '../token.ts';
import { knownPauseMs } from './signals.ts';
import { CORRECTION_STARTS } from './words.ts';

/** A pause of this length ends an utterance. */
const UTTERANCE_PAUSE_MS = 1500;
const WINDOW_WORDS_MAX = 60;
/** Words that two windows of a long sentence share, so that each word has context on both sides. */
const OVERLAP_WORDS = 14;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A window. Only the tags of the words in [from, to) are used. */
export interface Window extends Span {
  readonly from: number;
  readonly to: number;
}

/** Splits the words into sentences. Joins a sentence that starts like a correction to the one before. */
const sentencesOf = (tokens: readonly Token[]): Span[] => {
  const spans: { start: number; end: number }[] = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const last = spans.at(-1);
    const isApart = breaksLine(token) || (knownPauseMs(token, before) ?? 0) > UTTERANCE_PAUSE_MS;
    const isStart = !before || !last || isApart || (endsSentence(before) && !before.trail.startsWith('...'));
    const joins =
      isStart && last && !isApart && CORRECTION_STARTS.has(token.key) && index - last.start < WINDOW_WORDS_MAX / 2;
    if (isStart && !joins) spans.push({ start: index, end: index + 1 });
    else last!.end = index + 1;
  });
  return spans;
};

export const windowsOf = (tokens: readonly Token[]): Window[] =>
  sentencesOf(tokens).flatMap(({ start, end }) => {
    if (end - start <= WINDOW_WORDS_MAX) return [{ start, end, from: start, to: end }];
    const windows: Window[] = [];
    for (let at = start; ; at += WINDOW_WORDS_MAX - OVERLAP_WORDS) {
      const stop = Math.min(end, at + WINDOW_WORDS_MAX);
      const isLast = stop === end;
      windows.push({
        start: at,
        end: stop,
        from: at === start ? at : at + OVERLAP_WORDS / 2,
        to: isLast ? stop : stop - OVERLAP_WORDS / 2,
      });
      if (isLast) return windows;
    }
  });
