// What both entries export.
export type { AudioFile } from './client.ts';
export { FaircopyError, type FaircopyErrorCode } from './error.ts';
export type { FaircopyOptions, StreamOptions, TranscribeOptions, UploadProgress } from './options.ts';
export type { AudioChunk, TranscriptionStream } from './stream.ts';
