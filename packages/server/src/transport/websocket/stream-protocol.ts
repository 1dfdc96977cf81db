// What is said over an open stream: the contract's own protocol, or another service's. The connection is the same for all.
import type { CallOutcome } from '../../calls/call.ts';
import type { StreamCall } from '../../calls/stream-call.ts';
import type { Fault } from '../../lib/fault.ts';
import type { ConnectionEvent, Failure } from './connection-types.ts';

/** An event without its time, which the connection adds. */
export type UntimedEvent = ConnectionEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'atMs'>
    : never
  : never;

/** What a protocol may do with its connection. */
export interface ProtocolContext {
  readonly call: StreamCall;
  dispatch(event: UntimedEvent): void;
  send(message: object): void;
  /** Logs the fault, and makes of it what ends the stream. */
  failure(fault: Fault): Failure;
}

/** A message of the client, understood: the event that it is, with the audio it carries. */
export interface Incoming {
  readonly event: UntimedEvent;
  readonly audio?: Buffer;
}

export interface StreamProtocol {
  /** Whether a message counts as control, of which only so many may come. */
  isControl(data: Buffer, isBinary: boolean): boolean;
  /** Null when the protocol has dealt with the message itself. */
  read(data: Buffer, isBinary: boolean): Incoming | null;
  /** Called once, when the connection is open. */
  opened?(): void;
  /** Takes audio; opens the way of it with the first. Throws when that cannot be opened. */
  write(audio: Buffer): void;
  /** No more audio comes. `transcribed` is to be dispatched in the end. */
  finish(reason?: string): void;
  cancel(): void;
  /** What the usage row of a success holds, besides the seconds. */
  transcript(): CallOutcome['transcript'];
  /** The last messages of a success, and of a failure. */
  result(): readonly object[];
  error(failure: Failure): readonly object[];
  /** The close as the protocol says it. */
  closing(code: number, reason: string): { readonly code: number; readonly reason: string };
}
