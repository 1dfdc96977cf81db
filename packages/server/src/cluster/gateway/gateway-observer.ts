// What a gateway reports about its workers and the windows it sends to them.
import type { WorkerState } from '../messages.ts';

export type LossReason =
  | 'silent'
  | 'not_listed'
  | 'not_received'
  | 'disconnected'
  | 'refused'
  | 'unavailable'
  | 'invalid_answer';

/** joined: its first message. leaving: it drains. lost: it became silent without draining. */
export type WorkerChange = 'joined' | 'leaving' | 'lost';

export interface GatewayObserver {
  /** A window was answered by the named worker, `tookMs` after it was sent. */
  windowDone(worker: string, tookMs: number): void;
  /** A window is put back into the queue. */
  windowLost(reason: LossReason): void;
  workerChanged(worker: WorkerState, change: WorkerChange): void;
}
