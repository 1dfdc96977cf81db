// Voiced spans from speech probabilities: the stand-in for the segmentation model.

export interface VoicedSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const VOICED_MIN = 0.5;
/** Shorter pauses belong to the speech around them. */
const PAUSE_SECONDS_MIN = 0.2;
const SPAN_SECONDS_MIN = 0.1;

/** Tight spans: unlike the windows for recognition, they have no padding. */
export class VoicedSpans {
  readonly #secondsPerFrame: number;
  #frames = 0;
  #open: { startSeconds: number; endSeconds: number } | undefined;

  constructor(secondsPerFrame: number) {
    this.#secondsPerFrame = secondsPerFrame;
  }

  /** Spans that are new or longer since the last call; a span that is still open may come again. */
  push(probabilities: ArrayLike<number>): VoicedSpan[] {
    const spans: VoicedSpan[] = [];
    for (let index = 0; index < probabilities.length; index++) {
      const startSeconds = this.#frames++ * this.#secondsPerFrame;
      if (probabilities[index]! <= VOICED_MIN) continue;
      const endSeconds = startSeconds + this.#secondsPerFrame;
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

export const voicedSpans = (probabilities: ArrayLike<number>, secondsPerFrame: number): VoicedSpan[] =>
  new VoicedSpans(secondsPerFrame).push(probabilities);
