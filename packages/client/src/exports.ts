// What both entry points export.
export type { AudioChunk } from './audio-stream.ts';
export type { AudioFile } from './client.ts';
export { FaircopyError, type FaircopyErrorCode } from './error.ts';
export type { LiveStream } from './live.ts';
export type { LiveEvent, LiveSpeaker, LiveWord } from './live-events.ts';
export type {
  FaircopyOptions,
  LiveStreamOptions,
  StreamOptions,
  TranscribeOptions,
  TurnOptions,
  UploadProgress,
} from './options.ts';
export type { TranscriptionStream } from './stream.ts';
export type { TurnEvent } from './turn-events.ts';
export type { EnrolVoice, Voices } from './voices.ts';
