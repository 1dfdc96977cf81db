// Which files an endpoint accepts: those of the contract, or longer ones too.
import type { AudioFormats } from '../../audio/upload-decoding.ts';

export interface AcceptedFiles {
  readonly formats: AudioFormats;
  /** long: the limit of long files holds, and the time-outs of the stages grow with the audio. */
  readonly lengths: 'contract' | 'long';
}

export const EVERY_FILE: AcceptedFiles = { formats: 'all', lengths: 'long' };
