// Finds voiced spans from speech probabilities, in place of the segmentation model.
import { SAMPLE_RATE_HZ } from '../../../lib/sample-rate.ts';
import { VOICE_FRAME_SAMPLES, type VoiceProbe } from '../../../speech/recogniser.ts';

export interface VoicedSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const SECONDS_PER_FRAME = VOICE_FRAME_SAMPLES / SAMPLE_RATE_HZ;
const VOICED_MIN = 0.5;
/** Shorter pauses belong to the speech around them. */
const PAUSE_SECONDS_MIN = 0.2;
const SPAN_SECONDS_MIN = 0.1;

/** Tight spans: unlike the windows for recognition, they have no padding. */
export class VoicedSpans {
  #frames = 0;
  #open: { startSeconds: number; endSeconds: number } | undefined;

  /** Returns spans that are new or longer since the last call; a span that is still open may be returned again. */
  push(probabilities: ArrayLike<number>): VoicedSpan[] {
    const spans: VoicedSpan[] = [];
    for (let index = 0; index < probabilities.length; index++) {
      const startSeconds = this.#frames++ * SECONDS_PER_FRAME;
      if (probabilities[index]! <= VOICED_MIN) continue;
      const endSeconds = startSeconds + SECONDS_PER_FRAME;
      if (this.#open && startSeconds - this.#open.endSeconds < PAUSE_SECONDS_MIN) this.#open.endSeconds = endSeconds;
      else {
        if (this.#open) spans.push(this.#open);
        this.#open = { startSeconds, endSeconds };
      }
    }
    if (this.#open) spans.push({ ...this.#open });
    return spans.filter((span) => span.endSeconds - span.startSeconds >= SPAN_SECONDS_MIN);
  }
}

/** The voiced spans of a whole recording. Closes the probe. */
export const voicedSpans = async (samples: Float32Array, probe: VoiceProbe): Promise<VoicedSpan[]> => {
  try {
    return new VoicedSpans().push([...(await probe.push(samples)), ...(await probe.flush())]);
  } finally {
    probe.close();
  }
};
