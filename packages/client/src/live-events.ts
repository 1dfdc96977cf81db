// The events of a live stream.

export interface LiveWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number;
  /** With `speakers`, in finals: 0, 1, … in the order in which people are first heard. */
  readonly speaker?: number | undefined;
}

/** A speaker that was compared with known voices. */
export interface LiveSpeaker {
  readonly speaker: number;
  /** Null if no known voice matches. */
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
  /** The text of a final never changes. `isEndpoint`: silence ended the utterance. */
  | (LiveText & {
      readonly type: 'final';
      readonly isEndpoint: boolean;
      /** All speakers heard so far; empty unless known voices were requested. */
      readonly speakers: readonly LiveSpeaker[];
    })
  /** Replaces the words of the final with this start, because their speakers changed. Sent within 10 s of the final. */
  | {
      readonly type: 'speakers_changed';
      readonly startSeconds: number;
      readonly endSeconds: number;
      readonly words: readonly LiveWord[];
    };
