// The types of a connection's state machine: its states, the events that move it, and the effects to perform.
import type { ErrorCode, SentErrorCode } from '../../lib/fault.ts';

export interface ConnectionSettings {
  readonly firstFrameTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly finalizeTimeoutMs: number;
  /** How long a stream may go on when the server stops. */
  readonly drainTimeoutMs: number;
  readonly maxStreamSeconds: number;
  readonly pingIntervalMs: number;
  readonly sampleRateHz: number;
  readonly channels: number;
  /**
   * For protocols that give text while the stream goes on: a stream that is idle or too long is finished like one that was
   * closed, keep-alives count before the first audio, and what was heard is billed when the client breaks the protocol.
   */
  readonly isLive?: boolean;
  /** Whether everything has been answered: where no message ends a stream, leaving then is a success. */
  readonly isAnswered?: () => boolean;
  /** Seconds of audio, where the number of bytes does not tell. */
  readonly measuredSeconds?: () => number;
}

/** Pings without an answer after which the peer is taken for dead. */
export const MISSED_PINGS_MAX = 2;

export interface Open {
  readonly audioBytes: number;
  /** Held while the recogniser is behind: frames wait unread, so silence from the peer means nothing then. */
  readonly reading: 'flowing' | 'held';
  readonly nextPingAtMs: number;
  readonly pingsUnanswered: number;
  /** When the server is shutting down: the moment by which this stream must have ended. */
  readonly drainByMs: number | null;
}

/** `recording` is the last part of the contract's `finalizing`: the answer is there, its row is being made durable. */
export type ConnectionState =
  | (Open & { readonly name: 'awaiting'; readonly firstFrameByMs: number })
  | (Open & { readonly name: 'streaming'; readonly idleByMs: number })
  | (Open & { readonly name: 'finalizing'; readonly finalizeByMs: number })
  | { readonly name: 'recording' }
  | { readonly name: 'closed' };

export type StateUnderWay = Extract<ConnectionState, Open>;

/** What ends a stream from our side, told to the client as one `error`. */
export interface Failure {
  readonly code: SentErrorCode;
  readonly message: string;
  /** When the table's close code for `code` is not the one. */
  readonly closeCode?: number;
}

export type ConnectionEvent = { readonly atMs: number } & (
  | { readonly type: 'audio'; readonly bytes: number }
  | { readonly type: 'keep_alive' }
  | { readonly type: 'close_stream' }
  /** More audio is queued than may be, or room again. */
  | { readonly type: 'full' }
  | { readonly type: 'room' }
  | { readonly type: 'transcribed'; readonly audioSeconds: number }
  | { readonly type: 'recorded' }
  /** The ledger did not take the row of a success. */
  | { readonly type: 'unrecorded'; readonly failure: Failure }
  /** Bad input, a fault of a stage, a flood: whatever else ends in an `error`. */
  | { readonly type: 'failed'; readonly failure: Failure }
  /** A ping or a pong of the peer. */
  | { readonly type: 'alive' }
  | { readonly type: 'left' }
  | { readonly type: 'drain' }
  | { readonly type: 'tick' }
);

export type Effect =
  /** Hand the audio of this event to the transcription. */
  | { readonly type: 'transcribe_audio' }
  /** No more audio. `reason`: why, when the client has not said so itself. */
  | { readonly type: 'finish'; readonly reason?: string }
  | { readonly type: 'cancel' }
  | {
      readonly type: 'record';
      readonly status: 'success' | ErrorCode;
      readonly audioSeconds: number;
      readonly billedSeconds: number;
    }
  | { readonly type: 'send_result' }
  | { readonly type: 'send_error'; readonly code: SentErrorCode; readonly message: string }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }
  /** Break the connection off: the peer does not answer. */
  | { readonly type: 'drop' }
  | { readonly type: 'ping' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'release_slot' };

export interface Step {
  readonly state: ConnectionState;
  readonly effects: readonly Effect[];
}

export const isUnderWay = (state: ConnectionState): state is StateUnderWay =>
  state.name !== 'recording' && state.name !== 'closed';

/** Seconds of whole sample frames; a spare byte is no audio. */
export const audioSecondsOf = (state: ConnectionState, settings: ConnectionSettings): number =>
  isUnderWay(state)
    ? (settings.measuredSeconds?.() ?? Math.floor(state.audioBytes / (2 * settings.channels)) / settings.sampleRateHz)
    : 0;
