// Entry point `@faircopy/server/audio`: decoding an upload to 16 kHz samples.
export type { UploadDecoding } from '../audio/decode.ts';
export { createUploadDecoding } from '../audio/decoding.ts';
export { joinSamples } from '../audio/resample.ts';
