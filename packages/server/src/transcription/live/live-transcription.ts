// A live session: voice activity cuts the stream into utterances, each is recognised, refined and told once, in order.
import { secondsToSamples } from '../../audio/pcm.ts';
import { Fault } from '../../lib/fault.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { deferred } from '../../lib/time/deferred.ts';
import type { LanguageGuess, VoiceProbe } from '../../speech/recogniser.ts';
import { normaliseHint } from '../language/hint.ts';
import { voteLanguage } from '../language/vote.ts';
import type { TranscriptionObserver } from '../observer.ts';
import { type Window, windowStartMs } from '../planning/window.ts';
import { assemble, type RecognisedWindow } from '../recognition/assemble.ts';
import { SampleBuffer } from '../recognition/sample-buffer.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { AudioIntake } from '../session/audio-intake.ts';
import { sessionFault } from '../session/session-fault.ts';
import type { WaitingAudio } from '../session/waiting-audio.ts';
import type { RefinementStage } from '../text/refinement-stage.ts';
import { Interims } from './interims.ts';
import type {
  LiveFinal,
  LiveListener,
  LiveRequest,
  LiveSession,
  LiveSummary,
  UtteranceTranscript,
} from './live-session.ts';
import { type JobTemplate, UtteranceRecogniser } from './utterance-recogniser.ts';
import { type Utterance, UtteranceTracker } from './utterance-tracker.ts';

export interface LiveTranscriptionOptions {
  readonly request: LiveRequest;
  readonly listener: LiveListener;
  readonly scheduler: Scheduler;
  readonly probe: VoiceProbe;
  readonly refinementStage: RefinementStage;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  readonly waiting: WaitingAudio;
  readonly refinementTimeoutMs: number;
  /** What the account has spoken lately; empty where that is not to be used. */
  readonly recentLanguages: readonly LanguageGuess[];
  /** Told the language of what was said once it is known. */
  readonly onLanguage: (language: string) => void;
  /** Called once, when the session has ended in whatever way. */
  readonly onEnd: () => void;
}

/** Audio that may wait for a recogniser before `write` holds its caller back. */
const PENDING_SAMPLES_MAX = secondsToSamples(45);

const NOTHING_SAID: UtteranceTranscript = {
  text: '',
  rawText: '',
  segments: [],
  words: [],
  edits: [],
  detectedLanguage: null,
  outputTokenCount: 0,
};

const msOf = (sample: number): number => sample / SAMPLES_PER_MS;

type Votes = Parameters<typeof voteLanguage>[0][number];

export class LiveTranscription implements LiveSession {
  readonly #options: LiveTranscriptionOptions;
  readonly #buffer = new SampleBuffer();
  readonly #intake: AudioIntake;
  readonly #tracker: UtteranceTracker;
  readonly #recogniser: UtteranceRecogniser;
  readonly #interims: Interims | undefined;
  readonly #stop = new AbortController();
  /** Rejects with the fault that ended the session, when one did. */
  readonly #failed = deferred<never>();
  #state: 'open' | 'ending' | 'over' = 'open';
  #fault: Fault | undefined;
  /** Where the next final begins. */
  #tileSample = 0;
  /** Settles when every final begun so far has been told. */
  #told: Promise<void> = Promise.resolve();
  #untold = 0;
  readonly #votes: Votes[] = [];
  #outputTokenCount = 0;
  #refinementFallback: string | null = null;

  constructor(options: LiveTranscriptionOptions) {
    const { request, scheduler, listener } = options;
    this.#options = options;
    this.#failed.promise.catch(() => undefined);
    this.#intake = new AudioIntake({
      buffer: this.#buffer,
      probe: options.probe,
      waiting: options.waiting,
      waitingName: request.accountId,
      waitingSecondsMax: request.waitingSecondsMax,
      pendingSamplesMax: PENDING_SAMPLES_MAX,
      unrecognisedSamples: () => this.#recogniser.pendingSamples,
      onJudged: (probabilities) => this.#track(probabilities),
      onFailure: (failure) => this.#fail(sessionFault(failure)),
    });
    this.#tracker = new UtteranceTracker(request.endpointingMs);
    const job: JobTemplate = {
      requestId: request.requestId,
      tier: request.model,
      languageHint: normaliseHint(request.languageHint),
      ...(options.recentLanguages.length > 0 && { recentLanguages: options.recentLanguages }),
      vocabulary: request.vocabulary,
      wantWordTimes: request.wantWordTimes,
      ...(request.wantInterims && { isCaptioned: true }),
    };
    const { accountId } = request;
    this.#recogniser = new UtteranceRecogniser({ scheduler, buffer: this.#buffer, accountId, job });
    if (!request.wantInterims) return;
    this.#interims = new Interims({
      ...{ scheduler, buffer: this.#buffer, accountId, job, clock: options.clock },
      mayTell: () => this.#untold === 0 && this.#state === 'open',
      tell: (interim) => listener.interim({ ...interim, startMs: msOf(this.#tileSample) }),
    });
  }

  /** Audio per second that it will bring: people speak as fast as time passes. */
  get liveRate(): number {
    return 1;
  }

  /** Audio that is not in the queue yet but will be. */
  get expectedAudioSeconds(): number {
    return 0;
  }

  async write(samples: Float32Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('write after the end marker');
    await this.#intake.write(samples);
    if (this.#fault) throw this.#fault;
  }

  async flush(): Promise<void> {
    if (this.#fault) throw this.#fault;
    await this.#intake.judged();
    if (this.#state !== 'open') return;
    const utterance = this.#tracker.flush();
    if (utterance) this.#settle(utterance);
    else this.#tellNothing(this.#tracker.judgedSamples, 'flush');
    await Promise.race([this.#told, this.#failed.promise]);
  }

  async finish(): Promise<LiveSummary> {
    if (this.#fault) throw this.#fault;
    if (this.#state !== 'open') throw new Error('the end marker came twice');
    this.#state = 'ending';
    const beganMs = this.#options.clock.monotonicMs();
    try {
      await Promise.race([this.#conclude(), this.#failed.promise]);
    } catch (failure) {
      this.#fail(sessionFault(failure));
      throw this.#fault;
    }
    this.#end('done');
    const detectedLanguage = voteLanguage(this.#votes);
    if (detectedLanguage !== null) this.#options.onLanguage(detectedLanguage);
    return {
      detectedLanguage,
      outputTokenCount: this.#outputTokenCount,
      recognitionMs: this.#options.clock.monotonicMs() - beganMs,
      refinementMs: 0,
      refinementFallback: this.#refinementFallback,
    };
  }

  cancel(): void {
    this.#fail(new Fault('SERVICE_UNAVAILABLE', { message: 'The request was cancelled.' }), 'cancelled');
  }

  async #conclude(): Promise<void> {
    const probabilities = await this.#intake.end();
    if (this.#fault) throw this.#fault;
    const totalSamples = this.#buffer.endSample;
    this.#track(probabilities);
    for (const event of this.#tracker.end(totalSamples)) this.#follow(event);
    this.#tellNothing(totalSamples, 'end');
    await this.#told;
  }

  #track(probabilities: Float32Array): void {
    for (const event of this.#tracker.push(probabilities)) this.#follow(event);
    if (this.#intake.isCaughtUp && this.#state === 'open') {
      const window = this.#tracker.openWindow;
      if (window) this.#speculate(window);
      else if (this.#tracker.open) this.#interims?.update(this.#tracker.open, this.#tracker.judgedSamples);
    }
    if (!this.#tracker.open) this.#options.listener.silence(msOf(this.#tracker.judgedSamples));
    this.#buffer.dropBefore(Math.min(this.#tracker.neededFromSample, this.#intake.judgedSample));
  }

  #follow(event: ReturnType<UtteranceTracker['push']>[number]): void {
    const { listener } = this.#options;
    if (event.type === 'speech_started') listener.speechStarted(msOf(event.sample));
    else if (event.type === 'speech_ended') listener.speechEnded(msOf(event.sample));
    else this.#settle(event.utterance);
  }

  /** During a silence the utterance is recognised as if it had ended, so that its final is there soon after it has. */
  #speculate(window: Window): void {
    const recognised = this.#recogniser.speculate(window, this.#interims?.textFrom(windowStartMs(window)) ?? '');
    // Cancelled when speech goes on; a failure counts when the utterance has ended.
    recognised?.then((windows) => this.#interims?.take(window, windows)).catch(() => undefined);
  }

  #settle(utterance: Utterance): void {
    const draft = this.#interims?.textFrom(windowStartMs(utterance.window)) ?? '';
    const recognised = this.#recogniser.settle(utterance.window, draft);
    this.#interims?.utteranceEnded(utterance.endSample);
    this.#tell(utterance, this.#transcribe(recognised));
  }

  /** Stretches of silence have finals, too: empty ones. */
  #tellNothing(endSample: number, endedBy: LiveFinal['endedBy']): void {
    this.#tell({ endSample: Math.max(this.#tileSample, endSample), endedBy }, Promise.resolve(NOTHING_SAID));
  }

  #tell(
    { endSample, endedBy }: Pick<Utterance, 'endSample' | 'endedBy'>,
    transcript: Promise<UtteranceTranscript>,
  ): void {
    const startMs = msOf(this.#tileSample);
    this.#tileSample = endSample;
    this.#untold += 1;
    const told = Promise.all([transcript, this.#told]).then(([said]) => {
      this.#untold -= 1;
      if (this.#state === 'over') return;
      this.#options.listener.final({ startMs, endMs: msOf(endSample), endedBy, transcript: said });
      this.#interims?.tellHeld();
    });
    told.catch((failure) => this.#fail(sessionFault(failure)));
    this.#told = told;
  }

  async #transcribe(recognition: Promise<readonly RecognisedWindow[]>): Promise<UtteranceTranscript> {
    const recognised = await recognition;
    this.#intake.makeRoom();
    for (const each of recognised) {
      // For the vote it only matters whether there was any text.
      const recognition = { ...each.recognition, words: [], text: each.recognition.text.trim().slice(0, 1) };
      this.#votes.push({ recognition, voicedMs: msOf(each.window.voicedSamples) });
    }
    const { pieces, segments, words, language } = assemble(recognised);
    this.#interims?.expectLanguage(language);
    if (pieces.length === 0) return NOTHING_SAID;
    const rawText = pieces.map(({ text }) => text).join(' ');
    const { refined, outputTokenCount } = await this.#refine({ pieces, language }, rawText);
    this.#outputTokenCount += outputTokenCount;
    this.#refinementFallback ??= refined.fallback;
    return {
      text: refined.text,
      rawText: refined.rawText,
      segments,
      words,
      edits: refined.edits,
      detectedLanguage: language,
      outputTokenCount,
    };
  }

  /** Text that cannot be refined in time is told as it was recognised: the stream goes on. */
  async #refine({ pieces, language }: Pick<ReturnType<typeof assemble>, 'pieces' | 'language'>, rawText: string) {
    const { refinementStage, refinementTimeoutMs, request } = this.#options;
    const input = { pieces, language, vocabulary: request.vocabulary };
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(refinementTimeoutMs)]);
      return await refinementStage.run(input, signal);
    } catch (failure) {
      if (this.#stop.signal.aborted) throw failure;
      const refined = { text: rawText, rawText, edits: [], fallback: 'refinement failed' };
      return { refined, outputTokenCount: 0 };
    }
  }

  #fail(fault: Fault, outcome: 'failed' | 'cancelled' = 'failed'): void {
    if (this.#state === 'over') return;
    this.#fault = fault;
    this.#end(outcome);
    this.#failed.reject(fault);
  }

  #end(outcome: 'done' | 'failed' | 'cancelled'): void {
    const { request, observer, onEnd } = this.#options;
    this.#state = 'over';
    this.#intake.close();
    this.#recogniser.cancel();
    this.#interims?.close();
    this.#stop.abort();
    this.#buffer.dropBefore(this.#buffer.endSample);
    observer.sessionEnded({ tier: request.model, mode: 'stream', outcome, answer: 'worked' });
    onEnd();
  }
}
