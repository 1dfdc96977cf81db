// The speaker embedding model, with its facts from the catalogue.
import type { Catalogue, EmbeddingFacts } from '../../store/catalogue.ts';
import { SPEAKER_WEIGHTS } from '../families.ts';

export type Similarities = EmbeddingFacts['similarities'];

export interface SpeakerEmbedding extends EmbeddingFacts {
  /** Catalogue id. Voice prints contain it, because prints of different models cannot be compared. */
  readonly id: string;
}

/** All models that can be chosen, the default first. */
export const speakerEmbeddings = (catalogue: Catalogue): readonly SpeakerEmbedding[] =>
  catalogue
    .flatMap(({ id, embedding }) => (embedding ? [{ id, ...embedding }] : []))
    .sort((a, b) => Number(b.id === SPEAKER_WEIGHTS.embedding) - Number(a.id === SPEAKER_WEIGHTS.embedding));

/** Whether the audio around a region changes its embedding. Filter bank models see only the region. */
export const seesStretch = ({ fbank }: SpeakerEmbedding): boolean => fbank === undefined;
