// A speech engine for tests: recognises tones as words, answers when the test allows it, and records its windows.
import { untilAborted } from '../../lib/time/until-aborted.ts';
import type { LanguageGuess, Recogniser, Recognition, SpeechEngine, SpeechWindow, VoiceProbe } from '../recogniser.ts';
import type { TurnDetector, TurnPause } from '../turns/turn-detector.ts';
import { EnergyProbe } from './energy-probe.ts';
import { ToneSpeakers } from './tone-speakers.ts';
import { recogniseTones } from './tones.ts';

interface AskedWindow {
  readonly window: SpeechWindow;
  /** running until answered, failed by the script, or aborted. */
  state: 'running' | 'answered' | 'failed' | 'aborted';
}

export interface Script {
  /** Concurrent windows; one more is refused. Default 1. */
  readonly slots?: number;
  /** Replaces the text of the tones. */
  readonly text?: (window: SpeechWindow) => string;
  /** Languages of a window. Default: English if it is allowed. */
  readonly languages?: (window: SpeechWindow, text: string) => readonly LanguageGuess[];
  /** Changes the recognition in any other way. */
  readonly answer?: (window: SpeechWindow, recognition: Recognition) => Recognition;
  /** The probability that a turn has ended. Default 0.95. */
  readonly turnChance?: (pause: TurnPause) => number;
  /** Awaited before each answer; a rejection fails the window. */
  readonly before?: (window: SpeechWindow, nth: number) => Promise<void> | void;
}

/** English, or the first listed language if English is not listed. */
const guessesFor = ({ languages = ['en'] }: SpeechWindow): readonly LanguageGuess[] => [
  { language: languages.includes('en') ? 'en' : languages[0]!, probability: 0.98 },
];

interface Waiter {
  readonly condition: () => boolean;
  readonly resolve: () => void;
}

export class ScriptedEngine implements SpeechEngine {
  readonly recogniser: Recogniser;
  readonly speakers = new ToneSpeakers();
  /** Every window received, in order. */
  readonly asked: AskedWindow[] = [];
  running = 0;
  runningMax = 0;
  openProbes = 0;
  openProbesMax = 0;
  readonly #script: Script;
  #gate: 'open' | 'held' = 'open';
  #voices: 'open' | 'held' = 'open';
  #waiters: Waiter[] = [];

  constructor(script: Script = {}) {
    this.#script = script;
    this.recogniser = {
      slots: script.slots ?? 1,
      recognise: (window, signal) => this.#recognise(window, signal),
      close: async () => undefined,
    };
  }

  /** Stops answering windows until `release`. */
  hold(): void {
    this.#gate = 'held';
  }

  /** Stops judging voice activity until `release`. */
  holdVoices(): void {
    this.#voices = 'held';
  }

  /** Answers held windows and all later ones, and judges voice activity. */
  release(): void {
    this.#gate = 'open';
    this.#voices = 'open';
    this.#changed();
  }

  /** Resolves as soon as the condition holds; checked when a window or a probe starts or ends. */
  until(condition: (engine: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ condition: () => condition(this), resolve });
      this.#changed();
    });
  }

  openVoiceProbe(): VoiceProbe {
    this.openProbes += 1;
    this.openProbesMax = Math.max(this.openProbesMax, this.openProbes);
    this.#changed();
    const probe = new EnergyProbe(() => {
      this.openProbes -= 1;
      this.#changed();
    });
    return {
      push: async (samples) => {
        if (this.#voices === 'held') await this.until(() => this.#voices === 'open');
        return probe.push(samples);
      },
      flush: () => probe.flush(),
      close: () => probe.close(),
    };
  }

  readonly turns: TurnDetector = {
    chances: async (pause) => [this.#script.turnChance?.(pause) ?? 0.95],
  };

  async ready(): Promise<void> {}
  async close(): Promise<void> {}

  #changed(): void {
    const due = this.#waiters.filter(({ condition }) => condition());
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve();
  }

  async #recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    if (this.running >= this.recogniser.slots) throw new Error('more windows than slots');
    this.running += 1;
    this.runningMax = Math.max(this.runningMax, this.running);
    const asked: AskedWindow = { window, state: 'running' };
    const nth = this.asked.push(asked) - 1;
    this.#changed();
    try {
      signal.throwIfAborted();
      await untilAborted(this.#work(window, nth), signal);
      asked.state = 'answered';
      return this.#answer(window);
    } catch (failure) {
      asked.state = signal.aborted ? 'aborted' : 'failed';
      throw failure;
    } finally {
      this.running -= 1;
      this.#changed();
    }
  }

  async #work(window: SpeechWindow, nth: number): Promise<void> {
    await this.#script.before?.(window, nth);
    if (this.#gate === 'held') await this.until(() => this.#gate === 'open');
  }

  #answer(window: SpeechWindow): Recognition {
    const tones = recogniseTones(window.samples);
    const text = this.#script.text?.(window) ?? tones.map((tone) => tone.text).join(' ');
    const recognition: Recognition = {
      text,
      words: window.wantWordTimes ? tones.map((tone) => ({ ...tone, confidence: 0.9 })) : [],
      languages: text === '' ? [] : (this.#script.languages?.(window, text) ?? guessesFor(window)),
      languageChange: null,
      averageLogProbability: -0.1,
    };
    return this.#script.answer?.(window, recognition) ?? recognition;
  }
}
