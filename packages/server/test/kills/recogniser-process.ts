// The entry of a recogniser process that recognises tones after a short delay.
import { serveRecogniser } from '../../src/speech/pool/serve-recogniser.ts';
import { recogniseTones } from '../../src/speech/testing/tones.ts';

const WORK_MS = 15;

serveRecogniser(async () => ({
  warmUp: async () => {},
  close: async () => {},
  async recognise({ samples, wantWordTimes }) {
    // Blocks, like a model run.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WORK_MS);
    const tones = recogniseTones(samples);
    return {
      text: tones.map(({ text }) => text).join(' '),
      words: wantWordTimes ? tones.map((tone) => ({ ...tone, confidence: 0.9 })) : [],
      languages: tones.length === 0 ? [] : [{ language: 'en', probability: 0.98 }],
      languageChange: null,
      averageLogProbability: -0.1,
    };
  },
}));
