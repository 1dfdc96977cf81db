// The events of a live stream.

export interface LiveWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number;
  /** With `speakers`, in finals: 0, 1, … in the order in which people are first heard. */
  readonly speaker?: number | undefined;
}

/** A speaker who was compared with known voices. */
export interface LiveSpeaker {
  readonly speaker: number;
  /** Null: nobody known. */
  readonly name: string | null;
  readonly isNameSure: boolean;
}

export interface LiveText {
  readonly text: string;
  readonly words: readonly LiveWord[];
  /** The part of the stream that this text covers. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export type LiveEvent =
  | { readonly type: 'speech_started'; readonly atSeconds: number }
  /** A hypothesis for the open utterance; the next interim or final replaces it. */
  | (LiveText & { readonly type: 'interim' })
  /** Its text never changes again. `isEndpoint`: a silence has ended the utterance. */
  | (LiveText & {
      readonly type: 'final';
      readonly isEndpoint: boolean;
      /** Everybody heard so far; empty unless known voices were asked for. */
      readonly speakers: readonly LiveSpeaker[];
    })
  /** The words of the final with this start have other speakers now. Never sent once it is 10 s old. */
  | {
      readonly type: 'speakers_changed';
      readonly startSeconds: number;
      readonly endSeconds: number;
      readonly words: readonly LiveWord[];
    };
