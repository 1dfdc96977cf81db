// The interim text of the open utterance: when to read it again, what two readings agree on, and when to tell it.
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../platform/sample-rate.ts';
import type { RecognisedWord } from '../../speech/recogniser.ts';
import { type Window, windowEndMs, windowStartMs } from '../planning/window.ts';
import { assemble, type RecognisedWindow } from '../recognition/assemble.ts';
import type { SampleBuffer } from '../recognition/sample-buffer.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { InterimReader, type ReadAudio, type Reading } from './interim-reader.ts';
import type { LiveInterim } from './live-session.ts';
import { LocalAgreement } from './local-agreement.ts';
import type { JobTemplate } from './utterance-recogniser.ts';
import type { OpenUtterance } from './utterance-tracker.ts';

export interface InterimsOptions {
  readonly scheduler: Scheduler;
  readonly buffer: SampleBuffer;
  readonly accountId: string;
  readonly job: JobTemplate;
  /** Whether everything before the open utterance has been told. */
  readonly mayTell: () => boolean;
  readonly tell: (interim: Omit<LiveInterim, 'startMs'>) => void;
}

/** Speech before the first reading: fewer words are seldom recognised. */
const FIRST_SAMPLES = secondsToSamples(0.7);
/** New audio before the next reading. */
const STEP_SAMPLES = secondsToSamples(1);

export class Interims {
  readonly #options: InterimsOptions;
  readonly #reader: InterimReader;
  #agreement: LocalAgreement | undefined;
  #open: OpenUtterance | undefined;
  #judgedSample = 0;
  #readSample = 0;
  #readVoicedSample = 0;
  #held: Omit<LiveInterim, 'startMs'> | undefined;

  constructor(options: InterimsOptions) {
    this.#options = options;
    const { scheduler, accountId, job } = options;
    const audio = () => this.#audio();
    this.#reader = new InterimReader({
      scheduler,
      accountId,
      job,
      audio,
      onReading: (reading) => this.#agree(reading),
    });
  }

  expectLanguage(language: string | null): void {
    this.#reader.expectLanguage(language);
  }

  /** More of the open utterance has been judged: reads it when there is enough that is new. */
  update(open: OpenUtterance, judgedSample: number): void {
    if (this.#open?.startSample !== open.startSample) this.#begin(open);
    this.#open = open;
    this.#judgedSample = judgedSample;
    if (this.#reader.isReading || open.voicedEndSample <= this.#readVoicedSample) return;
    const newSamples = judgedSample - this.#readSample;
    if (newSamples < STEP_SAMPLES) return;
    this.#reader.read(judgedSample - this.#readFromSample());
  }

  /** The whole open utterance was recognised ahead of time: that is a reading, too. */
  take(window: Window, recognised: readonly RecognisedWindow[]): void {
    const startMs = windowStartMs(window);
    if (this.#open === undefined || this.#open.startSample / SAMPLES_PER_MS !== startMs) return;
    const { words, language, segments } = assemble(recognised);
    const text = segments.map((segment) => segment.text).join(' ');
    const endMs = windowEndMs(window);
    // The words are all there: nothing is cut off at the end.
    this.#agree({ words: timedWords(text, words, startMs, endMs), startMs, endMs: Number.POSITIVE_INFINITY, language });
  }

  utteranceEnded(): void {
    this.#reader.drop();
    this.#agreement = undefined;
    this.#open = undefined;
    this.#held = undefined;
  }

  /** What had to wait for a final before it. */
  tellHeld(): void {
    if (this.#held === undefined || !this.#options.mayTell()) return;
    const held = this.#held;
    this.#held = undefined;
    this.#options.tell(held);
  }

  close(): void {
    this.utteranceEnded();
  }

  #begin(open: OpenUtterance): void {
    this.utteranceEnded();
    this.#agreement = new LocalAgreement(open.startSample / SAMPLES_PER_MS);
    this.#readVoicedSample = 0;
    // What is known when speech is first noticed is not yet enough for a reading.
    this.#readSample = open.voicedEndSample - (STEP_SAMPLES - FIRST_SAMPLES) - secondsToSamples(0.1);
  }

  #readFromSample(): number {
    const endMs = this.#judgedSample / SAMPLES_PER_MS;
    const fromMs = this.#agreement?.readFromMs(endMs) ?? endMs;
    return Math.max(Math.floor(fromMs * SAMPLES_PER_MS), this.#options.buffer.startSample);
  }

  #audio(): ReadAudio {
    const startSample = this.#readFromSample();
    const samples = new Float32Array(Math.max(0, this.#judgedSample - startSample));
    this.#options.buffer.read(startSample, startSample + samples.length, samples);
    this.#readSample = this.#judgedSample;
    this.#readVoicedSample = this.#open?.voicedEndSample ?? 0;
    return { samples, startMs: startSample / SAMPLES_PER_MS, endMs: this.#judgedSample / SAMPLES_PER_MS };
  }

  #agree({ words, startMs, endMs, language }: Reading): void {
    if (this.#agreement === undefined || words.length === 0) return;
    const agreed = this.#agreement.add(words, startMs, endMs);
    if (agreed.words.length === 0) return;
    this.#held = { ...agreed, endMs: this.#judgedSample / SAMPLES_PER_MS, language };
    this.tellHeld();
  }
}

/** The words with their times; spread over the stretch where the recogniser has given none. */
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
