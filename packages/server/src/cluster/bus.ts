// The port to the message bus: at most once, in order, nothing kept. NATS fulfils it.

export interface BusListener {
  /** Connected for the first time, or again: what was sent meanwhile is lost. */
  onConnected(): void;
  onDisconnected(): void;
}

export interface Bus {
  readonly isConnected: boolean;
  /** Dropped while there is no connection: whatever matters is said again with the next beat. */
  publish(subject: string, bytes: Uint8Array): void;
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void;
  listen(listener: BusListener): void;
  close(): Promise<void>;
}
