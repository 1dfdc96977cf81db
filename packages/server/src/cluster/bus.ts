// The port to the message bus: at-most-once, ordered, not persistent. Implemented with NATS.
import type { Codec } from './window-message.ts';

export interface BusListener {
  /** Connected or reconnected: messages sent in the meantime are lost. */
  onConnected(): void;
  onDisconnected(): void;
}

export interface Bus {
  readonly isConnected: boolean;
  /** How messages become bytes, and are checked when they are read. A simulation hands them over as they are. */
  readonly codec?: Codec;
  /** Dropped while disconnected: heartbeats repeat everything that matters. */
  publish(subject: string, bytes: Uint8Array): void;
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void;
  listen(listener: BusListener): void;
  close(): Promise<void>;
}
