// The parameters of diarization. docs/internals/speakers.md says how they were chosen.

export interface DiarizationParameters {
  /** Average similarity below which two groups are different speakers; voices sound more alike on the telephone. */
  readonly stopWide: number;
  readonly stopNarrow: number;
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
  stopWide: 0.26,
  stopNarrow: 0.3,
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
export const STOP_SHIFT = { standard: 0, cheap: -0.02, live: -0.05, byVoice: -0.05 } as const;
