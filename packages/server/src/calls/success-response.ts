// Renders a transcript as the contract's success object, for both native endpoints.
import { billedSeconds, type Detail, type Include, type SuccessResponse } from '@faircopy/contract';
import { paragraphs, writtenWords } from '@faircopy/transcript';
import { exactSeconds, roundedProbability, secondsOf } from '../lib/rounding.ts';
import type { Transcript, TranscriptSpeakers } from '../transcription/transcriber.ts';
import type { TranscribedAudio } from './files/upload.ts';

export interface ResponseFacts {
  readonly requestId: string;
  readonly include: ReadonlySet<Include>;
}

const detailOf = (transcript: Transcript, include: ReadonlySet<Include>): Detail => ({
  ...(transcript.effort && { effort: transcript.effort }),
  ...(include.has('segments') && {
    segments: transcript.segments.map((segment) => ({
      text: segment.text,
      start_seconds: secondsOf(segment.startMs),
      end_seconds: secondsOf(segment.endMs),
      language: segment.language,
      confidence: segment.confidence,
      ...(segment.speaker !== undefined && { speaker: segment.speaker?.speaker ?? null }),
    })),
  }),
  ...(include.has('words') && {
    words: transcript.words.map((word) => ({
      text: word.text,
      start_seconds: secondsOf(word.startMs),
      end_seconds: secondsOf(word.endMs),
      confidence: word.confidence,
      ...(word.speaker !== undefined && { speaker: word.speaker?.speaker ?? null }),
      ...(word.speaker && { speaker_confidence: roundedProbability(word.speaker.confidence) }),
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
    seconds: secondsOf(1000 * one.seconds),
  })),
  paragraphs: paragraphs(writtenWords(transcript)).map((paragraph) => ({
    text: paragraph.text,
    start_seconds: secondsOf(paragraph.startMs),
    end_seconds: secondsOf(paragraph.endMs),
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
    duration_seconds: exactSeconds(audioSeconds),
  },
  usage: {
    billed_audio_seconds: billedSeconds(audioSeconds * channels),
    output_token_count: transcript.outputTokenCount,
  },
  request_id: requestId,
  ...((include.size > 0 || transcript.speakers || transcript.effort) && { detail: detailOf(transcript, include) }),
});
