// Combines overlapping windows: how many people speak in each frame, and where the speaker changes.
import { WINDOW_FRAMES } from '../../../speech/speakers/frames.ts';
import type { ActivityWindow, FrameRange } from '../types.ts';

export interface Consensus {
  readonly fromFrame: number;
  /** Mean number of speakers per frame. */
  readonly speakers: Float32Array;
  /** Share of the windows, per frame, in which its speakers differ from those of the speech before it. */
  readonly change: Float32Array;
}

/** Input for the consensus of a whole recording, which can take a while and is computed on the clustering thread. */
export interface ConsensusSource {
  readonly frames: number;
  /** Null when the windows show who speaks. */
  readonly speech: readonly FrameRange[] | null;
}

/** The middle of a window is more reliable than its ends; no frame has zero weight. */
const WEIGHTS = Float64Array.from(
  { length: WINDOW_FRAMES },
  (_, i) => 0.59 - 0.46 * Math.cos((2 * Math.PI * i) / (WINDOW_FRAMES - 1)),
);

const BIT_COUNT = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

export const consensusOf = (windows: readonly ActivityWindow[], fromFrame: number, toFrame: number): Consensus => {
  const length = Math.max(0, toFrame - fromFrame);
  const weight = new Float64Array(length);
  const speakers = new Float64Array(length);
  const change = new Float64Array(length);
  for (const { firstFrame, bits } of windows) {
    if (firstFrame >= toFrame || firstFrame + bits.length <= fromFrame) continue;
    let before = 0;
    for (let i = 0; i < bits.length; i++) {
      const now = bits[i]!;
      const at = firstFrame + i - fromFrame;
      const isInside = at >= 0 && at < length;
      if (isInside) {
        weight[at]! += WEIGHTS[i]!;
        speakers[at]! += WEIGHTS[i]! * BIT_COUNT[now]!;
      }
      if (now === 0) continue;
      if (isInside && before !== 0 && now !== before) change[at]! += WEIGHTS[i]!;
      before = now;
    }
  }
  const share = (sums: Float64Array) => Float32Array.from(sums, (sum, at) => (weight[at]! > 0 ? sum / weight[at]! : 0));
  return { fromFrame, speakers: share(speakers), change: share(change) };
};

export const consensusFrom = (windows: readonly ActivityWindow[], source: Consensus | ConsensusSource): Consensus => {
  if ('change' in source) return source;
  const { frames, speech } = source;
  return speech === null ? consensusOf(windows, 0, frames) : consensusOfSpeech(speech, 0, frames);
};

/** Consensus from voice activity alone: one speaker in speech, and no evidence of a change. */
export const consensusOfSpeech = (speech: readonly FrameRange[], fromFrame: number, toFrame: number): Consensus => {
  const speakers = new Float32Array(Math.max(0, toFrame - fromFrame));
  for (const span of speech) {
    speakers.fill(1, Math.max(0, span.fromFrame - fromFrame), Math.max(0, span.toFrame - fromFrame));
  }
  return { fromFrame, speakers, change: new Float32Array(speakers.length) };
};
