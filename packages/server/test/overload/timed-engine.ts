// A speech engine whose recognition takes a fixed time per window and per second of audio. It keeps no audio.
import { setTimeout as wait } from 'node:timers/promises';
import { SAMPLE_RATE_HZ } from '../../src/lib/sample-rate.ts';
import type { Recogniser, Recognition, SpeechEngine, SpeechWindow, VoiceProbe } from '../../src/speech/recogniser.ts';
import { EnergyProbe } from '../../src/speech/testing/energy-probe.ts';
import { recogniseTones } from '../../src/speech/testing/tones.ts';

export interface ComputeTime {
  readonly slots: number;
  readonly windowMs: number;
  readonly audioSecondMs: number;
}

export class TimedEngine implements SpeechEngine {
  readonly recogniser: Recogniser;
  readonly #time: ComputeTime;
  openProbes = 0;

  constructor(time: ComputeTime) {
    this.#time = time;
    this.recogniser = {
      slots: time.slots,
      recognise: (window, signal) => this.#recognise(window, signal),
      close: async () => undefined,
    };
  }

  openVoiceProbe(): VoiceProbe {
    this.openProbes += 1;
    return new EnergyProbe(() => {
      this.openProbes -= 1;
    });
  }

  async ready(): Promise<void> {}
  async close(): Promise<void> {}

  async #recognise({ samples }: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    const { windowMs, audioSecondMs } = this.#time;
    await wait(windowMs + (samples.length / SAMPLE_RATE_HZ) * audioSecondMs, undefined, { signal });
    const text = recogniseTones(samples)
      .map((tone) => tone.text)
      .join(' ');
    return {
      text,
      words: [],
      languages: text === '' ? [] : [{ language: 'en', probability: 0.98 }],
      languageChange: null,
      averageLogProbability: -0.1,
    };
  }
}
