// How one window is heard: in the language believed so far, again when that goes badly, in two parts when it has two.
import { SAMPLE_RATE_HZ } from '../audio/pcm.ts';
import type { RecogniseJob, Recognition } from '../speech/recogniser.ts';
import type { RecognisedWindow } from './assemble.ts';
import { areInLanguagesOfTheirOwn, halvesAt, partingRests, suspectedChange } from './bilingual.ts';
import type { LanguageBelief } from './language.ts';
import { sampleInWindow, type Window, windowSamples } from './window.ts';

export interface Question {
  /** Asked for when the turn has come; null lets the language be detected. */
  readonly language: () => string | null;
  /** Told of the answer before any other window is begun, so that the next is asked for in the right language. */
  readonly learn: (recognition: Recognition) => void;
}

/** What a recogniser is given to hear. */
export interface Passage extends Pick<RecogniseJob, 'samples' | 'pausePositions'> {
  /** Where it stands in the recording. */
  readonly startSample: number;
  readonly endSample: number;
}

/** Has a passage recognised. */
export type Ask = (passage: Passage, question: Question) => Promise<Recognition>;

const DETECT: Question = { language: () => null, learn: () => undefined };

const voicedMsOf = (window: Window): number => (window.voicedSamples / SAMPLE_RATE_HZ) * 1000;
const heardIn = (window: Window, recognition: Recognition) => ({ recognition, voicedMs: voicedMsOf(window) });

const passageOf = (window: Window, samples: Float32Array): Passage => ({
  samples,
  pausePositions: partingRests(window).map(({ sample }) => sampleInWindow(window, sample)),
  startSample: window.slices[0]?.startSample ?? 0,
  endSample: window.slices.at(-1)?.endSample ?? 0,
});

/** The parts of a window in two or more languages, or the window as it is. */
const inParts = async (whole: RecognisedWindow, samples: Float32Array, ask: Ask): Promise<RecognisedWindow[]> => {
  const change = suspectedChange(whole.window, whole.recognition, voicedMsOf(whole.window));
  if (!change) return [whole];
  const [before, after] = halvesAt(whole.window, change);
  const cut = windowSamples(before);
  const [first, second] = [samples.slice(0, cut), samples.slice(cut)];
  const [firstHeard, secondHeard] = await Promise.all([
    ask(passageOf(before, first), DETECT),
    ask(passageOf(after, second), DETECT),
  ]);
  // The rest that was found may lie within one of the languages, so that a part has two again.
  const parts = [
    ...(await inParts({ window: before, recognition: firstHeard }, first, ask)),
    ...(await inParts({ window: after, recognition: secondHeard }, second, ask)),
  ];
  return areInLanguagesOfTheirOwn(parts.map(({ recognition }) => recognition)) ? parts : [whole];
};

export const hearWindow = async (
  window: Window,
  samples: Float32Array,
  belief: LanguageBelief,
  ask: Ask,
): Promise<RecognisedWindow[]> => {
  let believed: string | null = null;
  const passage = passageOf(window, samples);
  const recognition = await ask(passage, {
    language: () => {
      believed = belief.next();
      return believed;
    },
    learn: (heard) => {
      if (believed === null) belief.learn(heardIn(window, heard));
    },
  });
  if (believed === null) return inParts({ window, recognition }, samples, ask);
  if (recognition.languageChange !== null) {
    const parts = await inParts({ window, recognition }, samples, ask);
    if (parts.length > 1) return parts;
  }
  if (!belief.doubts(heardIn(window, recognition))) return [{ window, recognition }];
  const again = await ask(passage, DETECT);
  belief.settleDoubt(recognition, heardIn(window, again));
  return inParts({ window, recognition: again }, samples, ask);
};
