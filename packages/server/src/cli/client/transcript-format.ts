// Formats an answer of the server: text, subtitles or JSON.
import type { Include, SuccessResponse } from '@faircopy/contract';
import { srtOf, subtitles, vttOf, type WrittenWord, writtenWords } from '@faircopy/transcript';

export const TRANSCRIPT_FORMATS = ['txt', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** What to request besides the transcript. */
export const includesFor = (format: TranscriptFormat): readonly Include[] =>
  format === 'srt' || format === 'vtt' ? ['words', 'segments', 'raw', 'edits'] : [];

const timed = (part: { text: string; start_seconds: number; end_seconds: number; confidence: number }) => ({
  text: part.text,
  startMs: part.start_seconds * 1000,
  endMs: part.end_seconds * 1000,
  confidence: part.confidence,
});

const wordsOf = ({ result, detail }: SuccessResponse): WrittenWord[] =>
  writtenWords({
    rawText: detail?.raw ?? result.transcript,
    edits: (detail?.edits ?? []).map(({ after, raw_start, raw_end }) => ({
      after,
      rawStart: raw_start,
      rawEnd: raw_end,
    })),
    words: (detail?.words ?? []).map(timed),
    segments: (detail?.segments ?? []).map(timed),
  });

export const formatAnswer = (answer: SuccessResponse, format: TranscriptFormat): string => {
  switch (format) {
    case 'txt':
      return `${answer.result.transcript}\n`;
    case 'srt':
      return srtOf(subtitles(wordsOf(answer)));
    case 'vtt':
      return vttOf(subtitles(wordsOf(answer)));
    case 'json':
      return `${JSON.stringify(answer, null, 2)}\n`;
  }
};
