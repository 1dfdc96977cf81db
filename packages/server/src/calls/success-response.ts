// Renders a transcript as the contract's success object, for both native endpoints.

import { billedSeconds, type Detail, type Include, type SuccessResponse } from '@faircopy/contract';
import { paragraphs, writtenWords } from '@faircopy/transcript';
import type { Transcript, TranscriptSpeakers } from '../transcription/transcriber.ts';
import type { TranscribedAudio } from './files/upload.ts';

export interface ResponseFacts {
  readonly requestId: string;
  readonly include: ReadonlySet<Include>;
}

const seconds = (ms: number): number => Math.round(ms) / 1000;
/** Microseconds: finer than billing's tolerance, so that shown and billed seconds agree. */
const exact = (audioSeconds: number): number => Math.round(audioSeconds * 1e6) / 1e6;

const rounded = (confidence: number): number => Math.round(confidence * 1e4) / 1e4;

const detailOf = (transcript: Transcript, include: ReadonlySet<Include>): Detail => ({
  ...(transcript.effort && { effort: transcript.effort }),
  ...(include.has('segments') && {
    segments: transcript.segments.map((segment) => ({
      text: segment.text,
      start_seconds: seconds(segment.startMs),
      end_seconds: seconds(segment.endMs),
      language: segment.language,
      confidence: segment.confidence,
      ...(segment.speaker !== undefined && { speaker: segment.speaker?.speaker ?? null }),
    })),
  }),
  ...(include.has('words') && {
    words: transcript.words.map((word) => ({
      text: word.text,
      start_seconds: seconds(word.startMs),
      end_seconds: seconds(word.endMs),
      confidence: word.confidence,
      ...(word.speaker !== undefined && { speaker: word.speaker?.speaker ?? null }),
      ...(word.speaker && { speaker_confidence: rounded(word.speaker.confidence) }),
    })),
  }),
  ...(include.has('raw') && { raw: transcript.rawText }),
  ...(include.has('edits') && {
    edits: transcript.edits.map((edit) => ({
      pass: edit.pass,
      reason: edit.reason,
      before: edit.before,
      after: edit.after,
      raw_start: edit.rawStart,
      raw_end: edit.rawEnd,
    })),
  }),
  ...(include.has('terms') && {
    terms: (transcript.terms ?? []).map((term) => ({
      term: term.text,
      instead: term.instead,
      raw_start: term.start,
      raw_end: term.end,
    })),
  }),
  ...(transcript.speakers && speakersOf(transcript, transcript.speakers)),
});

const speakersOf = (transcript: Transcript, { speakers }: TranscriptSpeakers): Detail => ({
  speakers: speakers.map((one) => ({
    speaker: one.speaker,
    name: one.name,
    is_name_sure: one.isNameSure,
    seconds: seconds(1000 * one.seconds),
  })),
  paragraphs: paragraphs(writtenWords(transcript)).map((paragraph) => ({
    text: paragraph.text,
    start_seconds: seconds(paragraph.startMs),
    end_seconds: seconds(paragraph.endMs),
    speaker: paragraph.speaker,
  })),
});

export const successBody = (
  { transcript, audioSeconds, channels = 1 }: TranscribedAudio,
  { requestId, include }: ResponseFacts,
): SuccessResponse => ({
  status: 'success',
  result: {
    transcript: transcript.text,
    detected_language: transcript.detectedLanguage,
    duration_seconds: exact(audioSeconds),
  },
  usage: {
    billed_audio_seconds: billedSeconds(audioSeconds * channels),
    output_token_count: transcript.outputTokenCount,
  },
  request_id: requestId,
  ...((include.size > 0 || transcript.speakers || transcript.effort) && { detail: detailOf(transcript, include) }),
});
