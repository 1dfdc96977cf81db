// A session: samples go in, voice activity judges them, and the policy turns speech into events.
import type { RedactedKind } from '@faircopy/contract';
import { samplesToSeconds, secondsToSamples } from '../../audio/pcm.ts';
import { Fault } from '../../lib/fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { deferred } from '../../lib/time/deferred.ts';
import type { RefineInput } from '../../refine/refiner.ts';
import { type LanguageGuess, VOICE_FRAME_SAMPLES, type VoiceProbe } from '../../speech/recogniser.ts';
import type { TurnDetector } from '../../speech/turns/turn-detector.ts';
import { normaliseHint } from '../language/hint.ts';
import type { TranscriptionObserver } from '../observer.ts';
import { type Assembled, assemble } from '../recognition/assemble.ts';
import { SampleBuffer } from '../recognition/sample-buffer.ts';
import { TimeBudget } from '../recognition/time-budget.ts';
import { WindowRecogniser } from '../recognition/window-recogniser.ts';
import type { WindowTemplate } from '../recognition/window-work.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { RecordingSpeakers } from '../speakers/sessions/recording-speakers.ts';
import type { Speakers } from '../speakers/sessions/speakers.ts';
import type { StreamSpeakers } from '../speakers/sessions/stream-speakers.ts';
import type { RefinementStage } from '../text/refinement-stage.ts';
import { SessionRedaction } from '../text/session-redaction.ts';
import type { RefineLevel, Session, SessionEvent, SessionListener, SessionRequest } from '../transcriber.ts';
import { Arrivals, voicedFrames } from './arrivals.ts';
import { AudioIntake } from './intake/audio-intake.ts';
import type { WaitingAudio } from './intake/waiting-audio.ts';
import { sessionFault } from './session-fault.ts';
import type { SessionContext, SessionOutcome, SessionPolicy } from './session-policy.ts';
import { liveTemplate, Utterances } from './utterances.ts';
import { WholeRecording } from './whole.ts';

export interface SessionOptions {
  readonly request: SessionRequest;
  readonly listener: SessionListener;
  readonly scheduler: Scheduler;
  readonly probe: VoiceProbe;
  readonly turnDetector?: TurnDetector | undefined;
  readonly isSteered: boolean;
  readonly refinementStage: RefinementStage;
  readonly speakers: Speakers;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  readonly waiting: WaitingAudio;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** False when a language model may rewrite all of the text as more is said. */
  readonly isTextStable: boolean;
  /** Languages of the account's recent recordings; empty when that hint is off. */
  readonly recentLanguages: readonly LanguageGuess[];
  /** Called with the language of the recording once it is known. */
  readonly onLanguage: (language: string) => void;
  /** Called when finding the speakers of a live stream fails; it continues without them. */
  readonly onSpeakersLost: (failure: unknown) => void;
  /** Called once, however the session ended. */
  readonly onEnd: () => void;
}

/** Audio that may wait for a recogniser before `write` applies back-pressure. A file ends soon; a stream may not. */
const PENDING_SAMPLES_MAX = { file: secondsToSamples(120), stream: secondsToSamples(45) };

export class TranscriptionSession implements Session {
  readonly #options: SessionOptions;
  readonly #buffer = new SampleBuffer();
  readonly #arrivals: Arrivals;
  readonly #timeBudget: TimeBudget;
  readonly #intake: AudioIntake;
  readonly #recogniser: WindowRecogniser;
  readonly #recordingSpeakers: RecordingSpeakers | undefined;
  readonly #streamSpeakers: StreamSpeakers | undefined;
  readonly #policy: SessionPolicy;
  readonly #stop = new AbortController();
  /** Rejects with the fault that ended the session. */
  readonly #failed = deferred<never>();
  #state: 'open' | 'ending' | 'over' = 'open';
  #fault: Fault | undefined;
  #refinement: RefineLevel | undefined;
  /** The vocabulary is writable, because a client may change its terms. */
  readonly #template: WindowTemplate & { vocabulary: WindowTemplate['vocabulary'] };
  readonly #redaction: SessionRedaction;

  constructor(options: SessionOptions) {
    const { request, scheduler, clock, probe, waiting } = options;
    const { accountId, isBackground = false, finals = { kind: 'whole' } } = request;
    this.#options = options;
    this.#refinement = request.refinement;
    this.#redaction = new SessionRedaction(request.redaction);
    this.#arrivals = new Arrivals(clock);
    this.#timeBudget = new TimeBudget(scheduler, clock);
    this.#failed.promise.catch(() => undefined);
    this.#template = {
      requestId: request.requestId,
      tier: request.model,
      languageHint: normaliseHint(request.languageHint),
      ...(request.languages && { languages: request.languages }),
      ...(options.recentLanguages.length > 0 && { recentLanguages: options.recentLanguages }),
      vocabulary: request.vocabulary,
      wantWordTimes: request.wantWordTimes || request.speakers !== undefined,
      ...(request.task !== undefined && { task: request.task }),
      ...liveTemplate(finals),
    };
    this.#recogniser = new WindowRecogniser({
      scheduler,
      buffer: this.#buffer,
      accountId,
      isBackground,
      isLive: request.mode === 'stream',
      template: this.#template,
      isShortOfTime: () => this.#timeBudget.isShort(),
      context: finals.kind,
    });
    // Jobs have an owner of their own, so that they do not use up the limits of the account's other requests.
    const owner = isBackground ? `jobs of ${accountId}` : accountId;
    if (request.speakers) {
      const work = { owner, signal: this.#stop.signal };
      // Awaited when the speakers are known. Avoids an unhandled rejection if it fails sooner.
      Promise.resolve(request.speakers.names).catch(() => undefined);
      if (finals.kind === 'whole')
        this.#recordingSpeakers = options.speakers.openRecording(request.speakers, work, () => this.#intake.makeRoom());
      else this.#streamSpeakers = options.speakers.openStream(request.speakers, work, options.onSpeakersLost);
    }
    this.#intake = new AudioIntake({
      buffer: this.#buffer,
      probe,
      waiting,
      waitingName: owner,
      waitingSecondsMax: request.waitingSecondsMax,
      pendingSamplesMax: PENDING_SAMPLES_MAX[request.mode],
      unrecognisedSamples: () =>
        Math.max(this.#recogniser.pendingSamples, this.#recordingSpeakers?.pendingSamples ?? 0),
      onJudged: (probabilities, stretch) => this.#judged(probabilities, stretch),
      onFailure: (failure) => this.#fail(failure),
    });
    const context = this.#context();
    this.#policy = finals.kind === 'whole' ? new WholeRecording(context) : new Utterances(context, finals);
  }

  /** Seconds of audio that are not in the queue yet but will be. */
  get expectedAudioSeconds(): number {
    if (this.#options.request.mode === 'stream' || this.#policy.hasWindows)
      return samplesToSeconds(this.#recogniser.heldBackSamples);
    const pendingSeconds = samplesToSeconds(this.#buffer.endSample - this.#policy.neededFromSample);
    return this.#state === 'open' ? this.#arrivals.expectedSeconds(pendingSeconds) : pendingSeconds;
  }

  /** Seconds of audio so far. */
  get audioSeconds(): number {
    return this.#arrivals.seconds;
  }

  /** Whether the session ended with a transcript. */
  get answered(): boolean {
    return this.#state === 'over' && this.#fault === undefined;
  }

  /** Seconds of speech per second that a stream is expected to bring; 0 for a file and after the end marker. */
  get speechRate(): number {
    return this.#options.request.mode === 'stream' && this.#state === 'open' ? this.#arrivals.speechRate : 0;
  }

  async write(samples: Float32Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('write after the end marker');
    this.#arrivals.add(samplesToSeconds(samples.length));
    await this.#intake.write(samples);
    if (this.#fault) throw this.#fault;
  }

  async flush(onEnded?: () => void): Promise<void> {
    if (this.#fault) throw this.#fault;
    await this.#intake.judged();
    if (this.#state !== 'open') return;
    await Promise.race([this.#policy.flush(onEnded), this.#failed.promise]);
  }

  async finish(spentMs = 0, channelActivity?: Uint8Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('finish was called twice');
    this.#state = 'ending';
    try {
      await Promise.race([this.#conclude(spentMs, channelActivity), this.#failed.promise]);
    } catch (failure) {
      this.#fail(failure);
      throw this.#fault;
    }
  }

  emitStableText(): void {
    this.#policy.emitStableText();
  }

  setRefinement(level: RefineLevel | undefined, redaction: readonly RedactedKind[]): void {
    this.#refinement = level;
    this.#redaction.setKinds(redaction);
  }

  setVocabulary(terms: WindowTemplate['vocabulary']): void {
    this.#template.vocabulary = terms;
  }

  cancel(): void {
    this.#fail(new Fault('SERVICE_UNAVAILABLE', { message: 'The request was cancelled.' }), 'cancelled');
  }

  async #conclude(spentMs: number, channelActivity?: Uint8Array): Promise<void> {
    this.#policy.ending(spentMs);
    const probabilities = await this.#intake.end();
    this.#stop.signal.throwIfAborted();
    this.#judged(probabilities);
    if (channelActivity) this.#recordingSpeakers?.hearChannels(channelActivity);
    const summary = await this.#policy.conclude(this.#buffer.endSample);
    this.#stop.signal.throwIfAborted();
    this.#emit({ type: 'done', summary });
    this.#end('done');
    if (summary.detectedLanguage !== null) this.#options.onLanguage(summary.detectedLanguage);
  }

  #judged(probabilities: Float32Array, stretch: Float32Array = new Float32Array(0)): void {
    this.#recordingSpeakers?.push(stretch, probabilities);
    this.#streamSpeakers?.push(stretch);
    this.#arrivals.addSpeech(samplesToSeconds(voicedFrames(probabilities) * VOICE_FRAME_SAMPLES));
    this.#policy.judged(probabilities);
    this.#buffer.dropBefore(Math.min(this.#policy.neededFromSample, this.#intake.judgedSample));
  }

  #emit(event: SessionEvent): void {
    if (this.#state !== 'over') this.#options.listener(event);
  }

  #refineInput({ segments, language }: Pick<Assembled, 'segments' | 'language'>, isOpenEnd = false): RefineInput {
    const { request, isSteered } = this.#options;
    const redaction = this.#redaction.input(isOpenEnd);
    const rules = { vocabulary: this.#template.vocabulary, isSteered, level: this.#refinement, redaction };
    if (request.task !== 'translate') return { pieces: segments, language, ...rules };
    // The windows have the language of the speech, but their text is English.
    return { pieces: segments.map((segment) => ({ ...segment, language: 'en' })), language: 'en', ...rules };
  }

  #context(): SessionContext {
    const session = this;
    const { request, scheduler, refinementStage, recognitionTimeoutMs, refinementTimeoutMs, isTextStable } =
      this.#options;
    return {
      request,
      template: this.#template,
      buffer: this.#buffer,
      scheduler,
      recogniser: this.#recogniser,
      timeBudget: this.#timeBudget,
      refinementStage,
      recordingSpeakers: this.#recordingSpeakers,
      streamSpeakers: this.#streamSpeakers,
      recognitionTimeoutMs,
      refinementTimeoutMs,
      isTextStable,
      turnDetector: this.#options.turnDetector,
      clock: this.#options.clock,
      observer: this.#options.observer,
      signal: this.#stop.signal,
      get state() {
        return session.#state;
      },
      get isCaughtUp() {
        return session.#intake.isCaughtUp;
      },
      emit: (event) => this.#emit(event),
      fail: (failure, outcome) => this.#fail(failure, outcome),
      makeRoom: () => this.#intake.makeRoom(),
      // Uses the caller's choice of word times, so that segments are the same with and without speakers.
      assemble: (recognised) => assemble(recognised, request.wantWordTimes),
      refineInput: (assembled, isOpenEnd) => this.#refineInput(assembled, isOpenEnd),
      redaction: this.#redaction,
    };
  }

  /** Ends the session with a fault: all its work stops, and pending promises settle. */
  #fail(failure: unknown, outcome: Exclude<SessionOutcome, 'done'> = 'failed'): void {
    if (this.#state === 'over') return;
    this.#fault = sessionFault(failure);
    this.#end(outcome);
    this.#failed.reject(this.#fault);
  }

  #end(outcome: SessionOutcome): void {
    const { request, observer, onEnd } = this.#options;
    this.#state = 'over';
    this.#policy.close(outcome);
    this.#streamSpeakers?.close();
    this.#intake.close();
    this.#recogniser.cancel();
    this.#stop.abort(this.#fault);
    this.#buffer.dropBefore(this.#buffer.endSample);
    observer.sessionEnded({
      tier: request.model,
      mode: request.mode,
      outcome: outcome === 'timed_out' ? 'failed' : outcome,
      answer: this.#policy.answer,
    });
    onEnd();
  }
}
