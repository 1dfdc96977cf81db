// Reads the open utterance again and again while it is spoken: one reading at a time, in idle slots only.
import type { Clock } from '../../lib/time/clock.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import type { JobTemplate } from '../recognition/window-recogniser.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Ticket } from '../scheduling/task.ts';
import type { ReadWords } from './local-agreement.ts';

/** Audio to read, in samples of the stream. */
export interface ReadAudio {
  readonly samples: Float32Array;
  readonly startMs: number;
  readonly endMs: number;
  readonly endsInPause: boolean;
  /** What is known of its beginning, and what the rest of it seems to say. */
  readonly committedText: string;
  readonly draft: string;
  /** Whether a reading that comes to nothing is worth another one. */
  readonly mayTryAgain: boolean;
}

/** Its words have times of the stream. */
export interface Reading extends ReadWords {
  readonly language: string | null;
  readonly mayTryAgain: boolean;
}

export interface InterimReaderOptions {
  readonly scheduler: Scheduler;
  readonly accountId: string;
  readonly job: JobTemplate;
  readonly clock: Clock;
  /** The newest audio, asked for when a recogniser is free: what waited long is not read any more. */
  readonly audio: () => ReadAudio;
  readonly onReading: (reading: Reading) => void;
}

/** A language is taken for granted in later readings when a reading was this sure of it … */
const SURE_PROBABILITY = 0.5;
/** … until readings of enough speech go this badly: then it is detected anew, once in an utterance, since that is dear. */
const DOUBTFUL_LOG_PROBABILITY = -0.8;
const DOUBTFUL_MS_MIN = 2_500;
const DOUBTFUL_READINGS = 3;

export class InterimReader {
  readonly #options: InterimReaderOptions;
  #ticket: Ticket | undefined;
  #language: string | null = null;
  #mayDetect = true;
  #poorReadings = 0;
  #askedMs = 0;
  #tookMs = 0;

  constructor(options: InterimReaderOptions) {
    this.#options = options;
  }

  get isReading(): boolean {
    return this.#ticket !== undefined;
  }

  /** How long the last reading took, with its wait for a recogniser. */
  get tookMs(): number {
    return this.#tookMs;
  }

  /** The language that an utterance was in: the next one is expected to be in it, too. */
  expectLanguage(language: string | null): void {
    if (language !== null) this.#language = language;
  }

  utteranceBegan(): void {
    this.#mayDetect = true;
    this.#poorReadings = 0;
  }

  /** Begins a reading. `audioSamples` is what there is to read now. */
  read(audioSamples: number): void {
    const { scheduler, accountId, job, clock } = this.#options;
    this.#askedMs = clock.monotonicMs();
    let audio: ReadAudio | undefined;
    const ticket = scheduler.submit({
      accountId,
      requestId: job.requestId,
      urgency: 'speculative',
      tier: job.tier,
      audioSamples,
      job: () => {
        audio = this.#options.audio();
        return {
          ...job,
          samples: audio.samples,
          pausePositions: [],
          precedingText: null,
          language: this.#language,
          wantWordTimes: true,
          isInterim: true,
          committedText: audio.committedText,
          draft: audio.draft,
        };
      },
    });
    this.#ticket = ticket;
    ticket.result.then(
      (recognition) => this.#done(ticket, recognition, audio!),
      // An interim that fails is none: the next one may do better, and the final is recognised by itself.
      () => this.#forget(ticket),
    );
  }

  /** Nobody wants what is being read any more. */
  drop(): void {
    const ticket = this.#ticket;
    this.#ticket = undefined;
    ticket?.cancel();
  }

  #forget(ticket: Ticket): void {
    if (this.#ticket === ticket) this.#ticket = undefined;
  }

  #done(ticket: Ticket, recognition: Recognition, audio: ReadAudio): void {
    const { startMs, endMs, endsInPause, mayTryAgain } = audio;
    if (this.#ticket !== ticket) return;
    this.#ticket = undefined;
    this.#tookMs = this.#options.clock.monotonicMs() - this.#askedMs;
    const [best] = recognition.languages;
    if (best && best.probability >= SURE_PROBABILITY) this.#language = best.language;
    const isPoor = recognition.text.trim() === '' || recognition.averageLogProbability < DOUBTFUL_LOG_PROBABILITY;
    this.#poorReadings = isPoor && endMs - startMs >= DOUBTFUL_MS_MIN ? this.#poorReadings + 1 : 0;
    if (this.#poorReadings >= DOUBTFUL_READINGS && this.#mayDetect) {
      this.#mayDetect = false;
      this.#language = null;
    }
    const words = recognition.words.map((word) => ({
      ...word,
      startMs: startMs + word.startMs,
      endMs: startMs + word.endMs,
    }));
    this.#options.onReading({ words, startMs, endMs, endsInPause, mayTryAgain, language: best?.language ?? null });
  }
}
