// The entry of a voice process that detects speech by loudness.
import { serveCalls } from '../../src/speech/process/serve-calls.ts';
import { VOICE_FRAME_SAMPLES } from '../../src/speech/recogniser.ts';
import { loudness } from '../../src/speech/testing/tones.ts';
import type { VadRequest, VadResult } from '../../src/speech/vad/silero-model.ts';
import { CONTEXT_SAMPLES } from '../../src/speech/vad/stft-frames.ts';

serveCalls(async () => async (request) => {
  const { samples, state } = request as VadRequest;
  const frames = (samples.length - CONTEXT_SAMPLES) / VOICE_FRAME_SAMPLES;
  const probabilities = Float32Array.from({ length: frames }, (_, frame) => {
    const at = CONTEXT_SAMPLES + frame * VOICE_FRAME_SAMPLES;
    return Math.min(0.98, loudness(samples.subarray(at, at + VOICE_FRAME_SAMPLES)) / 0.1);
  });
  return { probabilities, state } satisfies VadResult;
});
