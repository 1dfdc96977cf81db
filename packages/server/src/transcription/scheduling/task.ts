// A task for the scheduler, and the ticket that controls it.
import type { ModelId } from '@faircopy/contract';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';

/**
 * background: nobody waits; idle slots only. speculative: idle slots only, for an answer that may be wanted soon.
 * steady: audio still arrives. final: a caller waits for the answer.
 */
export type Urgency = 'background' | 'speculative' | 'steady' | 'final';

/** Firm work is queued fairly. Other work uses idle slots and yields to it. */
export const isFirm = (urgency: Urgency): boolean => urgency === 'steady' || urgency === 'final';

export interface Task {
  readonly accountId: string;
  readonly requestId: string;
  readonly urgency: Urgency;
  /** Called when a slot is free, so that it can use the results of earlier windows. */
  readonly window: () => SpeechWindow;
  /** Called with the result before the next task begins. */
  readonly onResult?: (recognition: Recognition) => void;
  /** Whether the text before it is known, which improves recognition: such tasks precede others of the request. */
  readonly hasContext?: () => boolean;
  /** Its position in the request, such as its first sample; lower positions go first. */
  readonly position?: number;
  readonly tier: ModelId;
  /** Whether it belongs to a live stream, whose work is counted as live load. */
  readonly isLive?: boolean;
  readonly audioSamples: number;
}

export interface Ticket {
  /** Rejects with the recogniser's failure, with a Fault when the queue is full, with Cancelled after `cancel`. */
  readonly result: Promise<Recognition>;
  setUrgency(urgency: Urgency): void;
  /** Removes the task from the queue, or stops its recogniser. Safe at any time. */
  cancel(): void;
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
