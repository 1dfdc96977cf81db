// Names for the speakers of one request, from the voices that its account has enrolled.
import type { FoundVoices, SpeakerName, SpeakerNames } from '../speakers/speaker-names.ts';
import { nameSpeakers, type VoicePrint } from './name-speakers.ts';

export class KnownVoiceNames implements SpeakerNames {
  readonly #prints: readonly VoicePrint[];
  readonly #named = new Set<string>();

  constructor(prints: readonly VoicePrint[]) {
    this.#prints = prints;
  }

  /** The ids of all voices that were named so far. */
  get named(): readonly string[] {
    return [...this.#named];
  }

  name({ speakers, isNarrowBand }: FoundVoices): (SpeakerName | null)[] {
    const found = nameSpeakers(speakers, this.#prints, { isNarrowBand });
    return speakers.map(({ speaker }) => {
      const voice = found.get(speaker);
      if (!voice) return null;
      this.#named.add(voice.id);
      return { name: voice.name, isSure: voice.certainty === 'sure' };
    });
  }
}
