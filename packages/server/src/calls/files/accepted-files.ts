// Which files an endpoint accepts: those of the contract, or longer ones too.
import type { AudioFormats } from '../../audio/upload-decoding.ts';

export interface AcceptedFiles {
  readonly formats: AudioFormats;
  /** long: the limits for long files apply, and the time-outs of the stages grow with the audio. */
  readonly lengths: 'contract' | 'long';
}

export const EVERY_FILE: AcceptedFiles = { formats: 'all', lengths: 'long' };
