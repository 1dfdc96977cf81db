// What a gateway reports about the windows it sends to workers.

export type LossReason =
  | 'silent'
  | 'not_listed'
  | 'not_received'
  | 'disconnected'
  | 'refused'
  | 'unavailable'
  | 'invalid_answer';

export interface GatewayObserver {
  /** A window was answered by the named worker, `tookMs` after it was sent. */
  windowDone(worker: string, tookMs: number): void;
  /** A window is put back into the queue. */
  windowLost(reason: LossReason): void;
}
