// Names the speakers of one request after voice prints: enrolled by its account or sent with the request.
import type { Similarities, SpeakerEmbedding } from '../../speech/speakers/embeddings/embedding.ts';
import type { FoundVoices, SpeakerName, SpeakerNames } from '../speakers/speaker-names.ts';
import { nameSpeakers, type VoicePrint } from './name-speakers.ts';

/** The embedding model that voice prints are made and compared with. */
export type PrintModel = Pick<SpeakerEmbedding, 'id' | 'similarities'>;

export class KnownVoiceNames implements SpeakerNames {
  readonly #prints: readonly VoicePrint[];
  readonly #similarities: Similarities;
  readonly #seen = new Set<string>();
  #fresh: string[] = [];

  /** All prints must come from the embedding model that the similarities belong to. */
  constructor(prints: readonly VoicePrint[], similarities: Similarities) {
    this.#prints = prints;
    this.#similarities = similarities;
  }

  /** The ids of the voices named for the first time since the last call. */
  takeNamed(): readonly string[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }

  name({ speakers, isNarrowBand }: FoundVoices): (SpeakerName | null)[] {
    const found = nameSpeakers(speakers, this.#prints, { similarities: this.#similarities, isNarrowBand });
    return speakers.map(({ speaker }) => {
      const voice = found.get(speaker);
      if (!voice) return null;
      if (!this.#seen.has(voice.id)) this.#fresh.push(voice.id);
      this.#seen.add(voice.id);
      return { name: voice.name, isSure: voice.isSure };
    });
  }
}
