// The interfaces between a session and its policy.
import type { Clock } from '../../lib/time/clock.ts';
import type { RefineInput } from '../../refine/refiner.ts';
import type { TurnDetector } from '../../speech/turns/turn-detector.ts';
import type { TranscriptionObserver } from '../observer.ts';
import type { Assembled, RecognisedWindow } from '../recognition/assemble.ts';
import type { SampleBuffer } from '../recognition/sample-buffer.ts';
import type { TimeBudget } from '../recognition/time-budget.ts';
import type { WindowRecogniser } from '../recognition/window-recogniser.ts';
import type { WindowTemplate } from '../recognition/window-work.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { RecordingSpeakers } from '../speakers/sessions/recording-speakers.ts';
import type { StreamSpeakers } from '../speakers/sessions/stream-speakers.ts';
import type { RefinementStage } from '../text/refinement-stage.ts';
import type { SessionRedaction } from '../text/session-redaction.ts';
import type { SessionEvent, SessionRequest, SessionSummary } from '../transcriber.ts';

/** The parts of a session that its policy may use. */
export interface SessionContext {
  readonly request: SessionRequest;
  readonly template: WindowTemplate;
  readonly buffer: SampleBuffer;
  readonly scheduler: Scheduler;
  readonly recogniser: WindowRecogniser;
  readonly timeBudget: TimeBudget;
  readonly refinementStage: RefinementStage;
  /** Set only when the caller asked for speakers; which of the two depends on the policy. */
  readonly recordingSpeakers: RecordingSpeakers | undefined;
  readonly streamSpeakers: StreamSpeakers | undefined;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** False when a language model may rewrite all of the text as more is said. */
  readonly isTextStable: boolean;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  /** If absent, turns end only by their timeout. */
  readonly turnDetector: TurnDetector | undefined;
  /** Aborted when the session is over. */
  readonly signal: AbortSignal;
  /** ending: the end marker has arrived. over: done, failed or cancelled. */
  readonly state: 'open' | 'ending' | 'over';
  /** Whether every sample so far has been judged for voice. */
  readonly isCaughtUp: boolean;
  emit(event: SessionEvent): void;
  /** Ends the session with a fault. */
  fail(failure: unknown, outcome?: 'failed' | 'timed_out'): void;
  /** Called when a window was recognised, so that there may be room for more audio. */
  makeRoom(): void;
  assemble(recognised: readonly RecognisedWindow[]): Assembled;
  /** `isOpenEnd`: more speech may follow. */
  refineInput(assembled: Pick<Assembled, 'segments' | 'language'>, isOpenEnd?: boolean): RefineInput;
  readonly redaction: SessionRedaction;
}

export interface SessionPolicy {
  /** Takes the speech probabilities of the next stretch of audio. */
  judged(probabilities: Float32Array): void;
  /** Samples before this one are no longer needed. */
  readonly neededFromSample: number;
  /** Whether any window has been planned. */
  readonly hasWindows: boolean;
  flush(onEnded?: () => void): Promise<void>;
  emitStableText(): void;
  /** Called when the end marker arrives; the last audio may not have been judged yet. */
  ending(spentMs: number): void;
  /** Called when everything has been judged. Emits the last final. */
  conclude(totalSamples: number): Promise<SessionSummary>;
  /** ready: the answer was complete when the end marker arrived. */
  readonly answer: 'ready' | 'worked';
  close(outcome: SessionOutcome): void;
}

export type SessionOutcome = 'done' | 'failed' | 'timed_out' | 'cancelled';
