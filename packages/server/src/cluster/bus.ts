// The port to the message bus: at-most-once, ordered, not persistent. Implemented with NATS.
import type { Codec } from './window-message.ts';

export interface BusListener {
  /** Connected or reconnected; messages sent in the meantime are lost. */
  onConnected(): void;
  onDisconnected(): void;
}

export interface Bus {
  readonly isConnected: boolean;
  /** Encodes and validates messages; the wire format by default. Simulations pass objects through unchanged. */
  readonly codec?: Codec;
  /** Dropped while disconnected: heartbeats repeat everything that matters. */
  publish(subject: string, bytes: Uint8Array): void;
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void;
  listen(listener: BusListener): void;
  close(): Promise<void>;
}
