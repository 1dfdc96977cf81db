// Recognises one window: in the assumed language, again if the result is poor, in parts if it mixes languages.
import type { Recognition } from '../../speech/recogniser.ts';
import type { LanguageBelief } from '../language/belief.ts';
import { areInDifferentLanguages, splitAt, splittablePauses, suspectedSwitch } from '../language/code-switching.ts';
import { sampleInWindow, voicedMs, type Window, windowSamples } from '../planning/window.ts';
import type { RecognisedWindow } from './assemble.ts';

export interface RecognitionAttempt {
  /** Called when the attempt begins; null detects the language. */
  readonly language: () => string | null;
  /** Called before another window begins, so that it is recognised in the right language. */
  readonly onResult: (recognition: Recognition) => void;
}

/** The audio of a window, or of a part of one. */
export interface WindowAudio {
  readonly samples: Float32Array;
  /** Positions in `samples` where the language may change, longest pause first. */
  readonly pauses: readonly number[];
  /** Position in the recording. */
  readonly startSample: number;
  readonly endSample: number;
}

export type RecogniseAudio = (audio: WindowAudio, attempt: RecognitionAttempt) => Promise<Recognition>;

const DETECT_LANGUAGE: RecognitionAttempt = { language: () => null, onResult: () => undefined };

const evidenceOf = (window: Window, recognition: Recognition) => ({ recognition, voicedMs: voicedMs(window) });

export const audioOf = (window: Window, samples: Float32Array): WindowAudio => ({
  samples,
  pauses: splittablePauses(window).map(({ sample }) => sampleInWindow(window, sample)),
  startSample: window.slices[0]?.startSample ?? 0,
  endSample: window.slices.at(-1)?.endSample ?? 0,
});

/** The parts of a window in several languages, or the whole window. */
const recogniseParts = async (
  whole: RecognisedWindow,
  samples: Float32Array,
  recognise: RecogniseAudio,
): Promise<RecognisedWindow[]> => {
  const languageSwitch = suspectedSwitch(whole.window, whole.recognition, voicedMs(whole.window));
  if (!languageSwitch) return [whole];
  const [before, after] = splitAt(whole.window, languageSwitch);
  const cut = windowSamples(before);
  const [first, second] = [samples.slice(0, cut), samples.slice(cut)];
  const [firstResult, secondResult] = await Promise.all([
    recognise(audioOf(before, first), DETECT_LANGUAGE),
    recognise(audioOf(after, second), DETECT_LANGUAGE),
  ]);
  // The pause may lie within one of the languages, so a part may hold two again.
  const parts = [
    ...(await recogniseParts({ window: before, recognition: firstResult }, first, recognise)),
    ...(await recogniseParts({ window: after, recognition: secondResult }, second, recognise)),
  ];
  return areInDifferentLanguages(parts.map(({ recognition }) => recognition)) ? parts : [whole];
};

export const recogniseWindow = async (
  window: Window,
  samples: Float32Array,
  belief: LanguageBelief,
  recognise: RecogniseAudio,
): Promise<RecognisedWindow[]> => {
  let believed: string | null = null;
  const audio = audioOf(window, samples);
  const recognition = await recognise(audio, {
    language: () => {
      believed = belief.next(audio.startSample);
      return believed;
    },
    onResult: (result) => {
      if (believed === null) belief.learn(evidenceOf(window, result), audio.startSample);
    },
  });
  if (believed === null) return recogniseParts({ window, recognition }, samples, recognise);
  if (recognition.languageChange !== null) {
    const parts = await recogniseParts({ window, recognition }, samples, recognise);
    if (parts.length > 1) return parts;
  }
  if (!belief.doubts(evidenceOf(window, recognition))) return [{ window, recognition }];
  const again = await recognise(audio, DETECT_LANGUAGE);
  belief.settleDoubt(recognition, evidenceOf(window, again), audio.startSample);
  return recogniseParts({ window, recognition: again }, samples, recognise);
};
