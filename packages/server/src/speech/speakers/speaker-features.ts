// The speaker feature interface and the models behind it. Calls are stateless: any process or worker may answer them.
import { type BandEnergy, bandEnergy } from './bandwidth.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import type { SpeakerEmbedding } from './embeddings/embedding.ts';
import { loadFbankModel } from './embeddings/fbank-model.ts';
import type { FrameSpans } from './pooling.ts';
import { loadSegmentationModel } from './segmentation-model.ts';

export interface SpeakerFeatures {
  /** The model that `embed` runs. */
  readonly embedding: SpeakerEmbedding;
  /** False without the segmentation model; `segment` must not be called then. */
  readonly hasSegmentation: boolean;
  /**
   * Which of up to three local speakers talk, in windows of 10 s that start at the given samples. One byte per frame:
   * a bit per local speaker. Local speakers of different windows are unrelated.
   */
  segment(samples: Float32Array, starts: readonly number[]): Promise<Uint8Array[]>;
  /** One embedding per region of a stretch, of length one; null for a region without frames. */
  embed(stretch: Float32Array, regions: readonly FrameSpans[]): Promise<EmbeddedStretch>;
}

/** Opens speaker features; the models are loaded on first use. */
export interface SpeakerSource {
  readonly embedding: SpeakerEmbedding;
  /** Owners take turns. Rejects with RecogniserUnavailable. */
  open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures>;
}

export interface EmbeddedStretch {
  readonly embeddings: readonly (Float32Array | null)[];
  readonly band: BandEnergy;
}

/** Init options of the speaker process. */
export interface SpeakerModels {
  readonly embedding: SpeakerEmbedding;
  readonly embeddingFolder: string;
  /** Absent if the model is not available. */
  readonly segmentationFolder?: string | undefined;
}

interface LoadedSpeakerModels extends SpeakerFeatures {
  /** `checkpoint` runs between model calls and may throw to stop the work. */
  segment(samples: Float32Array, starts: readonly number[], checkpoint?: () => void): Promise<Uint8Array[]>;
  embed(stretch: Float32Array, regions: readonly FrameSpans[], checkpoint?: () => void): Promise<EmbeddedStretch>;
  close(): Promise<void>;
}

export const loadSpeakerModels = async ({
  embedding,
  embeddingFolder,
  segmentationFolder,
}: SpeakerModels): Promise<LoadedSpeakerModels> => {
  const embedder = embedding.fbank
    ? await loadFbankModel(embeddingFolder, embedding.fbank)
    : await loadEmbeddingModel(embeddingFolder);
  const segmentation = segmentationFolder === undefined ? null : await loadSegmentationModel(segmentationFolder);
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
