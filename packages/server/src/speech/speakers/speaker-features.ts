// The port for speaker features, and the models behind it. Calls keep no state: any process or worker may answer them.
import { type BandEnergy, bandEnergy } from './bandwidth.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import type { SpeakerEmbedding } from './embeddings/embedding.ts';
import { loadFbankModel } from './embeddings/fbank-model.ts';
import type { FrameSpans } from './pooling.ts';
import { loadSegmentationModel } from './segmentation-model.ts';

export interface SpeakerFeatures {
  /** What `embed` runs. */
  readonly embedding: SpeakerEmbedding;
  /** False where the segmentation model is missing; `segment` must then not be called. */
  readonly hasSegmentation: boolean;
  /**
   * Which of up to three local speakers talk, in windows of 10 s that start at the given samples. One byte per frame:
   * a bit per local speaker. Local speakers of different windows have nothing to do with each other.
   */
  segment(samples: Float32Array, starts: readonly number[]): Promise<Uint8Array[]>;
  /** One embedding per region of a stretch, of length one; null for a region without frames. */
  embed(stretch: Float32Array, regions: readonly FrameSpans[]): Promise<EmbeddedStretch>;
}

/** Opens speaker features; their models load with the first use. */
export interface SpeakerSource {
  readonly embedding: SpeakerEmbedding;
  /** Calls of one owner take turns with those of others. Rejects with RecogniserUnavailable. */
  open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures>;
}

export interface EmbeddedStretch {
  readonly embeddings: readonly (Float32Array | null)[];
  readonly band: BandEnergy;
}

/** What the process that runs the models needs to know. */
export interface SpeakerModels {
  readonly embedding: SpeakerEmbedding;
  readonly embeddingFolder: string;
  /** Left out where the model cannot be had. */
  readonly segmentationFolder?: string | undefined;
}

export interface LoadedSpeakerModels extends SpeakerFeatures {
  /** `checkpoint` runs between model calls and may throw to give up. */
  segment(samples: Float32Array, starts: readonly number[], checkpoint?: () => void): Promise<Uint8Array[]>;
  embed(stretch: Float32Array, regions: readonly FrameSpans[], checkpoint?: () => void): Promise<EmbeddedStretch>;
  close(): Promise<void>;
}

export const loadSpeakerModels = async (
  { embedding, embeddingFolder, segmentationFolder }: SpeakerModels,
  threads = 1,
): Promise<LoadedSpeakerModels> => {
  const embedder = embedding.fbank
    ? await loadFbankModel(embeddingFolder, embedding.fbank, threads)
    : await loadEmbeddingModel(embeddingFolder, threads);
  const segmentation =
    segmentationFolder === undefined ? null : await loadSegmentationModel(segmentationFolder, threads);
  return {
    embedding,
    hasSegmentation: segmentation !== null,
    async segment(samples, starts, checkpoint = () => {}) {
      if (!segmentation) throw new Error('The speaker segmentation model is not loaded.');
      return segmentation.run(samples, starts, checkpoint);
    },
    async embed(stretch, regions, checkpoint) {
      return { embeddings: await embedder.run(stretch, regions, checkpoint), band: bandEnergy(stretch) };
    },
    async close() {
      await embedder.close();
      await segmentation?.close();
    },
  };
};
