// Why an upload is refused, worded for the caller; passed from the worker thread as plain data.

export type RefusalCode = 'AUDIO_FORMAT_UNSUPPORTED' | 'AUDIO_TOO_LONG';

export class Refusal extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, sentence: string) {
    super(sentence);
    this.name = 'Refusal';
    this.code = code;
  }
}

export const unsupported = (sentence: string): Refusal => new Refusal('AUDIO_FORMAT_UNSUPPORTED', sentence);

export const tooLong = (maxDurationSeconds: number): Refusal =>
  new Refusal('AUDIO_TOO_LONG', `The audio is longer than the limit of ${maxDurationSeconds} seconds.`);

/** Not `unsupported`, after which the audio so far is kept, as in a truncated file. */
export const tooManySamples = ({ channels, rateHz }: { readonly channels: number; readonly rateHz: number }): Refusal =>
  new Refusal('AUDIO_TOO_LONG', `A recording this long cannot be decoded with ${channels} channels at ${rateHz} Hz.`);
