// Adapts Moonshine to the acoustic model interface: fast, English only.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { AcousticModel } from '../acoustic/acoustic-model.ts';
import type { MoonshineGraphs } from './graphs.ts';
import { encodeAudio, transcribe } from './transcribe.ts';
import { moonshineWords, moonshineWordTimes } from './word-times.ts';

const LANGUAGES: ReadonlySet<string> = new Set(['en']);

export const moonshineModel = (id: string, graphs: MoonshineGraphs): AcousticModel => ({
  id,
  languages: LANGUAGES,
  detectsLanguage: false,
  async encode(samples) {
    const audio = await encodeAudio(graphs, samples);
    return {
      transcribe: (options) => transcribe(graphs, audio, samples.length, options),
      words: moonshineWords,
      wordTimes: (hypothesis) => moonshineWordTimes(graphs, audio, hypothesis, samples.length / SAMPLES_PER_MS),
    };
  },
  async warmUp() {
    const speech = await this.encode(new Float32Array(SAMPLE_RATE_HZ));
    await speech.transcribe({ language: 'en', checkpoint: () => undefined });
  },
  freeSpeech: () => graphs.freeAudio?.(),
  close: () => graphs.close(),
});
