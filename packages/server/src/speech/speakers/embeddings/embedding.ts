// The embedding model that tells voices apart, with what the catalogue says about it.
import type { Catalogue, EmbeddingFacts } from '../../store/catalogue.ts';
import { SPEAKER_WEIGHTS } from '../families.ts';

export type Similarities = EmbeddingFacts['similarities'];

export interface SpeakerEmbedding extends EmbeddingFacts {
  /** In the catalogue. Voice prints carry it: prints of different models cannot be compared. */
  readonly id: string;
}

/** All that can be chosen, the default one first. */
export const speakerEmbeddings = (catalogue: Catalogue): readonly SpeakerEmbedding[] =>
  catalogue
    .flatMap(({ id, embedding }) => (embedding ? [{ id, ...embedding }] : []))
    .sort((a, b) => Number(b.id === SPEAKER_WEIGHTS.embedding) - Number(a.id === SPEAKER_WEIGHTS.embedding));

/** Whether the audio around a region changes its embedding. Models that take filter banks see the region alone. */
export const seesStretch = ({ fbank }: SpeakerEmbedding): boolean => fbank === undefined;
