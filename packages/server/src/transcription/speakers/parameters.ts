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
  /** With a given count, each group that is split off and dropped must raise the mean similarity by this much. */
  readonly droppedGroupCost: number;
}

export const PARAMETERS: DiarizationParameters = {
  stopWide: 0.24,
  stopNarrow: 0.28,
  trackBonus: 0.15,
  trackEvidence: 0.1,
  speakerShareMin: 0.025,
  speakerSecondsMin: 2,
  droppedGroupCost: 0.02,
};

/** Atoms with at least this much pooled speech form the groups; shorter ones only join them. */
export const CORE_SECONDS_MIN = 0.8;

/** Longer atoms count no more than this in a group's average. */
export const WEIGHT_SECONDS_MAX = 1;
