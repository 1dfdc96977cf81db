// Types of diarization: windows of local activity, atoms of speech, and the resulting turns.

/** One run of the segmentation model on the grid of the recording. Each byte has a bit per local speaker. */
export interface ActivityWindow {
  readonly firstFrame: number;
  readonly bits: Uint8Array;
}

/** Frames of the recording, up to and without `toFrame`. */
export interface FrameRange {
  readonly fromFrame: number;
  readonly toFrame: number;
}

/** A short piece of speech by one person, according to the segmentation. */
export interface Atom extends FrameRange {
  /** Frames that its embedding is pooled from, as pairs. They may reach beyond the atom. */
  readonly spans: Int32Array;
  readonly pooledSeconds: number;
}

export interface EmbeddedAtom extends Atom {
  /** Unit length. */
  readonly embedding: Float32Array;
}

export interface SpeakerTurn {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** 0, 1, … in the order in which the speakers are first heard. */
  readonly speaker: number;
}

/** The number of speakers, as far as the caller knows it. `count` overrides the limits. */
export interface SpeakerCount {
  readonly count?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Speech of one speaker, with the confidence of that label (0.5 to 1). */
export interface SpokenSpan extends SpeakerTurn {
  readonly confidence: number;
}

export interface DiarizedSpeaker {
  readonly speaker: number;
  /** Mean of the embeddings of this speaker's atoms, scaled to unit length. */
  readonly embedding: Float32Array;
  readonly seconds: number;
}
