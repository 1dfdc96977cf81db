// Splits samples into the folded STFT frames of the rewritten Silero graph.
import { VOICE_FRAME_SAMPLES } from '../recogniser.ts';
import { FOLDED_SAMPLES, STFT_FRAME_SAMPLES, STFT_FRAMES_PER_VOICE_FRAME } from './silero-graph.ts';

/** Samples of the previous frame that precede each frame. */
export const CONTEXT_SAMPLES = 64;
const HOP_SAMPLES = 128;
const INPUT_SAMPLES = CONTEXT_SAMPLES + VOICE_FRAME_SAMPLES;
const PADDED_SAMPLES = INPUT_SAMPLES + CONTEXT_SAMPLES;

interface FoldedStftFrames {
  readonly even: Float32Array;
  readonly odd: Float32Array;
}

/** `samples`: context, then whole frames. */
export const foldStftFrames = (samples: Float32Array): FoldedStftFrames => {
  const frames = Math.floor((samples.length - CONTEXT_SAMPLES) / VOICE_FRAME_SAMPLES);
  const even = new Float32Array(frames * STFT_FRAMES_PER_VOICE_FRAME * FOLDED_SAMPLES);
  const odd = new Float32Array(even.length);
  const padded = new Float32Array(PADDED_SAMPLES);
  let to = 0;
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * VOICE_FRAME_SAMPLES;
    padded.set(samples.subarray(start, start + INPUT_SAMPLES));
    // Mirror the end without repeating the last sample.
    for (let step = 0; step < CONTEXT_SAMPLES; step++) {
      padded[INPUT_SAMPLES + step] = padded[INPUT_SAMPLES - 2 - step] as number;
    }
    for (let stftFrame = 0; stftFrame < STFT_FRAMES_PER_VOICE_FRAME; stftFrame++) {
      const left = stftFrame * HOP_SAMPLES;
      const right = left + STFT_FRAME_SAMPLES;
      for (let sample = 1; sample < FOLDED_SAMPLES; sample++) {
        const a = padded[left + sample] as number;
        const b = padded[right - sample] as number;
        even[to] = a + b;
        odd[to++] = a - b;
      }
      even[to++] = padded[left + FOLDED_SAMPLES] as number;
    }
  }
  return { even, odd };
};
