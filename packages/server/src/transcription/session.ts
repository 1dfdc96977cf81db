// A session: samples come in, are listened to for speech, recognised window by window, and written fair at the end.
import { samplesToSeconds, secondsToSamples } from '../audio/pcm.ts';
import type { Clock } from '../platform/clock.ts';
import { asFault, Fault } from '../platform/fault.ts';
import type { VoiceProbe } from '../speech/recogniser.ts';
import { SEGMENTER_SETTINGS, SpeechSegmenter } from '../speech/vad/segmenter.ts';
import { type Assembled, assemble, type RecognisedWindow } from './assemble.ts';
import { type Deferred, deferred } from './deferred.ts';
import { DraftDesk } from './drafts.ts';
import { normaliseHint } from './language.ts';
import type { SessionReport, StageReport, TranscriptionObserver } from './observer.ts';
import { Planner, windowPolicy } from './planner.ts';
import { Recognitions } from './recognitions.ts';
import type { Scheduler } from './scheduler.ts';
import { Tape } from './tape.ts';
import type { TextStage } from './text-stage.ts';
import type { Session, SessionRequest, Transcript } from './transcriber.ts';
import type { Window } from './window.ts';

export interface SessionOptions {
  readonly request: SessionRequest;
  readonly scheduler: Scheduler;
  readonly probe: VoiceProbe;
  readonly textStage: TextStage;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** Called once, when the session has ended in whatever way. */
  readonly onEnd: () => void;
}

/** Audio listened to at a time: a few milliseconds of work for the probe. */
const LISTEN_SAMPLES_MAX = secondsToSamples(1);
/** A pause this long has shown all of the padding behind the last word, so that the tail can be guessed. */
const GUESS_PAUSE_SAMPLES = secondsToSamples(SEGMENTER_SETTINGS.paddingMs / 1000);
/** Audio that may wait for a recogniser before `write` holds its caller back. A file ends soon, a stream may not. */
const PENDING_SAMPLES_MAX = { file: secondsToSamples(120), stream: secondsToSamples(45) };

/** What a file that has just been let in is expected to bring, until its windows are known. */
const FILE_AUDIO_SECONDS_EXPECTED = 30;

/** open: audio is welcome. ending: the end marker came. over: answered, failed or cancelled. */
type State = 'open' | 'ending' | 'over';

export class TranscriptionSession implements Session {
  readonly #options: SessionOptions;
  readonly #tape = new Tape();
  readonly #segmenter = new SpeechSegmenter();
  readonly #planner: Planner;
  readonly #recognitions: Recognitions;
  readonly #drafts: DraftDesk;
  readonly #stop = new AbortController();
  /** Rejects with the fault that ended the session, when one did. */
  readonly #failed = deferred<never>();
  #state: State = 'open';
  #fault: Fault | undefined;
  #listenedSample = 0;
  /** What the recognitions were when the last draft was begun. */
  #draftedVersion = 0;
  #answer: SessionReport['answer'] = 'worked';
  #listening: Promise<void> | undefined;
  #room: Deferred<void> | undefined;
  #progress: Deferred<void> | undefined;
  #stage: { readonly name: StageReport['stage']; readonly startedMs: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions) {
    const { request, scheduler } = options;
    this.#options = options;
    this.#failed.promise.catch(() => undefined);
    this.#planner = new Planner(windowPolicy(request.mode, scheduler.slots));
    this.#recognitions = new Recognitions({
      scheduler,
      tape: this.#tape,
      accountId: request.accountId,
      requestId: request.requestId,
      job: {
        tier: request.model,
        languageHint: normaliseHint(request.languageHint),
        vocabulary: request.vocabulary,
        wantWordTimes: request.wantWordTimes,
      },
      onProgress: () => this.#progressed(),
      onFailure: (failure) => this.#fail(unavailable(failure)),
    });
    this.#drafts = new DraftDesk(options.textStage, options.clock);
  }

  get started(): boolean {
    return this.#recognitions.started;
  }

  /** Audio that will stand in the queue and does not yet: windows held back, or what a file that was let in may hold. */
  get expectedAudioSeconds(): number {
    if (this.#options.request.mode === 'file' && this.#recognitions.settledCount === 0)
      return FILE_AUDIO_SECONDS_EXPECTED;
    return samplesToSeconds(this.#recognitions.heldSamples);
  }

  async write(samples: Float32Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('write after the end marker');
    this.#tape.append(samples);
    this.#listen();
    while (!this.#fault && !this.#hasRoom()) {
      this.#room ??= deferred();
      await this.#room.promise;
    }
    if (this.#fault) throw this.#fault;
  }

  async finish(): Promise<Transcript> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('the end marker came twice');
    this.#state = 'ending';
    try {
      return await Promise.race([this.#conclude(), this.#failed.promise]);
    } catch (failure) {
      this.#fail(asFault(failure));
      throw this.#fault;
    }
  }

  cancel(): void {
    this.#fail(new Fault('SERVICE_UNAVAILABLE', { message: 'The request was cancelled.' }), 'cancelled');
  }

  #hasRoom(): boolean {
    const waiting = this.#tape.endSample - this.#listenedSample + this.#recognitions.pendingSamples;
    return waiting <= PENDING_SAMPLES_MAX[this.#options.request.mode];
  }

  #makeRoom(): void {
    if (!this.#room || !this.#hasRoom()) return;
    this.#room.resolve();
    this.#room = undefined;
  }

  /** Listens to what has arrived, one stretch at a time, until there is no more. */
  #listen(): void {
    this.#listening ??= this.#listenOn()
      .catch((failure) => this.#fail(unavailable(failure)))
      .then(() => {
        this.#listening = undefined;
        // Samples may have come in the moment between the last look and here.
        if (this.#state !== 'over' && this.#listenedSample < this.#tape.endSample) this.#listen();
      });
  }

  async #listenOn(): Promise<void> {
    while (this.#state !== 'over' && this.#listenedSample < this.#tape.endSample) {
      const endSample = Math.min(this.#tape.endSample, this.#listenedSample + LISTEN_SAMPLES_MAX);
      const samples = new Float32Array(endSample - this.#listenedSample);
      this.#tape.read(this.#listenedSample, endSample, samples);
      const probabilities = await this.#options.probe.push(samples);
      if (this.#fault) return;
      this.#listenedSample = endSample;
      this.#hear(probabilities);
      this.#makeRoom();
    }
  }

  #hear(probabilities: Float32Array): void {
    const view = this.#segmenter.push(probabilities);
    for (const window of this.#planner.hear(view, probabilities)) this.#recognitions.settle(window, 'steady');
    this.#guess(view.pauseSamples);
    this.#tape.dropBefore(Math.min(this.#planner.neededFromSample, this.#listenedSample));
  }

  /** At a pause the tail is recognised ahead of time; when speech goes on, it may stand as the beginning of the rest. */
  #guess(pauseSamples: number): void {
    if (this.#options.request.mode !== 'stream' || this.#state !== 'open') return;
    const caughtUp = this.#listenedSample === this.#tape.endSample;
    if (!caughtUp || pauseSamples < GUESS_PAUSE_SAMPLES) return;
    const tail = this.#planner.rest();
    this.#recognitions.guess(tail);
    this.#draft(tail);
  }

  /** Writes the fair copy ahead of time, when all that was said so far is recognised. */
  #draft(tail: readonly Window[]): void {
    const { version } = this.#recognitions;
    if (version === this.#draftedVersion) return;
    const recognised = this.#recognitions.completed(tail);
    if (!recognised || recognised.length === 0) return;
    const taken = this.#drafts.prepare(recognised, () => this.#refineInput(assemble(recognised)));
    if (taken) this.#draftedVersion = version;
  }

  #progressed(): void {
    this.#makeRoom();
    this.#progress?.resolve();
    this.#progress = undefined;
    if (this.#state === 'open' && this.#options.request.mode === 'stream') this.#draft(this.#planner.rest());
  }

  async #conclude(): Promise<Transcript> {
    this.#beginStage('recognition', this.#options.recognitionTimeoutMs);
    this.#recognitions.urge();
    while (this.#listening) await this.#listening;
    const probabilities = await this.#options.probe.flush();
    if (this.#fault) throw this.#fault;
    this.#hear(probabilities);
    const totalSamples = this.#tape.endSample;
    if (!this.#recognitions.isGuessed(this.#planner.rest())) {
      // What was recognised at the last pause stands; only what was said since is left to recognise.
      for (const window of this.#planner.keep(this.#recognitions.standing()))
        this.#recognitions.settle(window, 'final');
    }
    for (const window of this.#planner.end(this.#segmenter.end(totalSamples), totalSamples)) {
      this.#recognitions.settle(window, 'final');
    }
    this.#recognitions.drop([]);
    this.#recognitions.urge();
    const ready = this.#recognitions.completed();
    if (ready && this.#drafts.holds(ready)) this.#answer = 'ready';
    const recognised = ready ?? (await this.#recognised());
    const recognitionMs = this.#endStage('done');

    this.#beginStage('refinement', this.#options.refinementTimeoutMs);
    const assembled = assemble(recognised);
    const { refined, outputTokenCount } = await this.#drafts.final(
      recognised,
      () => this.#refineInput(assembled),
      this.#stop.signal,
    );
    if (this.#fault) throw this.#fault;
    const refinementMs = this.#endStage('done');
    this.#end('done');
    return {
      text: refined.text,
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
      const recognised = this.#recognitions.completed();
      if (recognised) return recognised;
      this.#progress ??= deferred();
      await this.#progress.promise;
    }
  }

  #refineInput({ pieces, language }: Assembled) {
    return { pieces, language, vocabulary: this.#options.request.vocabulary };
  }

  #beginStage(name: StageReport['stage'], timeoutMs: number): void {
    this.#stage = { name, startedMs: this.#options.clock.monotonicMs() };
    const expire = () => {
      const message = `The ${name} stage took longer than ${timeoutMs / 1000} s.`;
      this.#fail(new Fault('SERVICE_UNAVAILABLE', { message }), 'timed_out');
    };
    if (timeoutMs === 0) expire();
    else this.#timer = setTimeout(expire, timeoutMs);
    if (this.#fault) throw this.#fault;
  }

  #endStage(outcome: StageReport['outcome']): number {
    clearTimeout(this.#timer);
    if (!this.#stage) return 0;
    const { observer, clock, request } = this.#options;
    const ms = clock.monotonicMs() - this.#stage.startedMs;
    observer.stageEnded({ stage: this.#stage.name, tier: request.model, mode: request.mode, outcome, ms });
    this.#stage = undefined;
    return ms;
  }

  /** Ends the session with a fault: all its work stops, and whoever waits is told. */
  #fail(fault: Fault, outcome: StageReport['outcome'] = 'failed'): void {
    if (this.#state === 'over') return;
    this.#fault = fault;
    this.#endStage(outcome);
    this.#end(outcome === 'cancelled' ? 'cancelled' : 'failed');
    this.#failed.reject(fault);
    this.#progress?.resolve();
  }

  #end(outcome: SessionReport['outcome']): void {
    const { request, observer, probe, onEnd } = this.#options;
    this.#state = 'over';
    this.#recognitions.cancel();
    this.#drafts.cancel();
    this.#stop.abort();
    this.#room?.resolve();
    probe.close();
    const audioSeconds = samplesToSeconds(this.#tape.endSample);
    this.#tape.dropBefore(this.#tape.endSample);
    observer.sessionEnded({
      tier: request.model,
      mode: request.mode,
      outcome,
      audioSeconds,
      speechSeconds: samplesToSeconds(this.#recognitions.voicedSamples),
      answer: this.#answer,
    });
    onEnd();
  }
}

const unavailable = (failure: unknown): Fault =>
  failure instanceof Fault
    ? failure
    : new Fault('SERVICE_UNAVAILABLE', { message: 'The audio could not be recognised just now.', cause: failure });
