// Formats an answer of the server: text, subtitles or JSON.
import type { Include, SuccessResponse } from '@faircopy/contract';
import { speakerLabel, srtOf, subtitles, vttOf, type WrittenWord, writtenWords } from '@faircopy/transcript';

export const TRANSCRIPT_FORMATS = ['txt', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** What to request besides the transcript. */
export const includesFor = (format: TranscriptFormat): readonly Include[] =>
  format === 'srt' || format === 'vtt' ? ['words', 'segments', 'raw', 'edits'] : [];

interface Part {
  readonly text: string;
  readonly start_seconds: number;
  readonly end_seconds: number;
  readonly confidence: number;
  readonly speaker?: number | null | undefined;
}

const timed = (part: Part) => ({
  text: part.text,
  startMs: part.start_seconds * 1000,
  endMs: part.end_seconds * 1000,
  confidence: part.confidence,
  ...(typeof part.speaker === 'number' && { speaker: { speaker: part.speaker, confidence: 1 } }),
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

/** The name of each speaker; undefined when speakers were not requested. */
const namesOf = ({ detail }: SuccessResponse): ((speaker: number) => string) | undefined => {
  const { speakers } = detail ?? {};
  if (!speakers) return undefined;
  const named = new Map(
    speakers.map(({ speaker, name, is_name_sure: isNameSure }) => [speaker, { speaker, name, isNameSure }]),
  );
  return (speaker) => speakerLabel(named.get(speaker) ?? { speaker, name: null, isNameSure: false });
};

/** One paragraph per turn, with the name of its speaker. */
const textOf = (answer: SuccessResponse): string => {
  const nameOf = namesOf(answer);
  const { paragraphs } = answer.detail ?? {};
  if (!nameOf || !paragraphs || paragraphs.length === 0) return `${answer.result.transcript}\n`;
  const lines = paragraphs.map(({ text, speaker }) =>
    typeof speaker === 'number' ? `${nameOf(speaker)}: ${text}` : text,
  );
  return `${lines.join('\n\n')}\n`;
};

/** Whether the answer has what the format needs: a job may have been created without word times. */
export const canFormat = ({ result, detail }: SuccessResponse, format: TranscriptFormat): boolean =>
  includesFor(format).length === 0 || detail?.words !== undefined || result.transcript === '';

export const formatAnswer = (answer: SuccessResponse, format: TranscriptFormat): string => {
  switch (format) {
    case 'txt':
      return textOf(answer);
    case 'srt':
      return srtOf(subtitles(wordsOf(answer)), namesOf(answer));
    case 'vtt':
      return vttOf(subtitles(wordsOf(answer)), namesOf(answer));
    case 'json':
      return `${JSON.stringify(answer, null, 2)}\n`;
  }
};
