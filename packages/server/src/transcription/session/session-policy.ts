// What the two policies of a session share: what a session gives them, and what it asks of them.
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

/** What a policy may use of its session. */
export interface SessionContext {
  readonly request: SessionRequest;
  readonly template: WindowTemplate;
  readonly buffer: SampleBuffer;
  readonly scheduler: Scheduler;
  readonly recogniser: WindowRecogniser;
  readonly timeBudget: TimeBudget;
  readonly refinementStage: RefinementStage;
  /** Only where the caller asked who speaks; which one, depends on the policy. */
  readonly recordingSpeakers: RecordingSpeakers | undefined;
  readonly streamSpeakers: StreamSpeakers | undefined;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** False when a language model may rewrite all of the text as more is said. */
  readonly isTextStable: boolean;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  /** Absent: turns end by their timeout only. */
  readonly turnDetector: TurnDetector | undefined;
  /** Aborted when the session is over. */
  readonly signal: AbortSignal;
  /** ending: the end marker came. over: done, failed or cancelled. */
  readonly state: 'open' | 'ending' | 'over';
  /** Whether every sample so far has been judged. */
  readonly isCaughtUp: boolean;
  emit(event: SessionEvent): void;
  /** Ends the session with a fault. */
  fail(failure: unknown, outcome?: 'failed' | 'timed_out'): void;
  /** A window was recognised, so there may be room for more audio. */
  makeRoom(): void;
  assemble(recognised: readonly RecognisedWindow[]): Assembled;
  /** `isOpenEnd`: more may be said. */
  refineInput(assembled: Pick<Assembled, 'pieces' | 'language'>, isOpenEnd?: boolean): RefineInput;
  readonly redaction: SessionRedaction;
}

export interface SessionPolicy {
  /** Takes the speech probabilities of the next stretch of audio. */
  judged(probabilities: Float32Array): void;
  /** Samples before this one are not needed any more. */
  readonly neededFromSample: number;
  /** Whether any window has been planned. */
  readonly hasWindows: boolean;
  flush(): Promise<void>;
  emitStableText(): void;
  /** The end marker came; the last audio may still wait for judgement. */
  ending(spentMs: number): void;
  /** Everything has been judged. Emits the last final. */
  conclude(totalSamples: number): Promise<SessionSummary>;
  /** ready: the answer was there before the end marker came. */
  readonly answer: 'ready' | 'worked';
  close(outcome: SessionOutcome): void;
}

export type SessionOutcome = 'done' | 'failed' | 'timed_out' | 'cancelled';
