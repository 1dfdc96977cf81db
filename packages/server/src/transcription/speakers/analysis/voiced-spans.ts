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
export const voicedSpans = (probabilities: ArrayLike<number>, secondsPerFrame: number): VoicedSpan[] => {
  const spans: { startSeconds: number; endSeconds: number }[] = [];
  for (let frame = 0; frame < probabilities.length; frame++) {
    if (probabilities[frame]! <= VOICED_MIN) continue;
    const startSeconds = frame * secondsPerFrame;
    const endSeconds = startSeconds + secondsPerFrame;
    const last = spans.at(-1);
    if (last && startSeconds - last.endSeconds < PAUSE_SECONDS_MIN) last.endSeconds = endSeconds;
    else spans.push({ startSeconds, endSeconds });
  }
  return spans.filter((span) => span.endSeconds - span.startSeconds >= SPAN_SECONDS_MIN);
};
