// How one window is heard: in the language believed so far, again when that goes badly, in two parts when it has two.
import { SAMPLE_RATE_HZ } from '../audio/pcm.ts';
import type { Recognition } from '../speech/recogniser.ts';
import type { RecognisedWindow } from './assemble.ts';
import { areTwoLanguages, halvesOf, soundsMixed } from './bilingual.ts';
import type { LanguageBelief } from './language.ts';
import { type Window, windowSamples } from './window.ts';

export interface Question {
  /** Asked for when the turn has come; null lets the language be detected. */
  readonly language: () => string | null;
  /** Told of the answer before any other window is begun, so that the next is asked for in the right language. */
  readonly learn: (recognition: Recognition) => void;
}

/** Has the samples recognised. */
export type Ask = (samples: Float32Array, question: Question) => Promise<Recognition>;

const DETECT: Question = { language: () => null, learn: () => undefined };

const voicedMsOf = (window: Window): number => (window.voicedSamples / SAMPLE_RATE_HZ) * 1000;
const heardIn = (window: Window, recognition: Recognition) => ({ recognition, voicedMs: voicedMsOf(window) });

/** The parts of a window in two languages, or the window as it is. */
const inParts = async (whole: RecognisedWindow, samples: Float32Array, ask: Ask): Promise<RecognisedWindow[]> => {
  const isMixed = soundsMixed(whole.recognition, voicedMsOf(whole.window));
  const halves = isMixed ? halvesOf(whole.window) : null;
  if (!halves) return [whole];
  const [before, after] = halves;
  const cut = windowSamples(before);
  const [first, second] = await Promise.all([ask(samples.slice(0, cut), DETECT), ask(samples.slice(cut), DETECT)]);
  if (!areTwoLanguages(first, second)) return [whole];
  return [
    { window: before, recognition: first },
    { window: after, recognition: second },
  ];
};

export const hearWindow = async (
  window: Window,
  samples: Float32Array,
  belief: LanguageBelief,
  ask: Ask,
): Promise<RecognisedWindow[]> => {
  let believed: string | null = null;
  const recognition = await ask(samples, {
    language: () => {
      believed = belief.next();
      return believed;
    },
    learn: (heard) => {
      if (believed === null) belief.learn(heardIn(window, heard));
    },
  });
  if (believed === null) return inParts({ window, recognition }, samples, ask);
  if (!belief.doubts(recognition)) return [{ window, recognition }];
  const again = await ask(samples, DETECT);
  belief.settleDoubt(recognition, heardIn(window, again));
  return inParts({ window, recognition: again }, samples, ask);
};
