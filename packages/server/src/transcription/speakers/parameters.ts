// The parameters of diarization. docs/internals/speakers.md explains how they were chosen.

import type { Similarities } from '../../speech/speakers/embeddings/embedding.ts';

/** Average similarity below which two groups are different speakers; voices sound more alike on the telephone. */
export interface Stop {
  readonly wide: number;
  readonly narrow: number;
}

export interface DiarizationParameters {
  /** Maximum that local tracks of the segmentation model add to a similarity. */
  readonly trackBonus: number;
  /** The same, when an atom is assigned to one of the speakers found. */
  readonly trackEvidence: number;
  /** A group with less speech than this share of all speech, or this many seconds, is not a speaker. */
  readonly speakerShareMin: number;
  readonly speakerSecondsMin: number;
  /** Both limits in seconds grow by this much per second of speech, the one for short groups by twice as much. */
  readonly secondsPerSecond: number;
  /** A group with less speech than this is a speaker only if all others are below the threshold by this margin. */
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

/** Maximum weight of an atom in a group's average. */
export const WEIGHT_SECONDS_MAX = 1;

/**
 * Similarities are lower when embeddings are computed from less audio, so the threshold is shifted. Without the
 * segmentation model, pools are shorter; the cheap form and live streams average over one stretch only.
 */
const STOP_SHIFT = { standard: 0, cheap: -0.02, live: -0.05, byVoice: -0.05 } as const;

/** The thresholds of the embedding model, shifted for the way the embeddings are computed. */
export const stopFor = ({ stopWide, stopNarrow }: Similarities, form: keyof typeof STOP_SHIFT): Stop => ({
  wide: stopWide + STOP_SHIFT[form],
  narrow: stopNarrow + STOP_SHIFT[form],
});
