// The events of a live stream.

export interface LiveWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number;
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
  /** Never changes again. `isEndpoint`: a silence has ended the utterance. */
  | (LiveText & { readonly type: 'final'; readonly isEndpoint: boolean });
