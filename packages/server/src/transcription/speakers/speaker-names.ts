// The port that names speakers by their voices; created when the call opens.
import type { DiarizedSpeaker } from './types.ts';

/** The speakers of a recording, or of a stream so far. */
export interface FoundVoices {
  readonly speakers: readonly DiarizedSpeaker[];
  /** Telephone bandwidth: voices sound more alike there, so a match needs more similarity. */
  readonly isNarrowBand: boolean;
}

export interface SpeakerName {
  readonly name: string;
  /** False when the match is near the threshold. */
  readonly isSure: boolean;
}

export interface SpeakerNames {
  /** One entry per voice, in order; null for an unknown one. Must neither block nor keep the voices. */
  name(voices: FoundVoices): readonly (SpeakerName | null)[];
}
