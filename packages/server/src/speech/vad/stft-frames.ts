// Cuts samples into the folded windows that the rewritten voice graph takes.
import { VOICE_FRAME_SAMPLES } from '../recogniser.ts';
import { FOLDED_SAMPLES, STFT_FRAME_SAMPLES, STFT_FRAMES_PER_VOICE_FRAME } from './silero-graph.ts';

/** Samples of the frame before that the model hears again. */
export const CONTEXT_SAMPLES = 64;
const HOP_SAMPLES = 128;
const HEARD_SAMPLES = CONTEXT_SAMPLES + VOICE_FRAME_SAMPLES;
const PADDED_SAMPLES = HEARD_SAMPLES + CONTEXT_SAMPLES;

export interface FoldedStftFrames {
  readonly even: Float32Array;
  readonly odd: Float32Array;
}

/** `samples` holds the context first, then whole frames. */
export const foldStftFrames = (samples: Float32Array): FoldedStftFrames => {
  const frames = Math.floor((samples.length - CONTEXT_SAMPLES) / VOICE_FRAME_SAMPLES);
  const even = new Float32Array(frames * STFT_FRAMES_PER_VOICE_FRAME * FOLDED_SAMPLES);
  const odd = new Float32Array(even.length);
  const heard = new Float32Array(PADDED_SAMPLES);
  let to = 0;
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * VOICE_FRAME_SAMPLES;
    heard.set(samples.subarray(start, start + HEARD_SAMPLES));
    // The end is mirrored without repeating the last sample.
    for (let step = 0; step < CONTEXT_SAMPLES; step++) {
      heard[HEARD_SAMPLES + step] = heard[HEARD_SAMPLES - 2 - step] as number;
    }
    for (let window = 0; window < STFT_FRAMES_PER_VOICE_FRAME; window++) {
      const left = window * HOP_SAMPLES;
      const right = left + STFT_FRAME_SAMPLES;
      for (let sample = 1; sample < FOLDED_SAMPLES; sample++) {
        const a = heard[left + sample] as number;
        const b = heard[right - sample] as number;
        even[to] = a + b;
        odd[to++] = a - b;
      }
      even[to++] = heard[left + FOLDED_SAMPLES] as number;
    }
  }
  return { even, odd };
};
