// The port for speaker features, and the models behind it. Calls keep no state: any process or worker may answer them.
import { type BandEnergy, bandEnergy } from './bandwidth.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import type { FrameSpans } from './pooling.ts';
import { loadSegmentationModel } from './segmentation-model.ts';

export interface SpeakerFeatures {
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
  /** Calls of one owner take turns with those of others. Rejects with RecogniserUnavailable. */
  open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures>;
}

export interface EmbeddedStretch {
  readonly embeddings: readonly (Float32Array | null)[];
  readonly band: BandEnergy;
}

export interface SpeakerModelFolders {
  readonly embedding: string;
  /** Left out where the model cannot be had. */
  readonly segmentation?: string | undefined;
}

export interface LoadedSpeakerModels extends SpeakerFeatures {
  /** `checkpoint` runs between model calls and may throw to give up. */
  segment(samples: Float32Array, starts: readonly number[], checkpoint?: () => void): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

export const loadSpeakerModels = async (folders: SpeakerModelFolders, threads = 1): Promise<LoadedSpeakerModels> => {
  const embedding = await loadEmbeddingModel(folders.embedding, threads);
  const segmentation =
    folders.segmentation === undefined ? null : await loadSegmentationModel(folders.segmentation, threads);
  return {
    hasSegmentation: segmentation !== null,
    async segment(samples, starts, checkpoint = () => {}) {
      if (!segmentation) throw new Error('The speaker segmentation model is not loaded.');
      return segmentation.run(samples, starts, checkpoint);
    },
    async embed(stretch, regions) {
      return { embeddings: await embedding.run(stretch, regions), band: bandEnergy(stretch) };
    },
    async close() {
      await embedding.close();
      await segmentation?.close();
    },
  };
};
