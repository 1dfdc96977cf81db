// Makes windows and recognitions for tests, with defaults.
import type { Recogniser, Recognition, SpeechWindow } from '../recogniser.ts';

export const windowOf = (of: Partial<SpeechWindow> = {}): SpeechWindow => ({
  requestId: 'request-1',
  tier: 'svc-1.0-lite',
  samples: new Float32Array(16_000),
  pausePositions: [],
  precedingText: null,
  language: null,
  languageHint: null,
  vocabulary: [],
  wantWordTimes: false,
  ...of,
});

export const recognitionOf = (of: Partial<Recognition> = {}): Recognition => ({
  text: '',
  words: [],
  languages: [],
  languageChange: null,
  averageLogProbability: -0.1,
  ...of,
});

/** A recogniser whose models can fail to load. */
export const breakable = (recogniser: Recogniser) => {
  const listeners: (() => void)[] = [];
  return {
    ...recogniser,
    isBroken: false,
    onBroken: (listener: () => void) => void listeners.push(listener),
    setBroken(isBroken: boolean) {
      this.isBroken = isBroken;
      for (const listener of listeners) listener();
    },
  };
};
