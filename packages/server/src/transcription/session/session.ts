// A session: samples come in, voice activity is detected, windows are planned and recognised, the text is refined at the end.
import { samplesToSeconds, secondsToSamples } from '../../audio/pcm.ts';
import { Fault } from '../../lib/fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { DecayingSum } from '../../lib/time/decaying-sum.ts';
import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import type { LanguageGuess, VoiceProbe } from '../../speech/recogniser.ts';
import { SEGMENTER_SETTINGS, SpeechSegmenter } from '../../speech/vad/segmenter.ts';
import { normaliseHint } from '../language/hint.ts';
import type { SessionReport, StageReport, TranscriptionObserver } from '../observer.ts';
import { Planner } from '../planning/planner.ts';
import type { Window } from '../planning/window.ts';
import { windowPolicy } from '../planning/window-policy.ts';
import { type Assembled, assemble, type RecognisedWindow } from '../recognition/assemble.ts';
import { SampleBuffer } from '../recognition/sample-buffer.ts';
import { WindowRecogniser } from '../recognition/window-recogniser.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { RefinementStage } from '../text/refinement-stage.ts';
import type { Session, SessionRequest, Transcript } from '../transcriber.ts';
import { AudioIntake } from './audio-intake.ts';
import { sessionFault } from './session-fault.ts';
import { SettledText } from './settled-text.ts';
import { SpeculativeRefinement } from './speculative-refinement.ts';
import { StageTimer } from './stage-timer.ts';
import type { WaitingAudio } from './waiting-audio.ts';

export interface SessionOptions {
  readonly request: SessionRequest;
  readonly scheduler: Scheduler;
  readonly probe: VoiceProbe;
  readonly refinementStage: RefinementStage;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  readonly waiting: WaitingAudio;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** Whether refined text stays as it is when more is said; a language model may write all of it anew. */
  readonly textSettles: boolean;
  /** What the account has spoken lately; empty where that is not to be used. */
  readonly recentLanguages: readonly LanguageGuess[];
  /** Told the language of the recording once it is known. */
  readonly onLanguage: (language: string) => void;
  /** Called once, when the session has ended in whatever way. */
  readonly onEnd: () => void;
}

/** A pause this long has shown all of the padding behind the last word, so that the tail can be recognised ahead of time. */
const SPECULATION_PAUSE_SAMPLES = secondsToSamples(SEGMENTER_SETTINGS.paddingMs / 1000);
/** Audio that may wait for a recogniser before `write` holds its caller back. A file ends soon, a stream may not. */
const PENDING_SAMPLES_MAX = { file: secondsToSamples(120), stream: secondsToSamples(45) };

/** Audio that an admitted file is expected to hold, until its windows are known or it proves slow. */
const FILE_AUDIO_SECONDS_EXPECTED = 30;
/** How long that expectation weighs beside what has really arrived. */
const EXPECTATION_SECONDS = 1;
/** Audio of an upload that stands still is no work that others wait for: it counts for about so long. */
const STANDSTILL_MS = 2_000;

/** open: audio is accepted. ending: the end marker came. over: answered, failed or cancelled. */
type State = 'open' | 'ending' | 'over';

export class TranscriptionSession implements Session {
  readonly #options: SessionOptions;
  readonly #buffer = new SampleBuffer();
  readonly #segmenter = new SpeechSegmenter();
  readonly #intake: AudioIntake;
  readonly #planner: Planner;
  readonly #windowRecogniser: WindowRecogniser;
  readonly #speculativeRefinement: SpeculativeRefinement;
  #settledText: SettledText | undefined;
  readonly #stageTimer: StageTimer;
  readonly #stop = new AbortController();
  /** Rejects with the fault that ended the session, when one did. */
  readonly #failed = deferred<never>();
  readonly #openedMs: number;
  readonly #recentSeconds = new DecayingSum(STANDSTILL_MS);
  #state: State = 'open';
  #fault: Fault | undefined;
  /** The version of the recognised windows that was last refined ahead of time. */
  #refinedVersion = 0;
  #answer: SessionReport['answer'] = 'worked';
  #progress: Deferred<void> | undefined;

  constructor(options: SessionOptions) {
    const { request, scheduler } = options;
    this.#options = options;
    this.#openedMs = options.clock.monotonicMs();
    this.#failed.promise.catch(() => undefined);
    this.#intake = new AudioIntake({
      buffer: this.#buffer,
      probe: options.probe,
      waiting: options.waiting,
      // Jobs of an account leave the waiting audio of its other requests alone.
      waitingName: request.isBackground ? `jobs of ${request.accountId}` : request.accountId,
      waitingSecondsMax: request.waitingSecondsMax,
      pendingSamplesMax: PENDING_SAMPLES_MAX[request.mode],
      unrecognisedSamples: () => this.#windowRecogniser.pendingSamples,
      onJudged: (probabilities) => this.#plan(probabilities),
      onFailure: (failure) => this.#fail(sessionFault(failure)),
    });
    this.#planner = new Planner(windowPolicy(request.mode, scheduler.slots));
    this.#windowRecogniser = new WindowRecogniser({
      scheduler,
      buffer: this.#buffer,
      accountId: request.accountId,
      requestId: request.requestId,
      isBackground: request.isBackground ?? false,
      job: {
        tier: request.model,
        languageHint: normaliseHint(request.languageHint),
        ...(options.recentLanguages.length > 0 && { recentLanguages: options.recentLanguages }),
        vocabulary: request.vocabulary,
        wantWordTimes: request.wantWordTimes,
        ...(request.task !== undefined && { task: request.task }),
      },
      onProgress: () => this.#progressed(),
      onFailure: (failure) => this.#fail(sessionFault(failure)),
    });
    this.#speculativeRefinement = new SpeculativeRefinement(options.refinementStage, options.clock);
    this.#stageTimer = new StageTimer(options.clock, (stage, outcome, tookMs) =>
      options.observer.stageEnded({ requestId: request.requestId, stage, mode: request.mode, outcome, tookMs }),
    );
  }

  get started(): boolean {
    return this.#windowRecogniser.started;
  }

  /** Audio that is not in the queue yet but will be: windows held back, or what an admitted file may hold. */
  get expectedAudioSeconds(): number {
    if (this.#options.request.mode === 'file' && this.#windowRecogniser.settledCount === 0)
      return this.#expectedOfFile();
    return samplesToSeconds(this.#windowRecogniser.heldBackSamples);
  }

  /** All audio that has come so far. */
  get audioSeconds(): number {
    return samplesToSeconds(this.#buffer.endSample);
  }

  /** Whether it ended with a transcript. */
  get answered(): boolean {
    return this.#state === 'over' && this.#fault === undefined;
  }

  /** Seconds of audio per second that a stream goes on to bring; 0 for a file, and after the end marker. */
  get liveRate(): number {
    if (this.#options.request.mode === 'file' || this.#state !== 'open') return 0;
    const ageSeconds = (this.#options.clock.monotonicMs() - this.#openedMs) / 1000;
    return Math.min(1, (EXPECTATION_SECONDS + this.audioSeconds) / (EXPECTATION_SECONDS + ageSeconds));
  }

  /**
   * What has arrived lately and may hold speech; in its first moments also what an upload usually brings. One that is
   * held open, or that brings silence, takes no room from others.
   */
  #expectedOfFile(): number {
    const pendingSeconds = samplesToSeconds(this.#buffer.endSample - this.#planner.neededFromSample);
    if (this.#state !== 'open') return pendingSeconds;
    const nowMs = this.#options.clock.monotonicMs();
    const ageSeconds = (nowMs - this.#openedMs) / 1000;
    const movingSeconds = Math.min(pendingSeconds, this.#recentSeconds.at(nowMs));
    return movingSeconds + FILE_AUDIO_SECONDS_EXPECTED * Math.exp(-ageSeconds / EXPECTATION_SECONDS);
  }

  async write(samples: Float32Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('write after the end marker');
    this.#recentSeconds.add(samplesToSeconds(samples.length), this.#options.clock.monotonicMs());
    await this.#intake.write(samples);
    if (this.#fault) throw this.#fault;
  }

  async finish(): Promise<Transcript> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('the end marker came twice');
    this.#state = 'ending';
    try {
      return await Promise.race([this.#conclude(), this.#failed.promise]);
    } catch (failure) {
      this.#fail(sessionFault(failure));
      throw this.#fault;
    }
  }

  onSettledText(listener: (text: string) => void): void {
    this.#settledText = new SettledText({
      isEarly: this.#options.textSettles,
      refine: (recognised, signal) =>
        this.#options.refinementStage.run(this.#refineInput(assemble(recognised)), signal),
      clock: this.#options.clock,
      listener,
    });
    this.#settledText.update(this.#windowRecogniser.recognisedPrefix());
  }

  cancel(): void {
    this.#fail(new Fault('SERVICE_UNAVAILABLE', { message: 'The request was cancelled.' }), 'cancelled');
  }

  #plan(probabilities: Float32Array): void {
    const view = this.#segmenter.push(probabilities);
    for (const window of this.#planner.push(view, probabilities)) this.#windowRecogniser.settle(window, 'steady');
    this.#speculate(view.pauseSamples);
    this.#buffer.dropBefore(Math.min(this.#planner.neededFromSample, this.#intake.judgedSample));
  }

  /** At a pause the tail is recognised ahead of time; when speech goes on, its windows may still be kept. */
  #speculate(pauseSamples: number): void {
    if (this.#options.request.mode !== 'stream' || this.#state !== 'open') return;
    const caughtUp = this.#intake.isCaughtUp;
    if (!caughtUp || pauseSamples < SPECULATION_PAUSE_SAMPLES) return;
    const tail = this.#planner.tail();
    this.#windowRecogniser.speculate(tail);
    this.#refineAhead(tail);
  }

  /** Refines ahead of time, when all that was said so far is recognised. */
  #refineAhead(tail: readonly Window[]): void {
    const { version } = this.#windowRecogniser;
    if (version === this.#refinedVersion) return;
    const recognised = this.#windowRecogniser.completed(tail);
    if (!recognised || recognised.length === 0) return;
    const started = this.#speculativeRefinement.start(recognised, () => this.#refineInput(assemble(recognised)));
    if (started) this.#refinedVersion = version;
  }

  #progressed(): void {
    this.#intake.makeRoom();
    this.#progress?.resolve();
    this.#progress = undefined;
    this.#settledText?.update(this.#windowRecogniser.recognisedPrefix());
    if (this.#state !== 'open' || this.#options.request.mode !== 'stream') return;
    try {
      this.#refineAhead(this.#planner.tail());
    } catch (failure) {
      this.#fail(sessionFault(failure));
    }
  }

  async #conclude(): Promise<Transcript> {
    this.#beginStage('recognition', this.#options.recognitionTimeoutMs);
    this.#windowRecogniser.expedite();
    const probabilities = await this.#intake.end();
    if (this.#fault) throw this.#fault;
    this.#plan(probabilities);
    const totalSamples = this.#buffer.endSample;
    if (!this.#windowRecogniser.isSpeculative(this.#planner.tail())) {
      // What was recognised at the last pause is kept; only what was said since is left to recognise.
      for (const window of this.#planner.keepRecognised(this.#windowRecogniser.recognisedTail()))
        this.#windowRecogniser.settle(window, 'final');
    }
    for (const window of this.#planner.end(this.#segmenter.end(totalSamples), totalSamples)) {
      this.#windowRecogniser.settle(window, 'final');
    }
    this.#windowRecogniser.keepOnly([]);
    this.#windowRecogniser.expedite();
    const ready = this.#windowRecogniser.completed();
    if (ready && this.#speculativeRefinement.holds(ready)) this.#answer = 'ready';
    const recognised = ready ?? (await this.#recognised());
    const recognitionMs = this.#stageTimer.end('done');

    // The whole text is refined now; no beginning of it may stand in its way.
    this.#settledText?.close();
    this.#beginStage('refinement', this.#options.refinementTimeoutMs);
    const assembled = assemble(recognised);
    const { refined, outputTokenCount } = await this.#speculativeRefinement.final(
      recognised,
      () => this.#refineInput(assembled),
      this.#stop.signal,
    );
    if (this.#fault) throw this.#fault;
    const refinementMs = this.#stageTimer.end('done');
    if (refined.numbersRestored > 0) this.#options.observer.numbersRestored(refined.numbersRestored);
    this.#end('done');
    if (assembled.language !== null) this.#options.onLanguage(assembled.language);
    return {
      text: this.#settledText?.finish(refined.text) ?? refined.text,
      rawText: refined.rawText,
      segments: assembled.segments,
      words: assembled.words,
      edits: refined.edits,
      detectedLanguage: assembled.language,
      outputTokenCount,
      recognitionMs,
      refinementMs,
      refinementFallback: refined.fallback,
    };
  }

  async #recognised(): Promise<RecognisedWindow[]> {
    for (;;) {
      if (this.#fault) throw this.#fault;
      const recognised = this.#windowRecogniser.completed();
      if (recognised) return recognised;
      this.#progress ??= deferred();
      await this.#progress.promise;
    }
  }

  #refineInput({ pieces, language }: Assembled) {
    const { vocabulary, refinement: level, task } = this.#options.request;
    if (task !== 'translate') return { pieces, language, vocabulary, level };
    // The languages of the windows are those of the speech; their text is English.
    return { pieces: pieces.map((piece) => ({ ...piece, language: 'en' })), language: 'en', vocabulary, level };
  }

  #beginStage(name: StageReport['stage'], timeoutMs: number): void {
    this.#stageTimer.begin(name, timeoutMs, () => {
      const message = `The ${name} stage took longer than ${timeoutMs / 1000} s.`;
      this.#fail(new Fault('SERVICE_UNAVAILABLE', { message }), 'timed_out');
    });
    if (this.#fault) throw this.#fault;
  }

  /** Ends the session with a fault: all its work stops, and whoever waits is told. */
  #fail(fault: Fault, outcome: StageReport['outcome'] = 'failed'): void {
    if (this.#state === 'over') return;
    this.#fault = fault;
    this.#stageTimer.end(outcome);
    this.#end(outcome === 'cancelled' ? 'cancelled' : 'failed');
    this.#failed.reject(fault);
    this.#progress?.resolve();
  }

  #end(outcome: SessionReport['outcome']): void {
    const { request, observer, onEnd } = this.#options;
    this.#state = 'over';
    this.#intake.close();
    this.#windowRecogniser.cancel();
    this.#speculativeRefinement.cancel();
    this.#settledText?.close();
    this.#stop.abort();
    this.#buffer.dropBefore(this.#buffer.endSample);
    observer.sessionEnded({ tier: request.model, mode: request.mode, outcome, answer: this.#answer });
    onEnd();
  }
}
