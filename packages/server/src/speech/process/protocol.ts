// Messages between a supervised process and its parent, and the file descriptor of the stop line.

/** File descriptor of the stop line in the child: a pipe with the ids of calls to stop. It closes with the parent. */
export const STOP_LINE_FD = 4;

export type ToChild =
  | { readonly type: 'init'; readonly options: unknown }
  | { readonly type: 'call'; readonly id: number; readonly payload: unknown };

/** An error passed between processes. */
export interface ChildError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export type FromChild =
  | { readonly type: 'ready'; readonly rssBytes: number }
  | { readonly type: 'load-failed'; readonly error: ChildError }
  /** For the log; never audio or text of a caller. */
  | { readonly type: 'notice'; readonly text: string }
  /** Sent between model calls, at most once a second: the call is slow but not stuck. */
  | { readonly type: 'alive'; readonly id: number }
  | ({ readonly type: 'done'; readonly result: unknown } & CallEnd)
  | ({ readonly type: 'failed'; readonly error: ChildError } & CallEnd);

interface CallEnd {
  readonly id: number;
  readonly rssBytes: number;
  /** Longest time between two polls of `shouldStop`: the longest model run. */
  readonly longestStepMs: number;
}
