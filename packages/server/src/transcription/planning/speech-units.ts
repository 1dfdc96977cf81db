// Cuts spans of speech into speech units, between which a window may end without cutting a word.
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { SEGMENTER_SETTINGS, type SpeechSpan } from '../../speech/vad/segmenter.ts';

/** The smallest part of speech that is planned. */
export interface SpeechUnit {
  readonly startSample: number;
  readonly endSample: number;
  readonly voicedSamples: number;
  /** Silence around the end of the unit, in addition to the gap before the next unit. */
  readonly pauseSamples: number;
}

/** Speech probability of a 32 ms frame of the recording, by its number. */
export type ProbabilityAt = (frame: number) => number;

/** Audio before the first speech that a span includes. */
export const LEAD_SAMPLES = SEGMENTER_SETTINGS.leadMs * SAMPLES_PER_MS;
/** Quiet speech that is detected late may have begun this long ago. */
export const LATE_SPEECH_SAMPLES = secondsToSamples(3);

/** Frames below this count as a dip between words. */
const DIP_PROBABILITY = 0.3;
const DIP_FRAMES_MIN = 3;
/** Minimum length of a unit, since the edges of a span are padding. */
const UNIT_FRAMES_MIN = 20;

/** Padding of two neighbouring spans, in addition to the gap between them. */
const SPAN_PAUSE_SAMPLES = SEGMENTER_SETTINGS.paddingMs * SAMPLES_PER_MS + LEAD_SAMPLES;

interface Cut {
  readonly frame: number;
  readonly pauseFrames: number;
}

/** The midpoints of dips in [firstFrame, endFrame) that are far enough from both ends. */
const dipsOf = (firstFrame: number, endFrame: number, probabilityAt: ProbabilityAt): Cut[] => {
  const cuts: Cut[] = [];
  let from = firstFrame + UNIT_FRAMES_MIN;
  for (let frame = from; frame <= endFrame - UNIT_FRAMES_MIN; frame++) {
    if (frame < endFrame - UNIT_FRAMES_MIN && probabilityAt(frame) < DIP_PROBABILITY) continue;
    if (frame - from >= DIP_FRAMES_MIN) {
      const middle = Math.floor((from + frame) / 2);
      if (middle - (cuts.at(-1)?.frame ?? firstFrame) >= UNIT_FRAMES_MIN) {
        cuts.push({ frame: middle, pauseFrames: frame - from });
      }
    }
    from = frame + 1;
  }
  return cuts;
};

/** The frame of [fromFrame, toFrame] where it and its neighbours are least probably speech; the last one of equals. */
const quietestFrame = (fromFrame: number, toFrame: number, probabilityAt: ProbabilityAt): number => {
  let quietest = toFrame;
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = fromFrame; frame <= toFrame; frame++) {
    const around = probabilityAt(frame - 1) + 2 * probabilityAt(frame) + probabilityAt(frame + 1);
    if (around <= lowest) {
      lowest = around;
      quietest = frame;
    }
  }
  return quietest;
};

/** Splits a stretch without dips until no part is too long. */
const forcedCuts = (firstFrame: number, endFrame: number, framesMax: number, probabilityAt: ProbabilityAt): Cut[] => {
  const length = endFrame - firstFrame;
  if (length <= framesMax) return [];
  const margin = Math.max(1, Math.ceil(length / 4));
  const frame = quietestFrame(firstFrame + margin, endFrame - margin, probabilityAt);
  // A frame with a speech probability of 0.5 counts as half a pause.
  const cut: Cut = { frame, pauseFrames: DIP_FRAMES_MIN * (1 - probabilityAt(frame)) };
  return [
    ...forcedCuts(firstFrame, frame, framesMax, probabilityAt),
    cut,
    ...forcedCuts(frame, endFrame, framesMax, probabilityAt),
  ];
};

/** Splits a span into contiguous units, none longer than `unitSamplesMax`. */
export const speechUnitsOf = (span: SpeechSpan, probabilityAt: ProbabilityAt, unitSamplesMax: number): SpeechUnit[] => {
  const firstFrame = Math.ceil(span.startSample / VOICE_FRAME_SAMPLES);
  const endFrame = Math.floor(span.endSample / VOICE_FRAME_SAMPLES);
  // Leave one frame at each end of the span, which may not lie on a frame's edge.
  const framesMax = Math.floor(unitSamplesMax / VOICE_FRAME_SAMPLES) - 2;
  const dips = dipsOf(firstFrame, endFrame, probabilityAt);
  const cuts = [...dips, { frame: endFrame, pauseFrames: 0 }].flatMap((dip, index) => [
    ...forcedCuts(dips[index - 1]?.frame ?? firstFrame, dip.frame, framesMax, probabilityAt),
    dip,
  ]);
  const share = span.voicedSamples / (span.endSample - span.startSample);
  const units: SpeechUnit[] = [];
  let startSample = span.startSample;
  for (const cut of cuts) {
    const last = cut === cuts.at(-1);
    const endSample = last ? span.endSample : cut.frame * VOICE_FRAME_SAMPLES;
    units.push({
      startSample,
      endSample,
      voicedSamples: Math.round((endSample - startSample) * share),
      pauseSamples: last ? SPAN_PAUSE_SAMPLES : cut.pauseFrames * VOICE_FRAME_SAMPLES,
    });
    startSample = endSample;
  }
  return units;
};
