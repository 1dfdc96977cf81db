// Resamples one channel from any rate to 16 kHz: band-limited, with exact length.
import { SAMPLE_RATE_HZ } from './pcm.ts';
import { hasPolyphase, PolyphaseResampler } from './resampling/polyphase.ts';
import { openSpeexResampler } from './resampling/speex.ts';

export interface Resampler {
  push(samples: Float32Array): Float32Array;
  /** Makes the output as long as the input, to the sample. */
  finish(): Float32Array;
  free(): void;
}

export const openResampler = async (sourceRateHz: number): Promise<Resampler> => {
  if (sourceRateHz === SAMPLE_RATE_HZ) {
    return { push: (samples) => samples, finish: () => new Float32Array(0), free: () => undefined };
  }
  return hasPolyphase(sourceRateHz) ? new PolyphaseResampler(sourceRateHz) : openSpeexResampler(sourceRateHz);
};
