// Finds the stretches of a window that contain a voice, without the padding around them.
import { secondsToSamples } from '../../audio/pcm.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { SEGMENTER_SETTINGS } from '../../speech/vad/segmenter.ts';
import type { ProbabilityAt } from './speech-units.ts';
import type { Slice, Window } from './window.ts';

/** Shorter silences are part of speech: closures of plosives, and pauses between words. */
const SILENCE_SAMPLES_MIN = secondsToSamples(0.2);

export const voicedSlicesOf = ({ startSample, endSample }: Slice, probabilityAt: ProbabilityAt): Slice[] => {
  const slices: Slice[] = [];
  const endFrame = Math.ceil(endSample / VOICE_FRAME_SAMPLES);
  for (let frame = Math.floor(startSample / VOICE_FRAME_SAMPLES); frame < endFrame; frame++) {
    if (probabilityAt(frame) < SEGMENTER_SETTINGS.holdProbability) continue;
    const from = Math.max(startSample, frame * VOICE_FRAME_SAMPLES);
    const to = Math.min(endSample, (frame + 1) * VOICE_FRAME_SAMPLES);
    const last = slices.at(-1);
    if (last && from - last.endSample < SILENCE_SAMPLES_MIN)
      slices[slices.length - 1] = { startSample: last.startSample, endSample: to };
    else slices.push({ startSample: from, endSample: to });
  }
  return slices;
};

export const withVoiced = (window: Window, probabilityAt: ProbabilityAt): Window => ({
  ...window,
  voiced: window.slices.flatMap((slice) => voicedSlicesOf(slice, probabilityAt)),
});
