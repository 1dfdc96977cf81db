// What endpoints see of transcription: events, finals, and a collector for those that only want the result.

export type {
  ChangedSpeakers,
  Final,
  Interim,
  SessionEvent,
  SessionSummary,
  Transcript,
  TranscriptText,
} from '../transcription/transcriber.ts';
export { EMPTY_TEXT, TranscriptCollector } from '../transcription/transcript-collector.ts';
