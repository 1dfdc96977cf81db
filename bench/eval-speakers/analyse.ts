// Runs the speaker models on one recording. Without the segmentation model, uses voice activity instead.
import {
  type AnalyserOptions,
  type OpenSpeakerModels,
  SpeakerAnalyser,
  type SpeakerAnalysis,
} from '@faircopy/server/speakers';

/** Audio is pushed in pieces, as it arrives from a decoder or a socket. */
const PIECE_SAMPLES = 16_000 * 5;

export const analyseRecording = async (
  samples: Float32Array,
  models: OpenSpeakerModels,
  options: AnalyserOptions,
): Promise<SpeakerAnalysis> => {
  const analyser = new SpeakerAnalyser(models.features, options);
  if (!models.features.hasSegmentation) {
    for (const { startSeconds, endSeconds } of await models.speechIn(samples)) {
      analyser.addSpeech(startSeconds, endSeconds);
    }
  }
  for (let start = 0; start < samples.length; start += PIECE_SAMPLES) {
    await analyser.push(samples.subarray(start, start + PIECE_SAMPLES));
  }
  return analyser.end();
};
