// A transcript as Deepgram's `alternative`: the text and its words with times.
import { lineOf, type WrittenWord } from '@faircopy/transcript';
import { roundedProbability, secondsOf } from '../../lib/rounding.ts';
import type { TextForm } from './parameters.ts';
import { bareWord, type Recognised, searchWords, shownWords } from './word-filters.ts';

export interface DeepgramWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly punctuated_word: string;
  /** Only with `diarize`. Live results have no speaker confidence. */
  readonly speaker?: number;
  readonly speaker_confidence?: number;
}

export interface Alternative {
  readonly transcript: string;
  readonly confidence: number;
  readonly words: readonly DeepgramWord[];
}

export const deepgramWord = ({
  text,
  startMs,
  endMs,
  confidence,
  speaker,
}: Omit<WrittenWord, 'gap'>): DeepgramWord => ({
  word: bareWord(text),
  start: secondsOf(startMs),
  end: secondsOf(endMs),
  confidence: roundedProbability(confidence),
  punctuated_word: text,
  ...(speaker && { speaker: speaker.speaker, speaker_confidence: roundedProbability(speaker.confidence) }),
});

/** Deepgram's live results have no confidence for speakers. */
export const liveWord = ({ speaker_confidence: _, ...word }: DeepgramWord): DeepgramWord => word;

export const meanConfidence = (words: readonly { readonly confidence: number }[]): number =>
  words.length === 0
    ? 0
    : roundedProbability(words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length);

export const alternativeOf = (words: readonly WrittenWord[]): Alternative => ({
  transcript: lineOf(words),
  confidence: meanConfidence(words),
  words: words.map(deepgramWord),
});

/** The answer to `search`: where each query was said, regardless of `replace`. */
export const searchResults = (
  recognised: Recognised,
  { text, searches }: { readonly text: TextForm; readonly searches: readonly string[] },
) => {
  if (searches.length === 0) return {};
  const words = shownWords(recognised, { text, replacements: [] });
  return {
    search: searchWords(words, searches).map((places, at) => ({
      query: searches[at]!,
      hits: places.map((said) => ({
        confidence: meanConfidence(said),
        start: secondsOf(said[0]!.startMs),
        end: secondsOf(said.at(-1)!.endMs),
        snippet: lineOf(said),
      })),
    })),
  };
};
