// The interface through which transcription reports to metrics: numbers only, never text.
import type { ModelId } from '@faircopy/contract';

export interface QueueLevel {
  readonly queuedWindows: number;
  readonly queuedAudioSeconds: number;
  /** A live map that changes with the queue. */
  readonly queuedAudioSecondsByTier: ReadonlyMap<ModelId, number>;
  readonly busySlots: number;
  readonly slots: number;
}

export interface WindowReport {
  readonly requestId: string;
  readonly tier: ModelId;
  readonly outcome: 'done' | 'failed' | 'cancelled';
  readonly speculative: boolean;
  readonly waitMs: number;
  readonly runMs: number;
}

export interface StageReport {
  readonly requestId: string;
  readonly stage: 'recognition' | 'refinement';
  readonly mode: 'file' | 'stream';
  readonly outcome: 'done' | 'failed' | 'timed_out' | 'cancelled';
  readonly tookMs: number;
}

export interface SessionReport {
  readonly tier: ModelId;
  readonly mode: 'file' | 'stream';
  readonly outcome: 'done' | 'failed' | 'cancelled';
  /** Whether the whole answer was ready when the end marker arrived. */
  readonly answer: 'ready' | 'worked';
}

export interface TranscriptionObserver {
  queueChanged(level: QueueLevel): void;
  windowEnded(report: WindowReport): void;
  stageEnded(report: StageReport): void;
  sessionOpened(): void;
  sessionEnded(report: SessionReport): void;
  /** Edits were undone because a number would have changed its value. */
  numbersRestored(count: number): void;
  /** A request was refused because no recogniser currently serves its tier. */
  tierAbsent(tier: ModelId): void;
  /** A live stream continues without speakers because the speaker models failed. */
  speakersLost(): void;
}

const nothing = (): void => undefined;
export const silentObserver: TranscriptionObserver = {
  queueChanged: nothing,
  windowEnded: nothing,
  stageEnded: nothing,
  sessionOpened: nothing,
  sessionEnded: nothing,
  numbersRestored: nothing,
  tierAbsent: nothing,
  speakersLost: nothing,
};
