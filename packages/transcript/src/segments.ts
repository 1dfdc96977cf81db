// Splits the refined text into segments: sentences, split further at long pauses and when they get too long.
import { breakBetween, pauseBetween } from './breaks.ts';
import { speakerOf } from './speakers/paragraphs.ts';
import type { TimedText, WrittenWord } from './types.ts';

/** A pause this long ends a segment, even within a sentence. */
const PAUSE_MS = 1_500;
/** After this length, the next comma or short pause ends a segment … */
const LONG_MS = 12_000;
const SHORT_PAUSE_MS = 250;
/** … and after this length, the next word does. */
const TOO_LONG_MS = 25_000;

const endsSegment = (first: WrittenWord, word: WrittenWord, next: WrittenWord): boolean => {
  const kind = breakBetween(word, next);
  const pauseMs = pauseBetween(word, next);
  if (kind === 'paragraph' || kind === 'sentence' || pauseMs >= PAUSE_MS) return true;
  if (speakerOf(word) !== speakerOf(next)) return true;
  const lengthMs = word.endMs - first.startMs;
  return lengthMs >= TOO_LONG_MS || (lengthMs >= LONG_MS && (kind === 'clause' || pauseMs >= SHORT_PAUSE_MS));
};

const segmentOf = (words: readonly WrittenWord[]): TimedText => ({
  text: words.map(({ gap, text }) => gap + text).join(''),
  startMs: words[0]!.startMs,
  endMs: Math.max(...words.map(({ endMs }) => endMs)),
  confidence: words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length,
  ...(words[0]!.speaker !== undefined && { speaker: words[0]!.speaker }),
});

/** The texts concatenate to the whole text: each segment except the first starts with the space before it. */
export const textSegments = (words: readonly WrittenWord[]): TimedText[] => {
  const segments: TimedText[] = [];
  let open: WrittenWord[] = [];
  words.forEach((word, index) => {
    open.push(word);
    const next = words[index + 1];
    if (next && !endsSegment(open[0]!, word, next)) return;
    segments.push(segmentOf(open));
    open = [];
  });
  return segments;
};
