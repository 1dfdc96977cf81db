// What is submitted to the scheduler, and the handle on it.
import type { ModelId } from '@faircopy/contract';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';

/**
 * background: nobody waits now, so only while a slot would be idle. speculative: the same, for an answer that may be
 * wanted soon. steady: audio still arrives. final: somebody waits for the answer.
 */
export type Urgency = 'background' | 'speculative' | 'steady' | 'final';

/** Firm work is done in turn; other work has what is left of the slots, and yields to it. */
export const isFirm = (urgency: Urgency): boolean => urgency === 'steady' || urgency === 'final';

export interface Task {
  readonly accountId: string;
  readonly requestId: string;
  readonly urgency: Urgency;
  /** Called when a slot is free, so that the job can use the results of earlier windows. */
  readonly job: () => SpeechWindow;
  /** Called with the result before the next job is begun. */
  readonly onResult?: (recognition: Recognition) => void;
  /** Whether the text before it is known, which improves recognition: such a task goes before others of its request. */
  readonly hasContext?: () => boolean;
  /** Where it stands in its request, such as its first sample; earlier ones go first. */
  readonly position?: number;
  readonly tier: ModelId;
  readonly audioSamples: number;
}

/** A handle on submitted work. */
export interface Ticket {
  /** Rejects with the recogniser's failure, with a Fault when the queue is full, with Cancelled after `cancel`. */
  readonly result: Promise<Recognition>;
  setUrgency(urgency: Urgency): void;
  /** Leaves the queue, or stops the recogniser. Safe at any time. */
  cancel(): void;
}

/** Work that nobody wants any more. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
