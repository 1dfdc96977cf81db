// Entry point `@faircopy/server/audio`: decoding an upload to 16 kHz samples.

export { createUploadDecoding } from '../audio/create-upload-decoding.ts';
export { joinSamples } from '../audio/join-samples.ts';
export type { UploadDecoding } from '../audio/upload-decoding.ts';
