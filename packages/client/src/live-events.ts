// What a live stream tells of while people speak.

export interface LiveWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number;
}

export interface LiveText {
  readonly text: string;
  readonly words: readonly LiveWord[];
  /** The stretch of the stream that this speaks of. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export type LiveEvent =
  | { readonly type: 'speech_started'; readonly atSeconds: number }
  /** A guess for the open utterance; the next interim or final replaces it. */
  | (LiveText & { readonly type: 'interim' })
  /** Never changes again. `isEndpoint`: a silence has ended the utterance. */
  | (LiveText & { readonly type: 'final'; readonly isEndpoint: boolean });
