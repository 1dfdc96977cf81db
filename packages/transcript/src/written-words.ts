// The words of the refined text with their times. Gaps and words concatenate to the text.
import { type AlignedStretch, alignEdits } from './edit-alignment.ts';
import { SpokenTimeline } from './spoken-timeline.ts';
import type { RefinedTranscript, TimedText, WrittenWord } from './types.ts';
import { type TextSpan, wordSpans } from './word-boundaries.ts';

/** The segments during which no word has a time. */
const untimedIn = (segments: readonly TimedText[], words: readonly TimedText[]): readonly TimedText[] => {
  const byStart = [...words].sort((a, b) => a.startMs - b.startMs);
  let begun = 0;
  let latestEndMs = Number.NEGATIVE_INFINITY;
  return [...segments]
    .sort((a, b) => a.endMs - b.endMs)
    .filter(({ startMs, endMs }) => {
      for (; begun < byStart.length && byStart[begun]!.startMs < endMs; begun++)
        latestEndMs = Math.max(latestEndMs, byStart[begun]!.endMs);
      return latestEndMs <= startMs;
    });
};

/** The timed words, and segments where no words have times. */
const timedStretches = ({ words, segments }: RefinedTranscript): readonly TimedText[] => {
  if (words.length === 0) return segments;
  const untimed = untimedIn(segments, words);
  return untimed.length === 0 ? words : [...words, ...untimed].sort((a, b) => a.startMs - b.startMs);
};

/** Maps spans of the refined text to raw spans. Spans must be requested in order. */
class RawSpans {
  readonly #stretches: readonly AlignedStretch[];
  #index = 0;
  #start = 0;

  constructor(stretches: readonly AlignedStretch[]) {
    this.#stretches = stretches;
  }

  of({ start, end }: TextSpan): TextSpan {
    while (this.#index < this.#stretches.length - 1 && this.#end <= start) {
      this.#start = this.#end;
      this.#index += 1;
    }
    let stretchStart = this.#start;
    let rawStart = Number.POSITIVE_INFINITY;
    let rawEnd = Number.NEGATIVE_INFINITY;
    for (let index = this.#index; index < this.#stretches.length && stretchStart < end; index++) {
      const stretch = this.#stretches[index]!;
      const rawAt = (position: number): number => {
        const share = Math.min(1, Math.max(0, (position - stretchStart) / stretch.text.length));
        return stretch.rawStart + share * (stretch.rawEnd - stretch.rawStart);
      };
      rawStart = Math.min(rawStart, rawAt(start));
      rawEnd = Math.max(rawEnd, rawAt(end));
      stretchStart += stretch.text.length;
    }
    return { start: rawStart, end: rawEnd };
  }

  get #end(): number {
    return this.#start + (this.#stretches[this.#index]?.text.length ?? 0);
  }
}

/**
 * An unchanged word has the time at which it was spoken. A form written for several words, such as a date, lasts from the
 * first to the last of them. Times never run backwards.
 */
export const writtenWords = (transcript: RefinedTranscript): WrittenWord[] => {
  const timeline = new SpokenTimeline(transcript.rawText, timedStretches(transcript));
  const stretches = alignEdits(transcript.rawText, transcript.edits);
  const text = stretches.map((stretch) => stretch.text).join('');
  const rawSpans = new RawSpans(stretches);
  let writtenTo = 0;
  let lastMs = 0;
  return wordSpans(text).map((span) => {
    const raw = rawSpans.of(span);
    const time = timeline.of(raw.start, raw.end);
    const startMs = Math.max(lastMs, time.startMs);
    const endMs = Math.max(startMs, time.endMs);
    lastMs = startMs;
    const gap = text.slice(writtenTo, span.start);
    writtenTo = span.end;
    return { ...time, gap, text: text.slice(span.start, span.end), startMs, endMs };
  });
};
