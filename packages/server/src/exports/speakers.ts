// Entry point `@faircopy/server/speakers`: who spoke when, in this process, without a server.

import { join } from 'node:path';
import { parseConfig } from '../app/config.ts';
import { chosenEmbedding } from '../speech/cascade/chosen-models.ts';
import { SPEAKER_WEIGHTS } from '../speech/speakers/families.ts';
import { loadSpeakerModels, type SpeakerFeatures } from '../speech/speakers/speaker-features.ts';
import { VAD_WEIGHTS_ID } from '../speech/store/needed.ts';
import { openModelStore } from '../speech/store/open.ts';
import { QueuedVoiceProbe } from '../speech/vad/probe.ts';
import { VAD_STATE_SIZE } from '../speech/vad/silero-graph.ts';
import { loadSileroModel } from '../speech/vad/silero-model.ts';
import { voicedSpans } from '../transcription/speakers/analysis/voiced-spans.ts';

export { type AnalyserOptions, CHEAP, SpeakerAnalyser } from '../transcription/speakers/analysis/analyser.ts';
export { consensusFrom } from '../transcription/speakers/analysis/consensus.ts';
export { LiveAnalyser } from '../transcription/speakers/analysis/live-analyser.ts';
export { type Diarization, diarize, type SpeakerAnalysis } from '../transcription/speakers/diarize.ts';
export { LiveSpeakers } from '../transcription/speakers/live-speakers.ts';
export type { SpeakerTurn } from '../transcription/speakers/types.ts';
export { speakersOfWords } from '../transcription/speakers/words.ts';

export interface OpenSpeakerModels {
  readonly features: SpeakerFeatures;
  /** Voiced spans of a recording, by voice activity detection. */
  speechIn(samples: Float32Array): Promise<readonly { readonly startSeconds: number; readonly endSeconds: number }[]>;
  close(): Promise<void>;
}

/** Loads the models from the local store; never downloads any. */
export const openSpeakerModels = async ({
  withSegmentation = true,
}: {
  readonly withSegmentation?: boolean;
}): Promise<OpenSpeakerModels> => {
  const config = parseConfig(process.env);
  const store = openModelStore(config);
  const embedding = chosenEmbedding(config.modelsDir, store.catalogue);
  const features = await loadSpeakerModels({
    embedding,
    embeddingFolder: store.folderOf(embedding.id),
    segmentationFolder: withSegmentation ? store.folderOf(SPEAKER_WEIGHTS.segmentation) : undefined,
  });
  return {
    features,
    async speechIn(samples) {
      const detect = await loadSileroModel(join(store.folderOf(VAD_WEIGHTS_ID), 'silero_vad_v6.onnx'));
      const probe = new QueuedVoiceProbe(detect, VAD_STATE_SIZE);
      return voicedSpans(samples, probe);
    },
    close: () => features.close(),
  };
};
