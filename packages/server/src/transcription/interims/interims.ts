// The interim text of the open utterance: when to read again, what readings agree on, and when to emit it.
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { type RecognisedWord, VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { LEAD_SAMPLES } from '../planning/speech-units.ts';
import type { OpenUtterance } from '../planning/utterance-tracker.ts';
import { type Window, windowEndMs, windowStartMs } from '../planning/window.ts';
import { assemble, type RecognisedWindow } from '../recognition/assemble.ts';
import type { SampleBuffer } from '../recognition/sample-buffer.ts';
import type { WindowTemplate } from '../recognition/window-work.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Interim } from '../transcriber.ts';
import { InterimReader, type ReadAudio, type Reading } from './interim-reader.ts';
import { LocalAgreement } from './local-agreement.ts';

export interface InterimsOptions {
  readonly scheduler: Scheduler;
  readonly buffer: SampleBuffer;
  readonly accountId: string;
  readonly template: WindowTemplate;
  readonly clock: Clock;
  /** Whether every final before the open utterance has been emitted. */
  readonly mayEmit: () => boolean;
  readonly emit: (interim: Omit<Interim, 'startMs'>) => void;
}

/** Speech needed before the first reading: less is seldom recognised. */
const FIRST_SAMPLES = secondsToSamples(0.7);
/** New audio needed before the next reading. */
const STEP_SAMPLES = secondsToSamples(0.8);
/** New audio needed when it ends in a dip, where words end. */
const DIP_STEP_SAMPLES = secondsToSamples(0.5);
/** Both grow to this multiple of the last reading's duration, so that readings leave room on a busy server. */
const STEP_TO_READING = 4;
const STEP_SAMPLES_MAX = secondsToSamples(2);
/** Silence that counts as a dip: one frame. */
const DIP_SAMPLES = VOICE_FRAME_SAMPLES;

/** Committed speech that is read again as a run-up to new words; more after an empty reading. */
const RUN_UP_MS = 800;
const LONG_RUN_UP_MS = 2_400;

/** Speech that passes before it is detected. */
const NOTICED_SAMPLES = secondsToSamples(0.1);

export class Interims {
  readonly #options: InterimsOptions;
  readonly #reader: InterimReader;
  #agreement: LocalAgreement | undefined;
  #open: OpenUtterance | undefined;
  #judgedSample = 0;
  #readSample = 0;
  #readVoicedSample = 0;
  /** The last reading was empty, probably misled by its draft: read again at once without the draft. */
  #isSecondTry = false;
  #held: Omit<Interim, 'startMs'> | undefined;
  #carried: { readonly startMs: number; readonly words: readonly RecognisedWord[] } | undefined;
  #language: string | null = null;

  constructor(options: InterimsOptions) {
    this.#options = options;
    const { scheduler, accountId, template, clock } = options;
    const audio = () => this.#audio();
    this.#reader = new InterimReader({
      scheduler,
      accountId,
      template,
      clock,
      audio,
      onReading: (reading) => {
        this.#isSecondTry = reading.words.length === 0 && reading.mayTryAgain;
        this.#agree(reading);
      },
    });
  }

  expectLanguage(language: string | null): void {
    this.#reader.expectLanguage(language);
  }

  /** Called when more of the open utterance has been judged. Starts a reading when enough audio is new. */
  update(open: OpenUtterance, judgedSample: number): void {
    if (this.#open?.startSample !== open.startSample) this.#begin(open);
    this.#open = open;
    this.#judgedSample = judgedSample;
    if (this.#reader.isReading) return;
    if (this.#isSecondTry || this.#isEnoughNew(open)) this.#reader.read(judgedSample - this.#readFromSample());
  }

  /** Uses a speculative recognition of the whole open utterance as a reading. */
  take(window: Window, recognised: readonly RecognisedWindow[]): void {
    const startMs = windowStartMs(window);
    if (this.#open === undefined || this.#open.startSample / SAMPLES_PER_MS !== startMs) return;
    const { words, language, segments } = assemble(recognised);
    const text = segments.map((segment) => segment.text).join(' ');
    const endMs = windowEndMs(window);
    this.#agree({ words: timedWords(text, words, startMs, endMs), startMs, endMs, endsInPause: true, language });
  }

  /** The likely text of the open utterance; empty unless the utterance begins at `startMs`. */
  textFrom(startMs: number): string {
    if (this.#agreement === undefined || this.#open === undefined) return '';
    if (this.#open.startSample / SAMPLES_PER_MS !== startMs) return '';
    return textOf([...this.#agreement.committedFrom(startMs), ...this.#agreement.tentative]);
  }

  /**
   * Ends the utterance at this sample. If speech was cut there, later words belong to the next utterance and wait for
   * this one's final. In a pause there are none, though the times of the last word may reach into it.
   */
  utteranceEnded(endSample: number): void {
    const endMs = endSample / SAMPLES_PER_MS;
    const isCut = this.#open !== undefined && this.#open.voicedEndSample > endSample;
    const words = (isCut && this.#agreement?.committedFrom(endMs)) || [];
    this.#forget();
    if (words.length === 0) return;
    this.#carried = { startMs: endMs, words };
    this.#held = { words, committed: words.length, endMs: words.at(-1)!.endMs, language: this.#language };
  }

  /** Emits the interim that was held back until the preceding final. */
  emitHeld(): void {
    if (this.#held === undefined || !this.#options.mayEmit()) return;
    const held = this.#held;
    this.#held = undefined;
    this.#options.emit(held);
  }

  close(): void {
    this.#forget();
  }

  #forget(): void {
    this.#reader.drop();
    this.#agreement = undefined;
    this.#open = undefined;
    this.#held = undefined;
    this.#carried = undefined;
  }

  #begin(open: OpenUtterance): void {
    const carried = this.#carried;
    const held = this.#held;
    this.#forget();
    this.#reader.utteranceBegan();
    const startMs = open.startSample / SAMPLES_PER_MS;
    const isCarriedOn = carried !== undefined && carried.startMs === startMs;
    this.#agreement = new LocalAgreement(startMs, isCarriedOn ? carried.words : []);
    if (isCarriedOn) this.#held = held;
    this.#readVoicedSample = 0;
    this.#isSecondTry = false;
    // Speech that was just detected is too short to read, unless much arrived at once.
    const noticedSample = Math.min(open.voicedEndSample - NOTICED_SAMPLES, open.startSample + LEAD_SAMPLES);
    this.#readSample = noticedSample - (STEP_SAMPLES - FIRST_SAMPLES);
  }

  #isEnoughNew({ voicedEndSample }: OpenUtterance): boolean {
    if (voicedEndSample <= this.#readVoicedSample) return false;
    const isDip = this.#judgedSample - voicedEndSample >= DIP_SAMPLES;
    const grownSamples = Math.min(STEP_TO_READING * this.#reader.tookMs * SAMPLES_PER_MS, STEP_SAMPLES_MAX);
    return this.#judgedSample - this.#readSample >= Math.max(isDip ? DIP_STEP_SAMPLES : STEP_SAMPLES, grownSamples);
  }

  #readFromSample(): number {
    const endMs = this.#judgedSample / SAMPLES_PER_MS;
    const runUpMs = this.#isSecondTry ? LONG_RUN_UP_MS : RUN_UP_MS;
    const fromMs = this.#agreement?.readFromMs(endMs, runUpMs) ?? endMs;
    return Math.max(Math.floor(fromMs * SAMPLES_PER_MS), this.#options.buffer.startSample);
  }

  #audio(): ReadAudio {
    const startSample = this.#readFromSample();
    const samples = this.#options.buffer.slice(startSample, this.#judgedSample);
    this.#readSample = this.#judgedSample;
    this.#readVoicedSample = this.#open?.voicedEndSample ?? 0;
    const startMs = startSample / SAMPLES_PER_MS;
    const committedText = textOf(this.#agreement?.committedFrom(startMs) ?? []);
    const draft = this.#isSecondTry ? '' : textOf(this.#agreement?.tentative ?? []);
    const mayTryAgain = !this.#isSecondTry && (committedText !== '' || draft !== '');
    this.#isSecondTry = false;
    const endsInPause = this.#judgedSample - this.#readVoicedSample >= DIP_SAMPLES;
    const endMs = this.#judgedSample / SAMPLES_PER_MS;
    return { samples, startMs, endMs, endsInPause, committedText, draft, mayTryAgain };
  }

  #agree({ words, startMs, endMs, endsInPause, language }: Omit<Reading, 'mayTryAgain'>): void {
    if (this.#agreement === undefined || words.length === 0) return;
    this.#language = language;
    const agreed = this.#agreement.add({ words, startMs, endMs, endsInPause });
    if (agreed.words.length === 0) return;
    this.#held = { ...agreed, endMs: this.#judgedSample / SAMPLES_PER_MS, language };
    this.emitHeld();
  }
}

/** Joins words, without trailing punctuation, since more words may follow. */
const textOf = (words: readonly RecognisedWord[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replace(/[.,;:?!]+$/u, '');

/** The recogniser's timed words; if it gave none, the words of the text spread evenly over the stretch. */
const timedWords = (
  text: string,
  words: readonly RecognisedWord[],
  startMs: number,
  endMs: number,
): readonly RecognisedWord[] => {
  if (words.length > 0 || text.trim() === '') return words;
  const parts = text.trim().split(/\s+/u);
  const stepMs = (endMs - startMs) / parts.length;
  return parts.map((part, at) => ({
    text: part,
    startMs: startMs + at * stepMs,
    endMs: startMs + (at + 1) * stepMs,
    confidence: 0.5,
  }));
};
