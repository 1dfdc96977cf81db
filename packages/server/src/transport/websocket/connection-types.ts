// Types of a stream's state machine: its settings, states, events and effects.
import type { ErrorCode, SentErrorCode } from '../../lib/fault.ts';

export interface ConnectionSettings {
  readonly firstFrameTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly finalizeTimeoutMs: number;
  /** How long a stream may take to end once the server is stopping. */
  readonly drainTimeoutMs: number;
  readonly maxStreamSeconds: number;
  readonly pingIntervalMs: number;
  /**
   * An idle or over-long stream is finished as if the client had closed it, and keep-alives extend the first-frame
   * deadline.
   */
  readonly isLive?: boolean;
  /** Text is sent before the stream ends, so a stream that the client ends by an error or its silence is billed. */
  readonly sendsTextEarly?: boolean;
}

/** Unanswered pings after which the peer counts as dead. */
export const MISSED_PINGS_MAX = 2;

/** How far a stream has come. */
export interface Progress {
  /** Audio accepted so far, in seconds. For an audio event this includes its own audio. */
  readonly audioSeconds: number;
  /** Everything received has been answered. Disconnecting then is a success where no message ends the stream. */
  readonly isAnswered: boolean;
}

export interface Open extends Progress {
  /** Paused while recognition is behind. Frames then wait unread, so a silent peer proves nothing. */
  readonly reading: 'flowing' | 'paused';
  readonly nextPingAtMs: number;
  readonly pingsUnanswered: number;
  /** Set when the server is stopping: the deadline for this stream. */
  readonly drainByMs: number | null;
}

/** `recording` is the end of the contract's `finalizing`: the result is ready and its usage row is being written. */
export type ConnectionState =
  | (Open & { readonly name: 'awaiting'; readonly firstFrameByMs: number })
  | (Open & { readonly name: 'streaming'; readonly idleByMs: number })
  | (Open & { readonly name: 'finalizing'; readonly finalizeByMs: number })
  | { readonly name: 'recording' }
  | { readonly name: 'closed' };

export type OpenState = Extract<ConnectionState, Open>;

/** An error that ends the stream, sent to the client as one `error` message. */
export interface Failure {
  readonly code: SentErrorCode;
  readonly message: string;
  /** Overrides the close code that the error table gives for `code`. */
  readonly closeCode?: number;
}

export type ConnectionEvent =
  | { readonly type: 'audio'; readonly audio: Buffer; readonly audioSeconds: number }
  | { readonly type: 'keep_alive' }
  | { readonly type: 'close_stream' }
  /** The audio queue is over its limit, or below it again. */
  | { readonly type: 'queue_full' }
  | { readonly type: 'queue_ready' }
  | { readonly type: 'transcribed'; readonly audioSeconds: number }
  | { readonly type: 'recorded' }
  /** The usage row of a success could not be written. */
  | { readonly type: 'record_failed'; readonly failure: Failure }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The peer sent a ping or a pong. */
  | { readonly type: 'heartbeat' }
  | { readonly type: 'disconnected' }
  /** Too much unsent data is queued, because the peer does not read. */
  | { readonly type: 'unread' }
  | { readonly type: 'drain' }
  | { readonly type: 'tick' };

/** An event with the time at which it happened and the progress at that time. */
export type TimedEvent = ConnectionEvent & Progress & { readonly atMs: number };

export type Effect =
  | { readonly type: 'transcribe_audio'; readonly audio: Buffer }
  /** No more audio follows. `reason` is set when the server, not the client, ended the stream. */
  | { readonly type: 'finish'; readonly reason?: string }
  | { readonly type: 'cancel' }
  | {
      readonly type: 'record';
      readonly status: 'success' | ErrorCode;
      readonly audioSeconds: number;
      readonly isBilled: boolean;
    }
  | { readonly type: 'send_result' }
  | { readonly type: 'send_error'; readonly code: SentErrorCode; readonly message: string }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }
  /** Terminate the connection without a closing handshake. */
  | { readonly type: 'drop' }
  | { readonly type: 'ping' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'release_slot' };

export interface Step {
  readonly state: ConnectionState;
  readonly effects: readonly Effect[];
}

export const isOpen = (state: ConnectionState): state is OpenState =>
  state.name !== 'recording' && state.name !== 'closed';
