// A speech engine for tests: recognises tones as words, answers when the test lets it, and remembers its jobs.
import type { LanguageGuess, RecogniseJob, Recogniser, Recognition, SpeechEngine, VoiceProbe } from '../recogniser.ts';
import { EnergyProbe } from './energy-probe.ts';
import { recogniseTones } from './tones.ts';

interface AskedJob {
  readonly job: RecogniseJob;
  /** running until it is answered, failed by the script, or aborted by its asker. */
  state: 'running' | 'answered' | 'failed' | 'aborted';
}

export interface Script {
  /** Jobs at the same time; one more is refused. Default 1. */
  readonly slots?: number;
  /** The recognised text, in place of the tones. */
  readonly text?: (job: RecogniseJob) => string;
  /** The languages of a job; English by default. */
  readonly languages?: (job: RecogniseJob, text: string) => readonly LanguageGuess[];
  /** Changes the answer in any other way. */
  readonly answer?: (job: RecogniseJob, recognition: Recognition) => Recognition;
  /** Awaited before each answer; a rejection fails the job. */
  readonly before?: (job: RecogniseJob, nth: number) => Promise<void> | void;
}

const ENGLISH: readonly LanguageGuess[] = [{ language: 'en', probability: 0.98 }];

interface Waiter {
  readonly condition: () => boolean;
  readonly resolve: () => void;
}

export class ScriptedEngine implements SpeechEngine {
  readonly recogniser: Recogniser;
  /** Every job that came in, in order. */
  readonly asked: AskedJob[] = [];
  running = 0;
  runningMax = 0;
  openProbes = 0;
  readonly #script: Script;
  #gate: 'open' | 'held' = 'open';
  #waiters: Waiter[] = [];

  constructor(script: Script = {}) {
    this.#script = script;
    this.recogniser = {
      slots: script.slots ?? 1,
      recognise: (job, signal) => this.#recognise(job, signal),
      close: async () => undefined,
    };
  }

  /** From now on jobs run and run. */
  hold(): void {
    this.#gate = 'held';
  }

  /** Lets the held jobs, and all later ones, be answered. */
  release(): void {
    this.#gate = 'open';
    this.#changed();
  }

  /** Resolves as soon as the condition holds; looked at whenever a job or a probe begins or ends. */
  until(condition: (engine: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ condition: () => condition(this), resolve });
      this.#changed();
    });
  }

  openVoiceProbe(): VoiceProbe {
    this.openProbes += 1;
    return new EnergyProbe(() => {
      this.openProbes -= 1;
      this.#changed();
    });
  }

  async ready(): Promise<void> {}
  async close(): Promise<void> {}

  #changed(): void {
    const due = this.#waiters.filter(({ condition }) => condition());
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve();
  }

  async #recognise(job: RecogniseJob, signal: AbortSignal): Promise<Recognition> {
    if (this.running >= this.recogniser.slots) throw new Error('more jobs than slots');
    this.running += 1;
    this.runningMax = Math.max(this.runningMax, this.running);
    const asked: AskedJob = { job, state: 'running' };
    const nth = this.asked.push(asked) - 1;
    this.#changed();
    try {
      signal.throwIfAborted();
      await abortable(this.#work(job, nth), signal);
      asked.state = 'answered';
      return this.#answer(job);
    } catch (failure) {
      asked.state = signal.aborted ? 'aborted' : 'failed';
      throw failure;
    } finally {
      this.running -= 1;
      this.#changed();
    }
  }

  async #work(job: RecogniseJob, nth: number): Promise<void> {
    await this.#script.before?.(job, nth);
    if (this.#gate === 'held') await this.until(() => this.#gate === 'open');
  }

  #answer(job: RecogniseJob): Recognition {
    const tones = recogniseTones(job.samples);
    const text = this.#script.text?.(job) ?? tones.map((tone) => tone.text).join(' ');
    const recognition: Recognition = {
      text,
      words: job.wantWordTimes ? tones.map((tone) => ({ ...tone, confidence: 0.9 })) : [],
      languages: text === '' ? [] : (this.#script.languages?.(job, text) ?? ENGLISH),
      languageChange: null,
      averageLogProbability: -0.1,
    };
    return this.#script.answer?.(job, recognition) ?? recognition;
  }
}

/** The work, or the abort if that comes first. */
const abortable = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
