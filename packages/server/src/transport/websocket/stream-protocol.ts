// A protocol spoken over a stream: the contract's own or a vendor's. The connection around it is the same for all.
import type { CallOutcome } from '../../calls/call.ts';
import type { StreamAudioListener } from '../../calls/streams/stream-audio.ts';
import type { StreamCall } from '../../calls/streams/stream-call.ts';
import type { ConnectionEvent, Failure, Progress } from './connection-types.ts';

/** What a protocol may do with its connection. */
export interface ProtocolContext {
  readonly call: StreamCall;
  dispatch(event: ConnectionEvent): void;
  send(message: object): void;
  /** Logs a failure and ends the stream with it. */
  fail(thrown: unknown): void;
}

/** Reports the state of a stream's audio to its connection. */
export const audioListener = (
  { dispatch, fail }: ProtocolContext,
  finished: StreamAudioListener['finished'],
): StreamAudioListener => ({
  full: () => dispatch({ type: 'queue_full' }),
  room: () => dispatch({ type: 'queue_ready' }),
  failed: fail,
  finished,
});

/** A message of the client. Control messages are rate-limited; `command` is for the protocol itself. */
export type ClientMessage<Command> =
  | { readonly kind: 'audio'; readonly audio: Buffer; readonly audioSeconds: number }
  | { readonly kind: 'control'; readonly event: ConnectionEvent; readonly command?: Command };

export interface StreamProtocol<Command = unknown> {
  readonly progress: Progress;
  /** Channels that are transcribed separately: each is billed. Default: 1. */
  readonly billedChannels?: number;
  /** Parses a message and changes nothing: the connection may still ignore it. */
  read(data: Buffer, isBinary: boolean): ClientMessage<Command>;
  perform?(command: Command): void;
  /** Called once, when the connection is open. */
  opened?(): void;
  /** Accepts audio and opens the session with the first of it. Throws when that fails. */
  write(audio: Buffer): void;
  /** No more audio follows; `transcribed` must be dispatched in the end. */
  finish(reason?: string): void;
  cancel(): void;
  /** The transcript for the usage row of a success. */
  transcript(): CallOutcome['transcript'];
  /** The last messages of a success, and of a failure. */
  result(): readonly object[];
  error(failure: Failure): readonly object[];
  /** The close code and reason in the terms of the protocol. */
  closing(code: number, reason: string): { readonly code: number; readonly reason: string };
}
