// The parameters of diarization. docs/internals/speakers.md says how they were chosen.

import type { Similarities } from '../../speech/speakers/embeddings/embedding.ts';

/** Average similarity below which two groups are different speakers; voices sound more alike on the telephone. */
export interface Stop {
  readonly wide: number;
  readonly narrow: number;
}

export interface DiarizationParameters {
  /** How much local tracks of the segmentation model add to a similarity, at most. */
  readonly trackBonus: number;
  /** The same when an atom is given to one of the speakers found. */
  readonly trackEvidence: number;
  /** A group with less speech than this share of all speech, or this many seconds, is not a speaker. */
  readonly speakerShareMin: number;
  readonly speakerSecondsMin: number;
  /** Both bounds in seconds rise by this much per second of speech, the one for short groups by twice as much. */
  readonly secondsPerSecond: number;
  /** A group with less speech than this must be less similar than the others by the margin to be a speaker. */
  readonly shortGroupShare: number;
  readonly shortGroupSeconds: number;
  readonly shortGroupMargin: number;
  /** With a given count, each group that is split off and dropped must raise the mean similarity by this much. */
  readonly droppedGroupCost: number;
}

export const PARAMETERS: DiarizationParameters = {
  trackBonus: 0.15,
  trackEvidence: 0.1,
  speakerShareMin: 0.025,
  speakerSecondsMin: 2,
  secondsPerSecond: 0.002,
  shortGroupShare: 0.1,
  shortGroupSeconds: 4,
  shortGroupMargin: 0.08,
  droppedGroupCost: 0.02,
};

/** Atoms with at least this much pooled speech form the groups; shorter ones only join them. */
export const CORE_SECONDS_MIN = 0.8;

/** Longer atoms count no more than this in a group's average. */
export const WEIGHT_SECONDS_MAX = 1;

/**
 * Similarities are lower where embeddings are made of less audio; the threshold moves with them. Without the
 * segmentation model pools are shorter, and the cheap form and live streams average over one stretch only.
 */
const STOP_SHIFT = { standard: 0, cheap: -0.02, live: -0.05, byVoice: -0.05 } as const;

/** From the similarities of the embedding model, by how the embeddings were made. */
export const stopFor = ({ stopWide, stopNarrow }: Similarities, form: keyof typeof STOP_SHIFT): Stop => ({
  wide: stopWide + STOP_SHIFT[form],
  narrow: stopNarrow + STOP_SHIFT[form],
});
