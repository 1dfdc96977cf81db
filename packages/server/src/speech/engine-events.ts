// Events of the speech engine's processes, for the log. They never contain audio or text.

/**
 * `exited`: the process ended by itself, crashed or was killed from outside. For all other reasons, its supervisor
 * killed it.
 */
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
  /** Exit code or signal and the end of standard error, or why loading failed. */
  readonly detail?: string;
}

export type SpeechEvent =
  /** A process ended and will be restarted. */
  | ({
      readonly type: 'process_ended';
      /** For example `recogniser 1`. */
      readonly process: string;
      readonly pid?: number;
      /** The request it was working for. */
      readonly requestId?: string;
    } & ProcessEnd)
  /** A process works, but not as configured. */
  | { readonly type: 'process_notice'; readonly process: string; readonly text: string }
  /** A window is retried after a failure. */
  | { readonly type: 'recognition_retried'; readonly requestId: string; readonly error: string }
  /** Speakers are found without the segmentation model, which is not available. */
  | { readonly type: 'segmentation_missing'; readonly error: string };

export type OnSpeechEvent = (event: SpeechEvent) => void;
