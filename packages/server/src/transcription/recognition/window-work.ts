// Types for recognising a session's windows: the request that all windows share, and the work on one window.
import type { SpeechWindow } from '../../speech/recogniser.ts';
import type { Window } from '../planning/window.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Ticket, Urgency } from '../scheduling/task.ts';
import type { RecognisedWindow } from './assemble.ts';
import type { SampleBuffer } from './sample-buffer.ts';

/** The part of a recognition request that is the same for all windows of a session. */
export type WindowTemplate = Omit<
  SpeechWindow,
  'samples' | 'pausePositions' | 'precedingText' | 'language' | 'committedText' | 'draft' | 'isInterim'
>;

export interface WindowRecogniserOptions {
  readonly scheduler: Scheduler;
  readonly buffer: SampleBuffer;
  readonly accountId: string;
  /** Background work stays background, however urgent it is within its session. */
  readonly isBackground?: boolean;
  readonly isLive?: boolean;
  readonly template: WindowTemplate;
  /** Whether there is only time for one reading of the next window. */
  readonly isShortOfTime?: () => boolean;
  /**
   * whole: later windows wait for the first one, which determines their language. utterances: a short window is read
   * together with the speech right before it.
   */
  readonly context: 'whole' | 'utterances';
}

/** A window that is being recognised. */
export interface WindowWork {
  readonly window: Window;
  /** The window, or its parts, once recognised. */
  readonly recognised: readonly RecognisedWindow[] | undefined;
  /** Rejects when recognition fails, or when the work is dropped. */
  readonly result: Promise<readonly RecognisedWindow[]>;
}

export interface Work extends WindowWork {
  readonly draft: string | undefined;
  /** failed: failed while speculative; a commit tries again. dropped: no longer worked on. */
  state: 'speculative' | 'committed' | 'failed' | 'dropped';
  urgency: Urgency;
  readonly tickets: Set<Ticket>;
  /** The committed window before it, until this one is recognised. */
  previous: Work | undefined;
  /** Whether a recogniser has answered once; the window may still be recognised again. */
  answered: boolean;
  recognised: readonly RecognisedWindow[] | undefined;
  result: Promise<readonly RecognisedWindow[]>;
}
