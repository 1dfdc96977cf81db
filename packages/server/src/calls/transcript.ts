// The part of transcription that endpoints use: events, finals, and a collector for those that only need the result.

export { REQUEST_VOICES, RequestVoices, type VoiceClip } from '../transcription/known-voices/request-voices.ts';
export type {
  ChangedSpeakers,
  Final,
  Interim,
  SessionEvent,
  SessionSummary,
  Transcript,
  TranscriptText,
  Turn,
  TurnStep,
  TurnThresholds,
} from '../transcription/transcriber.ts';
export { EMPTY_TEXT, TranscriptCollector } from '../transcription/transcript-collector.ts';
