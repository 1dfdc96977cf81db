// What the speech engine reports of its processes, for the log. Never holds audio or text.

/** `exited`: by itself or from outside, such as a crash. The other reasons are ours: the process was killed for them. */
export type ProcessEndReason =
  | 'exited'
  | 'load_failed'
  | 'load_timed_out'
  | 'call_timed_out'
  | 'no_sign_of_life'
  | 'stop_timed_out'
  | 'memory_limit'
  | 'unloaded';

export interface ProcessEnd {
  readonly reason: ProcessEndReason;
  /** Exit code or signal with the end of standard error, or why loading failed. */
  readonly detail?: string;
}

export type SpeechEvent =
  /** A process ended; it is started again. */
  | ({
      readonly type: 'process_ended';
      /** Such as `recogniser 1`. */
      readonly process: string;
      readonly pid?: number;
      /** The request that it worked for. */
      readonly requestId?: string;
    } & ProcessEnd)
  /** A window is recognised a second time, since the first try failed. */
  | { readonly type: 'recognition_retried'; readonly requestId: string; readonly error: string };

export type OnSpeechEvent = (event: SpeechEvent) => void;
