// Names for the speakers of one request, from the voices that its account has enrolled.
import type { FoundVoices, SpeakerName, SpeakerNames } from '../speakers/speaker-names.ts';
import { nameSpeakers, type VoicePrint } from './name-speakers.ts';

export class KnownVoiceNames implements SpeakerNames {
  readonly #prints: readonly VoicePrint[];
  readonly #seen = new Set<string>();
  #fresh: string[] = [];

  constructor(prints: readonly VoicePrint[]) {
    this.#prints = prints;
  }

  /** The ids of the voices that were named for the first time since the last call. */
  takeNamed(): readonly string[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }

  name({ speakers, isNarrowBand }: FoundVoices): (SpeakerName | null)[] {
    const found = nameSpeakers(speakers, this.#prints, { isNarrowBand });
    return speakers.map(({ speaker }) => {
      const voice = found.get(speaker);
      if (!voice) return null;
      if (!this.#seen.has(voice.id)) this.#fresh.push(voice.id);
      this.#seen.add(voice.id);
      return { name: voice.name, isSure: voice.certainty === 'sure' };
    });
  }
}
