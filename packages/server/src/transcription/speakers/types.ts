// What diarization works on: windows of local activity, atoms of speech, and the turns that come out.

/** One run of the segmentation model on the grid of the recording. Each byte has a bit per local speaker. */
export interface ActivityWindow {
  readonly firstFrame: number;
  readonly bits: Uint8Array;
}

/** A short piece of speech by one person, according to the segmentation. Frames are half-open ranges. */
export interface Atom {
  readonly fromFrame: number;
  readonly toFrame: number;
  /** Frames that its embedding is pooled from, as pairs. They may reach beyond the atom, within its segment. */
  readonly spans: Int32Array;
  readonly pooledSeconds: number;
}

export interface EmbeddedAtom extends Atom {
  /** Of length one. */
  readonly embedding: Float32Array;
}

export interface SpeakerTurn {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** 0, 1, … in the order in which the speakers are first heard. */
  readonly speaker: number;
}

/** How many speakers there are, as far as the caller knows. `count` overrides the limits. */
export interface SpeakerCount {
  readonly count?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Speech of one speaker, and how sure that is (0.5 to 1). */
export interface SpokenSpan extends SpeakerTurn {
  readonly confidence: number;
}

export interface DiarizedSpeaker {
  readonly speaker: number;
  /** Mean of the embeddings of this speaker's atoms, of length one. */
  readonly embedding: Float32Array;
  readonly seconds: number;
}
