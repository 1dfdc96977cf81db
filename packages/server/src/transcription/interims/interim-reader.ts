// Reads the open utterance repeatedly while it is spoken: one reading at a time, in idle slots only.
import type { Clock } from '../../lib/time/clock.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import type { WindowTemplate } from '../recognition/window-work.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Ticket } from '../scheduling/task.ts';
import type { ReadWords } from './local-agreement.ts';

/** The audio of one reading. */
export interface ReadAudio {
  readonly samples: Float32Array;
  readonly startMs: number;
  readonly endMs: number;
  readonly endsInPause: boolean;
  /** The committed text at the start of this audio, and the likely text of the rest. */
  readonly committedText: string;
  readonly draft: string;
  /** Whether an empty reading is worth a retry. */
  readonly mayTryAgain: boolean;
}

/** Word times are relative to the start of the stream. */
export interface Reading extends ReadWords {
  readonly language: string | null;
  readonly mayTryAgain: boolean;
}

export interface InterimReaderOptions {
  readonly scheduler: Scheduler;
  readonly accountId: string;
  readonly template: WindowTemplate;
  readonly clock: Clock;
  /** The newest audio, requested when a recogniser is free, so that stale audio is never read. */
  readonly audio: () => ReadAudio;
  readonly onReading: (reading: Reading) => void;
}

/** Later readings assume a language once one reading is this certain of it. */
const SURE_PROBABILITY = 0.5;
/** Detect the language again after several readings this poor: once per utterance, because detection is expensive. */
const DOUBTFUL_LOG_PROBABILITY = -0.8;
const DOUBTFUL_MS_MIN = 2_500;
const DOUBTFUL_READINGS = 3;

export class InterimReader {
  readonly #options: InterimReaderOptions;
  #ticket: Ticket | undefined;
  #language: string | null;
  #mayDetect: boolean;
  #poorReadings = 0;
  #askedMs = 0;
  #tookMs = 0;

  constructor(options: InterimReaderOptions) {
    this.#options = options;
    const { languages = [] } = options.template;
    this.#mayDetect = languages.length !== 1;
    this.#language = languages.length === 1 ? languages[0]! : null;
  }

  get isReading(): boolean {
    return this.#ticket !== undefined;
  }

  /** Duration of the last reading, including its wait for a recogniser. */
  get tookMs(): number {
    return this.#tookMs;
  }

  /** Sets the language to expect in the next utterance. */
  expectLanguage(language: string | null): void {
    if (language !== null) this.#language = language;
  }

  utteranceBegan(): void {
    this.#mayDetect = this.#options.template.languages?.length !== 1;
    this.#poorReadings = 0;
  }

  /** Starts a reading of about `audioSamples` samples. */
  read(audioSamples: number): void {
    const { scheduler, accountId, template, clock } = this.#options;
    this.#askedMs = clock.monotonicMs();
    let audio: ReadAudio | undefined;
    const ticket = scheduler.submit({
      accountId,
      requestId: template.requestId,
      urgency: 'speculative',
      tier: template.tier,
      audioSamples,
      window: () => {
        audio = this.#options.audio();
        return {
          ...template,
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
      // Ignore a failed interim: the next one may succeed, and the final is recognised separately.
      () => this.#forget(ticket),
    );
  }

  /** Cancels the current reading. */
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
