// Implements the transcriber: opens sessions on one scheduler, admits requests, and drains on close.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Fault } from '../lib/fault.ts';
import { type Clock, systemClock } from '../lib/time/clock.ts';
import { deferred } from '../lib/time/deferred.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../lib/time/retry-after.ts';
import type { SpeechEngine } from '../speech/recogniser.ts';
import type { RecentLanguages } from './language/recent-languages.ts';
import { silentObserver, type TranscriptionObserver } from './observer.ts';
import type { ExpectedWork } from './scheduling/expected-work.ts';
import { Scheduler } from './scheduling/scheduler.ts';
import { WaitingAudio } from './session/intake/waiting-audio.ts';
import { TranscriptionSession } from './session/session.ts';
import { Speakers } from './speakers/sessions/speakers.ts';
import type { RefinementStage } from './text/refinement-stage.ts';
import type {
  AdmissionAnswer,
  AdmissionRequest,
  Session,
  SessionListener,
  SessionRequest,
  Transcriber,
} from './transcriber.ts';

export interface TranscriberOptions {
  readonly engine: SpeechEngine;
  /** The tiers that the engine has loaded. Default: all. */
  readonly models?: readonly ModelId[];
  readonly refinementStage: RefinementStage;
  readonly recognitionTimeoutMs: number;
  readonly refinementTimeoutMs: number;
  /** Whether refined text stays unchanged when more is said. Default: true. */
  readonly isTextStable?: boolean;
  /** Maximum wait of a request on a crowded server. */
  readonly maxWaitMs?: number;
  /** How long `close` waits for running sessions. */
  readonly graceMs: number;
  /** Languages of each account's recent recordings, if they serve as a hint for the next ones. */
  readonly recentLanguages?: RecentLanguages | undefined;
  readonly clock?: Clock;
  readonly observer?: TranscriptionObserver;
  /** Refuse more waiting audio than this: an hour takes 230 MB. */
  readonly queuedAudioSecondsMax?: number;
}

const MAX_WAIT_MS = 1_500;
/** A stage of background work that takes longer than this is stuck. */
const BACKGROUND_MS_MAX = 6 * 60 * 60_000;

/** Reuse the expected work for this long: a flood of refused requests asks thousands of times a second. */
const EXPECTED_FRESH_MS = 10;

/** Another server may have a tier that this one does not load. */
const NOT_LOADED_RETRY_AFTER_SECONDS = 60;

type OpenRequest = Pick<SessionRequest, 'accountId' | 'model' | 'isBackground'>;

export class TranscriptionService implements Transcriber {
  readonly #options: TranscriberOptions;
  readonly #clock: Clock;
  readonly #observer: TranscriptionObserver;
  readonly #scheduler: Scheduler;
  readonly #sessions = new Map<TranscriptionSession, OpenRequest>();
  readonly #waiting = new WaitingAudio();
  readonly #speakers: Speakers;
  #expectedWork: { readonly readAtMs: number; readonly work: readonly ExpectedWork[] } | undefined;
  #state: 'open' | 'closing' = 'open';
  #drained = deferred<void>();

  constructor(options: TranscriberOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#observer = options.observer ?? silentObserver;
    this.#speakers = new Speakers(options.engine.speakers);
    this.#scheduler = new Scheduler({
      recogniser: options.engine.recogniser,
      clock: this.#clock,
      observer: this.#observer,
      queuedAudioSecondsMax: options.queuedAudioSecondsMax ?? 3_600,
      waitSecondsMax: options.recognitionTimeoutMs / 1000,
      crowdedWaitSecondsMax: (options.maxWaitMs ?? MAX_WAIT_MS) / 1000,
    });
  }

  admit(request: AdmissionRequest): AdmissionAnswer {
    if (this.#state === 'closing') return { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT };
    const { models: loaded = MODEL_IDS } = this.#options;
    const models = request.models.filter((model) => loaded.includes(model));
    if (models.length === 0) {
      const reason = `The model ${request.models.join(', ')} is not loaded on this server, which has ${loaded.join(', ')}.`;
      return { admitted: false, retryAfterSeconds: NOT_LOADED_RETRY_AFTER_SECONDS, reason };
    }
    const served = models.filter((model) => this.#scheduler.serves(model));
    if (served.length === 0) {
      // A file whose model is not known yet asks for all of them.
      if (request.models.length === 1) this.#observer.tierAbsent(models[0]!);
      const reason = `No recogniser for ${models.join(', ')} is available.`;
      return { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT, reason };
    }
    return this.#scheduler.admit({ ...request, models: served }, this.#expected());
  }

  open(request: SessionRequest, listener: SessionListener): Session {
    if (this.#state === 'closing')
      throw new Fault('SERVICE_UNAVAILABLE', {
        message: 'The service is shutting down.',
        retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
      });
    const { engine, recentLanguages, recognitionTimeoutMs, refinementTimeoutMs } = this.#options;
    const { accountId, mode, model, isBackground = false, finals } = request;
    const session = new TranscriptionSession({
      request,
      listener,
      scheduler: this.#scheduler,
      probe: engine.openVoiceProbe(),
      turnDetector: engine.turns,
      isSteered: (engine.steers?.(model) ?? false) && request.task !== 'translate',
      refinementStage: this.#options.refinementStage,
      speakers: this.#speakers,
      onSpeakersLost: () => this.#observer.speakersLost(),
      clock: this.#clock,
      observer: this.#observer,
      waiting: this.#waiting,
      recognitionTimeoutMs: isBackground ? BACKGROUND_MS_MAX : recognitionTimeoutMs,
      refinementTimeoutMs: isBackground ? BACKGROUND_MS_MAX : refinementTimeoutMs,
      isTextStable: this.#options.isTextStable ?? true,
      recentLanguages: recentLanguages?.of(accountId) ?? [],
      onLanguage: (language) => recentLanguages?.learn(accountId, language),
      onEnd: () => {
        if (session.answered && !isBackground && finals?.kind !== 'utterances')
          this.#scheduler.audioLength.learn(mode, model, session.audioSeconds);
        this.#ended(session);
      },
    });
    this.#sessions.set(session, request);
    this.#expectedWork = undefined;
    this.#observer.sessionOpened();
    return session;
  }

  async close(): Promise<void> {
    this.#state = 'closing';
    if (this.#sessions.size > 0) {
      const timer = setTimeout(() => {
        for (const session of this.#sessions.keys()) session.cancel();
      }, this.#options.graceMs);
      await this.#drained.promise;
      clearTimeout(timer);
    }
    await Promise.all([this.#options.refinementStage.close(), this.#speakers.close()]);
  }

  #ended(session: TranscriptionSession): void {
    this.#sessions.delete(session);
    this.#expectedWork = undefined;
    if (this.#state === 'closing' && this.#sessions.size === 0) this.#drained.resolve();
  }

  /** Work of admitted requests that is not in the queue yet; without it, a whole burst would be admitted. */
  #expected(): readonly ExpectedWork[] {
    const nowMs = this.#clock.monotonicMs();
    if (this.#expectedWork && nowMs - this.#expectedWork.readAtMs < EXPECTED_FRESH_MS) return this.#expectedWork.work;
    const work: ExpectedWork[] = [];
    for (const [session, { accountId, model, isBackground }] of this.#sessions) {
      if (isBackground) continue;
      const { expectedAudioSeconds: audioSeconds, speechRate } = session;
      const secondsPerAudioSecond = this.#scheduler.throughput.secondsPerAudioSecond(model);
      const cost = audioSeconds * secondsPerAudioSecond;
      work.push({ accountId, audioSeconds, cost, liveLoad: speechRate * secondsPerAudioSecond });
    }
    this.#expectedWork = { readAtMs: nowMs, work };
    return work;
  }
}
