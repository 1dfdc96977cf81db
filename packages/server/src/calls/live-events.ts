// What a live stream tells its endpoint, by the names that endpoints use.
export type {
  LiveFinal,
  LiveInterim,
  LiveListener,
  LiveSummary,
  UtteranceTranscript,
} from '../transcription/live/live-session.ts';
